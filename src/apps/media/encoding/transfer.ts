// A source that is fetched and a film that is sent, piece by piece and from where it was cut off.

import { truncate } from "node:fs/promises";
import { errnoFault } from "../../../connectors/index.ts";
import { transient } from "../../../engine/index.ts";
import { append } from "./agent-files.ts";
import { readBlock, sha256Of, sizeOf } from "./board-files.ts";
import type { EncodeTask, Speaker } from "./conversation.ts";

/** Little enough for a slow line within the time of a request, and much enough for a fast one. */
export const PIECE_BYTES = 2 * 1024 * 1024;
/** So many pieces are compared at once. What is wrong costs no more than them, and a server has read them within a request. */
const STRETCH_PIECES = 128;
const PIECES_SHORT = 1_000;

export interface Transfer {
  readonly speaker: Speaker;
  readonly signal: AbortSignal;
  readonly pieceBytes: number;
  /** How much is there by now. */
  moved(bytes: number): void;
}

/** All of it is compared by its hash, stretch by stretch: what was there before, and what has come. */
export async function fetchSource(task: EncodeTask, to: string, transfer: Transfer): Promise<void> {
  const { bytes } = task.source;
  const stretch = STRETCH_PIECES * transfer.pieceBytes;
  for (let from = 0; from < bytes; from += stretch) {
    const length = Math.min(stretch, bytes - from);
    const here = Math.min(((await sizeOf(to)) ?? 0) - from, length);
    // What was fetched before may be of another file, or damaged: it is not built upon.
    if (here > 0 && here < length && !(await isSame(task, to, from, here, transfer))) await cutOff(to, from);
    await fetchStretch(task, to, from, length, transfer);
    if (await isSame(task, to, from, length, transfer)) continue;
    await cutOff(to, from);
    throw transient("BAD_TRANSFER", "what was fetched is not the source; it is fetched again");
  }
  // Of a longer one, by the same name.
  if (((await sizeOf(to)) ?? 0) > bytes) await cutOff(to, bytes);
}

async function fetchStretch(
  task: EncodeTask,
  to: string,
  from: number,
  length: number,
  { speaker, signal, pieceBytes, moved }: Transfer,
): Promise<void> {
  const end = from + length;
  let here = Math.min((await sizeOf(to)) ?? 0, end);
  for (let pieces = Math.ceil((end - here) / pieceBytes); here < end; pieces -= 1) {
    // A server that sends less than it was asked for would have us ask for ever.
    if (pieces < -PIECES_SHORT) throw transient("BAD_TRANSFER", "the source arrives in crumbs");
    const piece = await speaker.read(task, here, Math.min(pieceBytes, end - here), signal);
    if (piece.byteLength === 0)
      throw transient("BAD_TRANSFER", `the source ends after ${here} of ${task.source.bytes} bytes`);
    await onOwnDisk(() => append(to, here, piece));
    here += piece.byteLength;
    moved(here);
  }
}

async function isSame(
  task: EncodeTask,
  to: string,
  from: number,
  length: number,
  { speaker, signal }: Transfer,
): Promise<boolean> {
  return (await sha256Of(to, from, length)) === (await speaker.hash(task, from, length, signal));
}

const cutOff = (file: string, at: number): Promise<void> => onOwnDisk(() => truncate(file, at));

/** What is wrong with it is nobody's doing but this encoder's. */
async function onOwnDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw errnoFault(error, "keeping what was fetched", "encoder");
  }
}

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
