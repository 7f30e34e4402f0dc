// The PDF that is sent: opened once, so that what is read is one file, and as long as it was said to be.

import { type FileHandle, open } from "node:fs/promises";
import { sourceChanged, sourceFault } from "./faults.ts";

const PIECE_BYTES = 256 * 1024;

export class PdfSource {
  readonly bytes: number;
  readonly #file: FileHandle;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.bytes = bytes;
  }

  static async open(path: string): Promise<PdfSource> {
    try {
      const file = await open(path, "r");
      return new PdfSource(file, (await file.stat()).size);
    } catch (error) {
      throw sourceFault(error);
    }
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let at = 0; at < this.bytes; ) {
      const wanted = Math.min(PIECE_BYTES, this.bytes - at);
      const { bytesRead } = await this.#file.read(piece, 0, wanted, at).catch((error: unknown) => {
        throw sourceFault(error);
      });
      if (bytesRead === 0) throw sourceChanged();
      at += bytesRead;
      // A copy: what was given to a socket may still be under way when the next piece is read.
      yield Uint8Array.from(piece.subarray(0, bytesRead));
    }
    if ((await this.#file.stat()).size !== this.bytes) throw sourceChanged();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
