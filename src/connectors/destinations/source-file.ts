// The file that is sent: read in pieces in their order, and hashed on the way.

import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { transient } from "../../engine/index.ts";
import { errnoFault } from "../kit/index.ts";

export class SourceFile {
  readonly bytes: number;
  readonly #file: FileHandle;
  readonly #hash: Hash = createHash("sha256");
  #hashed = 0;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.bytes = bytes;
  }

  static async open(path: string): Promise<SourceFile> {
    try {
      const file = await open(path, "r");
      return new SourceFile(file, (await file.stat()).size);
    } catch (error) {
      throw errnoFault(error, "reading the file to send");
    }
  }

  /** From where the last piece ended; what is skipped is read for the hash alone. */
  async piece(from: number, length: number): Promise<Buffer> {
    while (this.#hashed < from) await this.#next(this.#hashed, Math.min(HASH_BYTES, from - this.#hashed));
    return await this.#next(from, length);
  }

  /** Without the hash: to compare what is there already. */
  async peek(from: number, length: number): Promise<Buffer> {
    return await this.#read(from, length);
  }

  /** Of all of it; asked once, at the end. */
  async sha256(): Promise<string> {
    while (this.#hashed < this.bytes) await this.#next(this.#hashed, Math.min(HASH_BYTES, this.bytes - this.#hashed));
    return this.#hash.digest("hex");
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #next(from: number, length: number): Promise<Buffer> {
    const piece = await this.#read(from, length);
    this.#hash.update(piece);
    this.#hashed = from + length;
    return piece;
  }

  async #read(from: number, length: number): Promise<Buffer> {
    const piece = Buffer.allocUnsafe(length);
    let have = 0;
    while (have < length) {
      const { bytesRead } = await this.#file.read(piece, have, length - have, from + have).catch((error: unknown) => {
        throw errnoFault(error, "reading the file to send");
      });
      if (bytesRead === 0) throw transient("SOURCE_CHANGED", "the file to send became shorter while it was sent");
      have += bytesRead;
    }
    return piece;
  }
}

const HASH_BYTES = 1024 * 1024;
