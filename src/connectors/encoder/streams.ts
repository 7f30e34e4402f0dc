// Which streams of a film are kept, and what becomes of each: the one list that arguments are made of and results are held against.

import type { FilmFacts, FilmStream } from "./facts.ts";
import type { EncodingProfile } from "./profile.ts";

export interface KeptStream {
  /** Its place in the source. */
  readonly index: number;
  readonly kind: "video" | "audio" | "subtitle" | "font";
  /** What it is afterwards, as ffprobe calls it. */
  readonly codec: string;
  readonly isCopied: boolean;
}

type Container = EncodingProfile["container"];

const MP4_AUDIO = new Set(["aac", "ac3", "eac3", "mp3", "alac", "opus"]);
const TEXT = new Set(["subrip", "ass", "ssa", "webvtt", "mov_text", "text"]);
const PICTURES = new Set(["hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle"]);
const MKV_TEXT = new Set(["subrip", "ass", "ssa", "webvtt"]);
const FONTS = new Set(["ttf", "otf"]);
const UNKNOWN = new Set(["unknown", "none"]);

interface Placed extends FilmStream {
  readonly index: number;
}

export function keptStreams(profile: EncodingProfile, { streams }: Pick<FilmFacts, "streams">): readonly KeptStream[] {
  const placed = streams.map((stream, index) => ({ ...stream, index }));
  const film = placed.find(({ kind, isPicture }) => kind === "video" && !isPicture);
  const subtitles = keptSubtitles(profile, placed);
  return [
    ...(film === undefined
      ? []
      : [{ index: film.index, kind: "video" as const, codec: profile.codec, isCopied: false }]),
    ...keptAudio(profile, placed),
    ...subtitles,
    ...(subtitles.some(({ codec }) => codec === "ass" || codec === "ssa") ? fonts(placed) : []),
  ];
}

function keptAudio({ audio, container }: EncodingProfile, placed: readonly Placed[]): readonly KeptStream[] {
  const all = placed.filter(({ kind, codec }) => kind === "audio" && !UNKNOWN.has(codec));
  const asked = all.filter(({ language }) => isAsked(audio.keep, language));
  // A film without a sound is what nobody meant by naming a language.
  const kept = asked.length > 0 ? asked : all.slice(0, 1);
  return kept.map(({ index, codec: is }) => {
    const canStay = container === "mkv" || MP4_AUDIO.has(is);
    const codec = audio.codec !== "copy" ? audio.codec : canStay ? is : "aac";
    // What is in the right format already would only lose by being made again.
    return { index, kind: "audio", codec, isCopied: codec === is };
  });
}

function keptSubtitles({ subtitles, container }: EncodingProfile, placed: readonly Placed[]): readonly KeptStream[] {
  if (subtitles === "none") return [];
  return placed
    .filter(({ kind, language }) => kind === "subtitle" && isAsked(subtitles, language))
    .flatMap(({ index, codec: is }): KeptStream[] => {
      const codec = subtitleCodec(container, is);
      return codec === undefined ? [] : [{ index, kind: "subtitle", codec, isCopied: codec === is }];
    });
}

/** Undefined for what the container cannot hold. */
function subtitleCodec(container: Container, codec: string): string | undefined {
  if (TEXT.has(codec)) {
    if (container === "mp4") return "mov_text";
    return MKV_TEXT.has(codec) ? codec : "subrip";
  }
  return container === "mkv" && PICTURES.has(codec) ? codec : undefined;
}

function fonts(placed: readonly Placed[]): readonly KeptStream[] {
  return placed
    .filter(({ kind, codec }) => kind === "other" && FONTS.has(codec))
    .map(({ index, codec }) => ({ index, kind: "font", codec, isCopied: true }));
}

/** What does not say its language may be the one. */
function isAsked(keep: "all" | readonly string[], language: string | null): boolean {
  if (keep === "all") return true;
  const is = sameForm(language);
  return is === null || keep.some((one) => sameForm(one) === is);
}

const UNTOLD = new Set(["und", "mis"]);

/** "ger", "deu" and "de" are one language; null for none. */
function sameForm(language: string | null): string | null {
  if (language === null || UNTOLD.has(language)) return null;
  try {
    return new Intl.Locale(language).language;
  } catch {
    return null;
  }
}
