// Films as ffprobe tells them, for tests of what is decided by that.

import type { FilmFacts, FilmStream } from "../../src/connectors/index.ts";

const NOTHING = { width: null, height: null, language: null, isPicture: false };

export const video = (codec = "h264", height = 1_080, more: Partial<FilmStream> = {}): FilmStream => ({
  ...NOTHING,
  kind: "video",
  codec,
  width: Math.round((height * 16) / 9),
  height,
  ...more,
});
export const audio = (codec = "aac", language: string | null = null): FilmStream => ({
  ...NOTHING,
  kind: "audio",
  codec,
  language,
});
export const subtitle = (codec = "subrip", language: string | null = null): FilmStream => ({
  ...NOTHING,
  kind: "subtitle",
  codec,
  language,
});
export const cover: FilmStream = { ...NOTHING, kind: "video", codec: "mjpeg", isPicture: true };
export const other = (codec: string): FilmStream => ({ ...NOTHING, kind: "other", codec });

export function factsOf(streams: readonly FilmStream[], more: Partial<FilmFacts> = {}): FilmFacts {
  return { format: "matroska,webm", durationMs: 60_000, lastPacketMs: 59_960, streams, ...more };
}
