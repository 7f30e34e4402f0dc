// A torrent as it is told to others. Pure.

import type { SeenTorrent, TorrentFile, TorrentState } from "../torrents.ts";
import type { Metainfo, PlacedFile } from "./metainfo.ts";
import type { PieceSet } from "./piece-set.ts";
import type { StoredTorrent } from "./state.ts";

/** `unchecked`, `doubted`: waits to be checked, by sizes or by reading all of it. */
export type Phase =
  | "queued"
  | "metadata"
  | "unchecked"
  | "doubted"
  | "checking"
  | "downloading"
  | "seeding"
  | "done"
  | "failed"
  | "missing-files";

const STATES: { readonly [Name in Phase]: TorrentState } = {
  queued: "queued",
  metadata: "metadata",
  unchecked: "checking",
  doubted: "checking",
  checking: "checking",
  downloading: "downloading",
  seeding: "complete",
  done: "complete",
  failed: "failed",
  "missing-files": "missing-files",
};

/** Of those only so many run at a time. */
export const takesTurns = (phase: Phase): boolean =>
  phase === "queued" || phase === "metadata" || phase === "downloading";

/** Whether it has business with peers. */
export function belongsInSwarm(phase: Phase, isThere: boolean): boolean {
  if (phase === "metadata" || phase === "downloading" || phase === "seeding") return true;
  // Whoever told us what it is of shall not be left while we look whether some of it is there.
  return isThere && (phase === "unchecked" || phase === "checking");
}

/** As trackers are told. While nobody knows how much it is, 0 would say that all of it is here. */
export function leftBytesOf(meta: Metainfo | undefined, have: PieceSet | undefined): number {
  return meta === undefined ? 16_384 : wantedBytesOf(meta) - doneBytesOf(meta, have);
}

export const wantedBytesOf = ({ files }: Metainfo): number =>
  files.reduce((sum, { bytes, isPadding }) => sum + (isPadding ? 0 : bytes), 0);

export function doneBytesOf(meta: Metainfo, have: PieceSet | undefined): number {
  if (have === undefined) return 0;
  if (have.isWhole) return wantedBytesOf(meta);
  const { files, pieceBytes, pieceCount, totalBytes } = meta;
  // The last piece is shorter than the others.
  const short = have.has(pieceCount - 1) ? pieceBytes * pieceCount - totalBytes : 0;
  const padding = files.reduce((sum, file) => sum + (file.isPadding ? doneOf(file, meta, have) : 0), 0);
  return have.count * pieceBytes - short - padding;
}

export function fileViews(meta: Metainfo, have: PieceSet | undefined): readonly TorrentFile[] {
  return meta.files.flatMap((file, index) => {
    if (file.isPadding) return [];
    const doneBytes = have === undefined ? 0 : doneOf(file, meta, have);
    return [{ index, path: file.names.join("/"), bytes: file.bytes, doneBytes }];
  });
}

function doneOf({ offset, bytes }: PlacedFile, { pieceBytes }: Metainfo, have: PieceSet): number {
  if (have.isWhole) return bytes;
  const end = offset + bytes;
  let done = 0;
  for (let piece = Math.floor(offset / pieceBytes); piece * pieceBytes < end; piece += 1) {
    if (!have.has(piece)) continue;
    done += Math.min(end, (piece + 1) * pieceBytes) - Math.max(offset, piece * pieceBytes);
  }
  return done;
}

export interface Facts {
  readonly record: StoredTorrent;
  readonly phase: Phase;
  readonly meta: Metainfo | undefined;
  readonly have: PieceSet | undefined;
  readonly problem: string | null;
  readonly path: string | null;
  readonly seeds: number | null;
  readonly ratio: number;
  readonly receivedBytes: number;
  readonly seededMs: number;
}

export function seenTorrent({ record, phase, meta, have, ...facts }: Facts): SeenTorrent {
  const { infohash, tags, isOurs, folder } = record;
  const { receivedBytes, seeds, ratio, seededMs, path, problem } = facts;
  const doneBytes = meta === undefined ? 0 : doneBytesOf(meta, have);
  const wantedBytes = meta === undefined ? null : wantedBytesOf(meta);
  const counts = { doneBytes, wantedBytes, receivedBytes, seeds, ratio, seededMs: Math.round(seededMs) };
  const isPaused = record.isPaused && STATES[phase] !== "complete";
  return {
    infohash,
    name: meta?.name ?? record.name ?? infohash,
    state: isPaused ? "paused" : STATES[phase],
    clientState: isPaused ? "paused" : phase,
    tags,
    isOurs,
    ...counts,
    path,
    folder: path === null ? null : folder,
    problem,
  };
}
