// A source that is fetched and a film that is sent, piece by piece and from where it was cut off.

import { rm } from "node:fs/promises";
import { transient } from "../../../engine/index.ts";
import { append, seesSource } from "./agent-files.ts";
import { readBlock, sha256Of, sizeOf } from "./board-files.ts";
import type { EncodeTask, Speaker } from "./conversation.ts";

export const PIECE_BYTES = 4 * 1024 * 1024;

export interface Transfer {
  readonly speaker: Speaker;
  readonly signal: AbortSignal;
  readonly pieceBytes: number;
  /** How much is there by now. */
  moved(bytes: number): void;
}

export async function fetchSource(
  task: EncodeTask,
  to: string,
  { speaker, signal, pieceBytes, moved }: Transfer,
): Promise<void> {
  const { bytes } = task.source;
  let here = Math.min((await sizeOf(to)) ?? 0, bytes);
  for (let pieces = Math.ceil((bytes - here) / pieceBytes); here < bytes; pieces -= 1) {
    // A server that sends less than it was asked for would have us ask for ever.
    if (pieces < -PIECES_SHORT) throw transient("BAD_TRANSFER", "the source arrives in crumbs");
    const piece = await speaker.read(task, here, Math.min(pieceBytes, bytes - here), signal);
    if (piece.byteLength === 0) throw transient("BAD_TRANSFER", `the source ends after ${here} of ${bytes} bytes`);
    await append(to, here, piece);
    here += piece.byteLength;
    moved(here);
  }
  if (await seesSource({ ...task.source, path: to })) return;
  await rm(to, { force: true });
  throw transient("BAD_TRANSFER", "what was fetched is not the source; it is fetched again");
}

const PIECES_SHORT = 1_000;

export async function sendFilm(
  task: EncodeTask,
  from: string,
  { speaker, signal, pieceBytes, moved }: Transfer,
): Promise<void> {
  const bytes = (await sizeOf(from)) ?? 0;
  let there = await speaker.arrived(task, signal);
  for (let pieces = Math.ceil((bytes - there) / pieceBytes); pieces > 0 && there < bytes; pieces -= 1) {
    const piece = await readBlock(from, there, Math.min(pieceBytes, bytes - there));
    there = await speaker.send(task, there, piece, signal);
    moved(there);
  }
  await speaker.sent(task, { bytes, sha256: await sha256Of(from) }, signal);
}
