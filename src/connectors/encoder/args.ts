// A profile and a film → what ffmpeg is told. Every stream is named: what ffmpeg would choose by itself depends on the film.

import { type FilmFacts, filmOf } from "./facts.ts";
import type { EncodingProfile } from "./profile.ts";
import { type KeptStream, keptStreams } from "./streams.ts";

export interface ArgsOptions {
  /** Where progress is written. A file: a pipe would break with whoever reads it. */
  readonly progress: string;
  readonly progressMs: number;
  /** ffmpeg's own choice without it. */
  readonly threads: number | null;
}

// What else ffmpeg can read names other files or addresses, which somebody could have it open for them.
export const FORMATS = "matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mpegts,mpeg,avi,asf,flv,ogg,m4v,wtv";
/** For all that is opened; the prefix keeps a name from being an option, a protocol or a pattern. */
export const CONFINED = ["-protocol_whitelist", "file", "-format_whitelist", FORMATS];
export const asFile = (path: string): string => `file:${path}`;

export const ENCODERS = { h264: "libx264", hevc: "libx265", av1: "libsvtav1", aac: "aac", opus: "libopus" } as const;
const SUBTITLE_ENCODERS: Readonly<Record<string, string>> = { subrip: "srt", mov_text: "mov_text" };
// Opus has no place for the "side" kinds of layouts that most films with surround sound have.
const OPUS_LAYOUTS = "aformat=channel_layouts=7.1|6.1|5.1|5.0|quad|3.0|stereo|mono";

export function argsFor(
  profile: EncodingProfile,
  facts: FilmFacts,
  input: string,
  output: string,
  { progress, progressMs, threads }: ArgsOptions,
): readonly string[] {
  const kept = keptStreams(profile, facts);
  const count = threads === null ? [] : ["-threads", String(threads)];
  return [
    ...["-nostdin", "-hide_banner", "-nostats", "-loglevel", "error", "-y"],
    ...["-progress", asFile(progress), "-stats_period", String(progressMs / 1_000)],
    ...CONFINED,
    ...count,
    ...["-i", asFile(input)],
    ...kept.flatMap(({ index }) => ["-map", `0:${index}`]),
    ...videoArgs(profile, facts, threads),
    ...count,
    ...ofKind(kept, "audio").flatMap((stream, place) => audioArgs(stream, place, profile.audio.kbps)),
    ...ofKind(kept, "subtitle").flatMap((stream, place) => subtitleArgs(stream, place)),
    ...(ofKind(kept, "font").length > 0 ? ["-c:t", "copy"] : []),
    // A sparse subtitle stream must neither hold back the others nor fill the queue; players want a film to begin at 0.
    ...["-max_interleave_delta", "0", "-max_muxing_queue_size", "4096", "-avoid_negative_ts", "make_zero"],
    ...(profile.container === "mp4" ? ["-movflags", "+faststart", "-f", "mp4"] : ["-f", "matroska"]),
    asFile(output),
  ];
}

function videoArgs(profile: EncodingProfile, facts: FilmFacts, threads: number | null): string[] {
  const film = filmOf(facts);
  const isDeep = profile.codec !== "h264" && /p1[0-6]/.test(film?.pixelFormat ?? "");
  const scale = scaleOf(profile.maxHeight, film?.width ?? null, film?.height ?? null);
  return [
    ...["-c:v", ENCODERS[profile.codec], "-crf", String(profile.crf), "-preset", String(profile.preset)],
    ...own(profile, threads),
    ...["-pix_fmt", isDeep ? "yuv420p10le" : "yuv420p"],
    ...(scale === null ? [] : ["-vf", scale]),
    // Without it Apple's players do not take HEVC.
    ...(profile.codec === "hevc" && profile.container === "mp4" ? ["-tag:v", "hvc1"] : []),
  ];
}

/** These two do not heed ffmpeg's number of threads, and print what they please. */
function own({ codec }: EncodingProfile, threads: number | null): string[] {
  switch (codec) {
    case "h264":
      return [];
    case "hevc":
      return ["-x265-params", threads === null ? "log-level=error" : `log-level=error:pools=${threads}`];
    case "av1":
      return threads === null ? [] : ["-svtav1-params", `lp=${threads}`];
  }
}

/** Never larger, and even in both directions, as all three codecs want it. */
export function scaleOf(maxHeight: number | null, width: number | null, height: number | null): string | null {
  if (maxHeight !== null && height !== null && height > maxHeight) return `scale=-2:${maxHeight}`;
  const isEven = width !== null && height !== null && width % 2 === 0 && height % 2 === 0;
  return isEven ? null : "scale=trunc(iw/2)*2:trunc(ih/2)*2";
}

function audioArgs({ codec, isCopied }: KeptStream, place: number, kbps: number): string[] {
  if (isCopied) return [`-c:a:${place}`, "copy"];
  const encoder = codec === "opus" ? ENCODERS.opus : ENCODERS.aac;
  const layouts = codec === "opus" ? [`-filter:a:${place}`, OPUS_LAYOUTS] : [];
  return [`-c:a:${place}`, encoder, `-b:a:${place}`, `${kbps}k`, ...layouts];
}

function subtitleArgs({ codec, isCopied }: KeptStream, place: number): string[] {
  return [`-c:s:${place}`, isCopied ? "copy" : (SUBTITLE_ENCODERS[codec] ?? codec)];
}

const ofKind = (kept: readonly KeptStream[], kind: KeptStream["kind"]) => kept.filter((one) => one.kind === kind);
