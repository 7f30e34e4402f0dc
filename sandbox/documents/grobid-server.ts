// A little service in the words of GROBID.

import type { IncomingMessage } from "node:http";
import { isPdf } from "../../src/connectors/index.ts";
import { LittleServer, type Said } from "../media/little-server.ts";
import { readForm } from "./scripted-gateway.ts";

const TEI =
  '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body><p>…</p></body></text></TEI>\n';

export class GrobidServer extends LittleServer {
  /** The addresses that were asked with a PDF, with the name it had. */
  readonly converted: { readonly path: string; readonly filename: string }[] = [];

  get url(): string {
    return `${this.origin}/`;
  }

  protected override async answer({ pathname }: URL, request: IncomingMessage, body: Buffer): Promise<Said> {
    if (pathname === "/api/isalive") return { status: 200, body: "true" };
    if (pathname === "/api/version") return { status: 200, body: '{"version":"0.8.2","revision":"0.8.2-1-gabc"}' };
    if (!/^\/api\/process(FulltextDocument|HeaderDocument|References)$/.test(pathname)) return { status: 404 };
    const { file, filename } = await readForm(request, body, "input");
    if (file.byteLength === 0) return { status: 400 };
    if (!isPdf(file)) return { status: 500, body: "[BAD_INPUT_DATA] PDF to XML conversion failed" };
    this.converted.push({ path: pathname, filename });
    return { status: 200, headers: { "content-type": "application/xml" }, body: TEI };
  }
}
