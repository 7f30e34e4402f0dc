// A gateway that answers as it is told to: well, or in any of the ways in which gateways fail. It counts what it has converted.

import type { IncomingMessage } from "node:http";
import { GatewayWorld, type GatewayWorldOptions } from "../../src/connectors/index.ts";
import { Fault } from "../../src/engine/index.ts";
import { LittleServer, type Said } from "../media/little-server.ts";

const STATUSES: Readonly<Record<string, number>> = { UNSUPPORTED_TYPE: 415, INPUT_TOO_LARGE: 413, PARSE_ERROR: 422 };

export class ScriptedGateway extends LittleServer {
  readonly world: GatewayWorld;
  readonly #token: string | undefined;

  constructor({ token, ...options }: GatewayWorldOptions & { readonly token?: string } = {}) {
    super();
    this.world = new GatewayWorld(options);
    this.#token = token;
  }

  get url(): string {
    return `${this.origin}/`;
  }

  protected override async answer({ pathname }: URL, request: IncomingMessage, body: Buffer): Promise<Said> {
    if (this.#token !== undefined && request.headers.authorization !== `Bearer ${this.#token}`) return { status: 401 };
    const { mappings, service } = this.world;
    if (pathname === "/health") return json(200, { name: service, version: "1.0.0", mappings });
    if (pathname !== "/process") return { status: 404 };
    const { file, fields } = await readForm(request, body, "file");
    const key = decodeURIComponent(String(request.headers["idempotency-key"] ?? "no key"));
    return await converted(this.world, key, fields.get("mapping") ?? "", file);
  }
}

export async function converted(world: GatewayWorld, key: string, mapping: string, pdf: Uint8Array): Promise<Said> {
  try {
    const body = await world.convert({ key, mapping }, pdf);
    return { status: 200, headers: { "content-type": "application/xml", "x-pages": "1" }, body };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { code, message } = error;
    return json(STATUSES[code] ?? 400, { error: { code, message } });
  }
}

export interface ReadForm {
  readonly file: Uint8Array;
  readonly filename: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** By the platform's own parser, so that what is sent is read as others read it. */
export async function readForm(request: IncomingMessage, body: Buffer, field: string): Promise<ReadForm> {
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  const fields = new Map<string, string>();
  let [file, filename] = [new Uint8Array(), ""];
  for (const [name, value] of form.entries()) {
    if (typeof value === "string") fields.set(name, value);
    else if (name === field) [file, filename] = [new Uint8Array(await value.arrayBuffer()), value.name];
  }
  return { file, filename, fields };
}

export function json(status: number, value: unknown): Said {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}
