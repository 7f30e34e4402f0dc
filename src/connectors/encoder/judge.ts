// Whether a source can be encoded, and whether what came of it is what was asked for. An exit code of 0 says neither: ffmpeg is content
// with half a film, and ends one properly that it was told to stop.

import { type FilmFacts, filmOf } from "./facts.ts";
import type { KeptStream } from "./streams.ts";

/** Seconds or one in a hundred, whichever is more. */
const SOURCE_SHORT_MS = 1_000;
const OUTPUT_OFF_MS = 2_000;
const SHARE = 0.01;

export interface SourceProblem {
  readonly code: "INVALID_FORMAT" | "UNSUPPORTED_CODEC";
  readonly message: string;
}

/** Null for what can be encoded. */
export function sourceProblem(facts: FilmFacts): SourceProblem | null {
  const film = filmOf(facts);
  if (film === undefined) return { code: "INVALID_FORMAT", message: "there is no film in it" };
  if (film.codec === "unknown" || film.codec === "none")
    return { code: "UNSUPPORTED_CODEC", message: "its film is in a format that ffmpeg does not know" };
  const { durationMs, lastPacketMs } = facts;
  if (lastPacketMs === null) return { code: "INVALID_FORMAT", message: "no picture of it can be read near its end" };
  if (durationMs !== null && durationMs - lastPacketMs > Math.max(SOURCE_SHORT_MS, durationMs * SHARE))
    return {
      code: "INVALID_FORMAT",
      message: `it says it lasts ${time(durationMs)}, and ends after ${time(lastPacketMs)}`,
    };
  return null;
}

/** Null for what may have its final name, else what is wrong with it. */
export function outputProblem(output: FilmFacts, source: FilmFacts, kept: readonly KeptStream[]): string | null {
  const asked = kept.filter(({ kind }) => kind !== "font").map(({ kind, codec }) => `${kind} ${codec}`);
  const made = output.streams.filter(({ kind }) => kind !== "other").map(({ kind, codec }) => `${kind} ${codec}`);
  if (asked.join() !== made.join()) return `it has ${list(made)} where ${list(asked)} was asked for`;
  const expected = source.lastPacketMs ?? source.durationMs ?? 0;
  const off = Math.max(OUTPUT_OFF_MS, expected * SHARE);
  const { durationMs, lastPacketMs } = output;
  if (lastPacketMs === null) return "no picture of it can be read near its end";
  if (Math.abs(lastPacketMs - expected) > off)
    return `it ends after ${time(lastPacketMs)}, and its source after ${time(expected)}`;
  const longest = Math.max(source.durationMs ?? 0, expected);
  if (durationMs === null || durationMs < expected - off || durationMs > longest + off)
    return `it says it lasts ${durationMs === null ? "nothing" : time(durationMs)}, and its source ${time(longest)}`;
  return null;
}

function list(streams: readonly string[]): string {
  return streams.length === 0 ? "nothing" : streams.join(", ");
}

function time(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}
