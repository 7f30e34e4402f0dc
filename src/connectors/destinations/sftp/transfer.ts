// Bytes to a file at the other side and back, several pieces at a time: one after the other would wait for every answer.

import { createHash } from "node:crypto";
import { transient } from "../../../engine/index.ts";
import type { Pace } from "../pace.ts";
import type { SourceFile } from "../source-file.ts";
import type { Session } from "./session.ts";
import { Window } from "./window.ts";

/** The most that every server takes at once. */
const PIECE_BYTES = 64 * 1024;
const PIECES = 15;
/** After a cut, what is there may have holes no further back than this. It is all that is ever sent twice: less than a megabyte. */
export const WINDOW_BYTES = PIECE_BYTES * PIECES;

export interface Writing {
  readonly handle: Buffer;
  readonly from: number;
  readonly pace: Pace;
  readonly signal: AbortSignal | undefined;
  readonly onBytes: (bytes: number) => void;
}

export async function write(session: Session, source: SourceFile, writing: Writing): Promise<void> {
  const { handle, from, pace, signal, onBytes } = writing;
  const window = new Window(from, PIECES);
  for (let at = from; at < source.bytes; ) {
    const [start, length] = [at, Math.min(PIECE_BYTES, source.bytes - at)];
    await pace.take(length, signal);
    signal?.throwIfAborted();
    const piece = await source.piece(start, length);
    const send = () =>
      session.ask("writing the part", (answered) => session.sftp.write(handle, piece, 0, length, start, answered));
    await window.begin(start, length, send, onBytes);
    at += length;
  }
  await window.end();
}

export async function read(session: Session, handle: Buffer, from: number, length: number): Promise<Buffer> {
  const into = Buffer.allocUnsafe(length);
  let have = 0;
  while (have < length) {
    const got = await session.ask<number>("reading the part", (answered) =>
      session.sftp.read(handle, into, have, length - have, from + have, (error, bytes) => answered(error, bytes)),
    );
    if (got === 0) throw transient("WRONG_BYTES", "the part is shorter than it was a moment ago");
    have += got;
  }
  return into;
}

/** Of what is on the other side, whatever was said while it was sent. */
export async function hashOf(session: Session, handle: Buffer, bytes: number): Promise<string> {
  const hash = createHash("sha256");
  const ahead: Promise<Buffer>[] = [];
  let asked = 0;
  const ask = () => {
    const [from, length] = [asked, Math.min(PIECE_BYTES, bytes - asked)];
    asked += length;
    const piece = read(session, handle, from, length);
    piece.catch(() => undefined); // it is awaited below, in its turn
    ahead.push(piece);
  };
  for (;;) {
    while (ahead.length < PIECES && asked < bytes) ask();
    const next = ahead.shift();
    if (next === undefined) return hash.digest("hex");
    hash.update(await next);
  }
}
