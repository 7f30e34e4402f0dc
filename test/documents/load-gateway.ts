// A gateway under load: it flaps, breaks and hangs now and then, and refuses some documents for good. What it was sent says which. No two of
// its answers are alike, so that a document with two results would have two files.

import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { json, ScriptedGateway } from "../../sandbox/documents/scripted-gateway.ts";
import type { Said } from "../../sandbox/media/little-server.ts";

/** Document `number`, as it is uploaded. */
export function loadPdf(number: number, isRefused: boolean): Buffer {
  return Buffer.from(`%PDF-1.4\n% document ${number}.\n${isRefused ? REFUSED : ""}\n%%EOF\n`);
}

/** Stands in a PDF that is to be refused. */
const REFUSED = "% to be refused";
const WORK_MS = 20;
const ABOUT = json(200, { name: "load-gateway", version: "1.0.0", mappings: ["layout"] });

/** A prime each, so that they do not meet the same documents again and again. Sparse: three tries have to be enough for 99 %. */
const BREAKS_EVERY = 17;
const HANGS_EVERY = 211;

export class LoadGateway extends ScriptedGateway {
  /** What was made of each document, by its number: once, unless a worker died over it or the line broke. */
  readonly made = new Map<number, string[]>();
  broken = 0;
  hung = 0;
  #calls = 0;

  protected override async answer({ pathname }: URL, _: IncomingMessage, body: Buffer): Promise<Said> {
    if (pathname !== "/process") return ABOUT;
    this.#calls += 1;
    if (body.includes(REFUSED)) return { status: 422 };
    if (this.#calls % BREAKS_EVERY === 0) {
      this.broken += 1;
      return { status: 502 };
    }
    if (this.#calls % HANGS_EVERY === 0) {
      this.hung += 1;
      await new Promise(() => undefined);
    }
    await sleep(WORK_MS);
    return { status: 200, headers: { "content-type": "application/xml", "x-pages": "1" }, body: this.#make(body) };
  }

  #make(body: Buffer): string {
    const number = Number(/% document (\d+)\./.exec(body.toString("latin1"))?.[1]);
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<document number="${number}" conversion="${this.#calls}"/>\n`;
    this.made.set(number, [...(this.made.get(number) ?? []), xml]);
    return xml;
  }

  /** Down and up again, until it is told to stop; up when this resolves. */
  async flap(signal: AbortSignal, times: { readonly upMs: number; readonly downMs: number }): Promise<void> {
    const rest = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted) {
      await rest(times.upMs);
      await this.down();
      await rest(times.downMs);
      await this.up();
    }
  }
}
