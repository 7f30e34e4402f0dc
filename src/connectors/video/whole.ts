// Whether a file is a whole film. A head alone says nothing: a file that was cut in half has the head of the whole.

import type { VideoFacts } from "./video.ts";

/** How far the last packet may be from the end that the file claims: a second, or one in a hundred. */
const SHORT_MS = 1_000;
const SHORT_SHARE = 0.01;

/** As ffprobe says it, or says nothing: nobody could show or encode it. */
const UNKNOWN: ReadonlySet<string> = new Set(["unknown", "none"]);

/** Null for a whole film, else what is wrong with it, for people. */
export function notWhole({ streams, durationMs, lastPacketMs }: VideoFacts): string | null {
  const film = streams.find(({ kind, isPicture }) => kind === "video" && !isPicture);
  if (film === undefined) return "there is no film in it";
  if (UNKNOWN.has(film.codec)) return "its film is in a format that ffmpeg does not know";
  if (durationMs === null || durationMs <= 0) return "it does not say how long it is";
  if (lastPacketMs === null) return "no picture of it can be read near its end";
  const missing = durationMs - lastPacketMs;
  if (missing > Math.max(SHORT_MS, durationMs * SHORT_SHARE))
    return `it says it lasts ${minutes(durationMs)}, and ends after ${minutes(lastPacketMs)}`;
  return null;
}

function minutes(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}
