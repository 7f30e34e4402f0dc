// A file on its way in: looked at before anything is written, hashed and counted while it is, and on the disk when this resolves.

import { createHash, type Hash } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import type { DocumentCode } from "../codes.ts";

/** Refused for what it is; nothing of it is left. */
export class FileRefused extends Error {
  override readonly name = "FileRefused";
  readonly code: Extract<DocumentCode, "NOT_PDF" | "TOO_LARGE">;

  constructor(code: FileRefused["code"]) {
    super(code);
    this.code = code;
  }
}

export interface Received {
  readonly bytes: number;
  readonly sha256: string;
}

const MAGIC = Buffer.from("%PDF-");

export interface ReceiveOptions {
  /** Where it is put; null for a look alone. */
  readonly to: string | null;
  readonly mostBytes: number;
}

/** Rejects with `FileRefused`, or with what the stream or the disk said. Of what was refused nothing is read any further. */
export async function receive(
  content: AsyncIterable<Uint8Array>,
  { to, mostBytes }: ReceiveOptions,
): Promise<Received> {
  const sink = new Sink(to);
  try {
    let head = Buffer.alloc(0);
    let bytes = 0;
    let isPdf = false;
    for await (const chunk of content) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) throw new FileRefused("TOO_LARGE");
      if (isPdf) {
        await sink.write(chunk);
        continue;
      }
      head = Buffer.concat([head, chunk]);
      if (head.length < MAGIC.length) continue;
      if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw new FileRefused("NOT_PDF");
      isPdf = true;
      await sink.write(head);
    }
    if (!isPdf) throw new FileRefused("NOT_PDF");
    return { bytes, sha256: await sink.finish() };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

class Sink {
  readonly #to: string | null;
  readonly #hash: Hash = createHash("sha256");
  #file: FileHandle | undefined;

  constructor(to: string | null) {
    this.#to = to;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#hash.update(chunk);
    if (this.#to === null) return;
    if (this.#file === undefined) {
      await mkdir(path.dirname(this.#to), { recursive: true });
      this.#file = await open(this.#to, "wx", 0o600);
    }
    await this.#file.writeFile(chunk);
  }

  async finish(): Promise<string> {
    await this.#file?.sync();
    await this.#close();
    return this.#hash.digest("hex");
  }

  async discard(): Promise<void> {
    await this.#close();
    if (this.#to !== null) await rm(this.#to, { force: true });
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}
