// The file that is sent: read in pieces in their order, and hashed on the way.

import { createHash, type Hash } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { transient } from "../../engine/index.ts";
import { errnoFault } from "../kit/index.ts";

export class SourceFile {
  readonly bytes: number;
  readonly #mtimeMs: number;
  readonly #file: FileHandle;
  readonly #hash: Hash = createHash("sha256");
  #hashed = 0;

  private constructor(file: FileHandle, { size, mtimeMs }: Pick<Stats, "size" | "mtimeMs">) {
    this.#file = file;
    this.bytes = size;
    this.#mtimeMs = mtimeMs;
  }

  static async open(path: string): Promise<SourceFile> {
    try {
      const file = await open(path, "r");
      return new SourceFile(file, await file.stat());
    } catch (error) {
      throw errnoFault(error, "reading the file to send");
    }
  }

  /** Fills it, from where the last piece ended; what is skipped is read for the hash alone. */
  async piece(from: number, into: Buffer): Promise<void> {
    await this.#hashUpTo(from);
    await this.#read(from, into);
    this.#hash.update(into);
    this.#hashed = from + into.byteLength;
  }

  /** Without the hash: to compare what is there already. */
  async peek(from: number, length: number): Promise<Buffer> {
    const piece = Buffer.allocUnsafe(length);
    await this.#read(from, piece);
    return piece;
  }

  /** Of all of it; asked once, at the end. */
  async sha256(): Promise<string> {
    await this.#hashUpTo(this.bytes);
    const now = await this.#file.stat();
    if (now.size !== this.bytes || now.mtimeMs !== this.#mtimeMs) throw changed("changed");
    return this.#hash.digest("hex");
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #hashUpTo(end: number): Promise<void> {
    const piece = Buffer.allocUnsafe(Math.min(HASH_BYTES, Math.max(0, end - this.#hashed)));
    for (let at = this.#hashed; at < end; at = this.#hashed) {
      const next = piece.subarray(0, Math.min(HASH_BYTES, end - at));
      await this.#read(at, next);
      this.#hash.update(next);
      this.#hashed += next.byteLength;
    }
  }

  async #read(from: number, into: Buffer): Promise<void> {
    for (let have = 0; have < into.byteLength; ) {
      const { bytesRead } = await this.#file
        .read(into, have, into.byteLength - have, from + have)
        .catch((error: unknown) => {
          throw errnoFault(error, "reading the file to send");
        });
      if (bytesRead === 0) throw changed("became shorter");
      have += bytesRead;
    }
  }
}

/** Of a file on our own disk. */
export async function fileSha256(path: string): Promise<string> {
  const source = await SourceFile.open(path);
  return await source.sha256().finally(() => source.close());
}

const HASH_BYTES = 1024 * 1024;

/** Our own doing, and none of the destination's. */
const changed = (how: string) =>
  transient("SOURCE_CHANGED", `the file to send ${how} while it was sent`, { breaker: "none" });
