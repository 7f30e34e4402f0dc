// Bytes to a file at the other side and back, several pieces at a time: one after the other would wait for every answer.

import { createHash } from "node:crypto";
import { transient } from "../../../engine/index.ts";
import type { Pace } from "../pace.ts";
import type { SourceFile } from "../source-file.ts";
import type { Session } from "./session.ts";
import { Window } from "./window.ts";

/** With what stands around it, two packets of the transport, which takes 32 KB in one. */
const PIECE_BYTES = 64 * 1024 - 256;
/** On its way at most, and so all that is ever sent twice: less than a megabyte. What is there may have holes no further back. */
const WINDOW_BYTES = PIECE_BYTES * 15;
/** Nothing is lost by asking for more at a time than is sent. */
const PIECES_AHEAD = 32;

export interface Writing {
  readonly handle: Buffer;
  readonly from: number;
  readonly pace: Pace;
  readonly signal: AbortSignal | undefined;
  readonly onBytes: (bytes: number) => void;
}

export async function write(session: Session, source: SourceFile, writing: Writing): Promise<void> {
  const { handle, from, pace, signal, onBytes } = writing;
  // Whoever watches for movement hears of what is there already: what follows may be a long comparison.
  if (from > 0) onBytes(from);
  const window = new Window(from, WINDOW_BYTES);
  // Read by whole windows, in turns: when one is filled again, the window has left it.
  const blocks = [0, 1].map(() => Buffer.allocUnsafeSlow(Math.min(WINDOW_BYTES, source.bytes - from)));
  for (let at = from, turn = 0; at < source.bytes; at += WINDOW_BYTES, turn += 1) {
    const block = blocks[turn % 2]?.subarray(0, source.bytes - at) ?? Buffer.alloc(0);
    await source.piece(at, block);
    for (let begin = 0; begin < block.byteLength; begin += PIECE_BYTES) {
      const piece = block.subarray(begin, begin + PIECE_BYTES);
      await pace.take(piece.byteLength, signal);
      signal?.throwIfAborted();
      await window.room(at + begin + piece.byteLength);
      const send = () =>
        session.ask("writing the part", (answered) =>
          session.sftp.write(handle, piece, 0, piece.byteLength, at + begin, answered),
        );
      window.begin(at + begin, piece.byteLength, send, onBytes);
    }
  }
  await window.end();
}

/** How much of a part is the same as here, and can be gone on from. */
export async function sameBytes(session: Session, source: SourceFile, handle: Buffer, have: number): Promise<number> {
  // The piece before the last window cannot have holes: where it differs, all of it is something else.
  const first = Math.max(0, have - WINDOW_BYTES - PIECE_BYTES);
  let same = first;
  for await (const piece of pieces(session, handle, first, have)) {
    const here = await source.peek(same, piece.byteLength);
    if (!piece.equals(here)) return same === first ? 0 : same + sameAtFirst(piece, here);
    same += piece.byteLength;
  }
  return same;
}

/** Of two pieces that differ. */
function sameAtFirst(one: Buffer, other: Buffer): number {
  let at = 0;
  while (one[at] === other[at]) at += 1;
  return at;
}

/** Of what is on the other side, whatever was said while it was sent. */
export async function hashOf(session: Session, handle: Buffer, bytes: number): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces(session, handle, 0, bytes)) hash.update(piece);
  return hash.digest("hex");
}

/** What was handed out is written over when the next is asked for. */
async function* pieces(session: Session, handle: Buffer, from: number, end: number): AsyncGenerator<Buffer> {
  const pool = new Pool();
  const ahead: { readonly buffer: Buffer; readonly piece: Promise<Buffer> }[] = [];
  let asked = from;
  const ask = () => {
    const buffer = pool.take();
    const piece = read(session, handle, asked, buffer.subarray(0, Math.min(PIECE_BYTES, end - asked)));
    asked = Math.min(end, asked + PIECE_BYTES);
    piece.catch(() => undefined); // it is awaited below, in its turn
    ahead.push({ buffer, piece });
  };
  for (let at = from; at < end; at += PIECE_BYTES) {
    while (ahead.length < PIECES_AHEAD && asked < end) ask();
    const next = ahead.shift();
    if (next === undefined) return;
    yield await next.piece;
    pool.give(next.buffer);
  }
}

async function read(session: Session, handle: Buffer, from: number, into: Buffer): Promise<Buffer> {
  for (let have = 0; have < into.byteLength; ) {
    const at = have;
    const got = await session.ask<number>("reading the part", (answered) =>
      session.sftp.read(handle, into, at, into.byteLength - at, from + at, (error, bytes) => answered(error, bytes)),
    );
    if (got === 0) throw transient("WRONG_BYTES", "the part became shorter while it was read");
    have += got;
  }
  return into;
}

/** New memory for every piece keeps the collector busier than the cipher. */
class Pool {
  readonly #free: Buffer[] = [];

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
  }

  give(buffer: Buffer): void {
    this.#free.push(buffer);
  }
}
