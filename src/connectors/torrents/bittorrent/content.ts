// What a torrent is of, on this disk: which pieces are there, and whether what came is right.

import { createHash } from "node:crypto";
import { type Random, safeText } from "../../../kit/index.ts";
import type { Metainfo } from "./metainfo.ts";
import type { Peer } from "./peer.ts";
import { type Block, Picker } from "./picker.ts";
import { PieceSet } from "./piece-set.ts";
import { codeOf, isDiskFull, Storage } from "./storage.ts";

/** Where it cannot go on by itself. */
export interface Standstill {
  readonly phase: "failed" | "missing-files";
  readonly problem: string;
}

export class Content {
  readonly meta: Metainfo;
  readonly picker: Picker<Peer>;
  readonly #storage: Storage;
  /** Pieces that an earlier life has stored as right; undefined before this place was known to be ours. */
  #stored: PieceSet | undefined;
  #isOver = false;

  constructor(folder: string, meta: Metainfo, stored: string | null | undefined, random: Random) {
    this.meta = meta;
    this.#storage = new Storage(folder, meta);
    this.picker = new Picker<Peer>(meta, new PieceSet(meta.pieceCount), random);
    if (typeof stored === "string") this.#stored = PieceSet.from(Buffer.from(stored, "base64"), meta.pieceCount);
  }

  get path(): string {
    return this.#storage.path;
  }

  /**
   * What is there already. Pieces that were stored as right were on the disk by then, so sizes are enough to go by; whatever else lies
   * there is read. Of a stranger's file no piece is right: it is left alone.
   */
  async check(isThorough: boolean): Promise<Standstill | "as-noted" | undefined> {
    const [storage, stored, { have }] = [this.#storage, this.#stored, this.picker];
    if (!isThorough && stored !== undefined && (await storage.isPlausible((piece) => stored.has(piece)))) {
      for (let piece = 0; piece < stored.size; piece += 1) if (stored.has(piece)) have.add(piece);
      return "as-noted";
    }
    if (await storage.isThere()) {
      await this.#readAll();
      if (stored === undefined && have.count === 0)
        return { phase: "failed", problem: `there is something else at ${this.path}, which is left alone` };
    } else if (!isThorough && stored !== undefined && stored.count > 0)
      return { phase: "missing-files", problem: `what was downloaded is no longer at ${this.path}` };
    else for (let piece = 0; piece < have.size; piece += 1) have.delete(piece);
    // From here on whatever lies there is ours.
    this.#stored = have;
    return undefined;
  }

  async #readAll(): Promise<void> {
    const { have } = this.picker;
    for (let piece = 0; piece < have.size && !this.#isOver; piece += 1) {
      const data = await this.#storage.read(piece * this.meta.pieceBytes, this.picker.lengthOf(piece));
      if (data !== undefined && this.isRight(piece, data)) have.add(piece);
      else have.delete(piece);
    }
  }

  isRight(piece: number, data: Uint8Array): boolean {
    const expected = this.meta.hashes.subarray(piece * 20, piece * 20 + 20);
    return createHash("sha1").update(data).digest().equals(expected);
  }

  async keep(piece: number, data: Buffer): Promise<void> {
    await this.#storage.write(piece * this.meta.pieceBytes, data);
    this.picker.settle(piece, true);
    if (this.picker.have.isWhole) await this.#storage.makeEmptyFiles();
  }

  read({ piece, offset, length }: Block): Promise<Buffer | undefined> {
    return this.#storage.read(piece * this.meta.pieceBytes + offset, length);
  }

  sync(): Promise<void> {
    return this.#storage.sync();
  }

  /** For the next life, once it is on the disk; null before this place is ours. */
  get stored(): string | null {
    return this.#stored === undefined ? null : this.picker.have.toBytes().toString("base64");
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#storage.close();
  }

  async remove(): Promise<void> {
    if (this.#stored !== undefined) await this.#storage.remove();
  }
}

/** For people: what the disk said. */
export function diskWords(error: unknown): string {
  const code = codeOf(error);
  if (isDiskFull(error)) return "the disk is full; it goes on after a nudge once there is room";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "its folder may not be written to";
  return `the disk refused: ${safeText(error, 200)}`;
}
