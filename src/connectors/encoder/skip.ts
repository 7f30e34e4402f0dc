// Whether there is anything to encode at all.

import { type FilmFacts, filmOf } from "./facts.ts";
import type { EncodingProfile } from "./profile.ts";
import { keptStreams } from "./streams.ts";

const CONTAINERS = { mkv: "matroska", mp4: "mp4" } as const;
const WORDS = { h264: "H.264", hevc: "HEVC", av1: "AV1" } as const;

/** A sentence where the film already is what the profile asks for; null where it has to be encoded. */
export function skipReason(profile: EncodingProfile, facts: FilmFacts): string | null {
  const film = filmOf(facts);
  if (film === undefined || film.codec !== profile.codec) return null;
  if (!facts.format.split(",").includes(CONTAINERS[profile.container])) return null;
  if (profile.maxHeight !== null && (film.height ?? Number.POSITIVE_INFINITY) > profile.maxHeight) return null;
  const kept = keptStreams(profile, facts);
  if (kept.some(({ kind, isCopied }) => kind !== "video" && !isCopied)) return null;
  // Where a language would be left out there is something to do.
  const count = (kind: string) => kept.filter((one) => one.kind === kind).length;
  const heard = facts.streams.filter(({ kind }) => kind === "audio").length;
  const read = facts.streams.filter(({ kind }) => kind === "subtitle").length;
  if (count("audio") !== heard || count("subtitle") !== read) return null;
  const height = film.height === null ? "" : ` of ${film.height} lines`;
  return `it is ${WORDS[profile.codec]} in ${profile.container}${height} already, as "${profile.name}" asks for`;
}
