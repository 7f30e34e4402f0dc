// Where the XML is put: written in pieces, hashed on the way, and on the disk before anybody is told.

import { createHash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { outputFault } from "./faults.ts";

export class OutputFile {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  #bytes = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** What lay there is left over from a try that ended without a word. */
  static async create(path: string): Promise<OutputFile> {
    return new OutputFile(path, await asOutput(open(path, "w", 0o600)));
  }

  get bytes(): number {
    return this.#bytes;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#hash.update(chunk);
    this.#bytes += chunk.byteLength;
    await asOutput(this.#file.appendFile(chunk));
  }

  async finish(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    try {
      await asOutput(this.#file.sync());
    } finally {
      await this.#file.close();
    }
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  /** Half of it is worth nothing. */
  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#path, { force: true });
  }
}

async function asOutput<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    throw outputFault(error);
  }
}
