// Would somebody with this profile take it? Every objection, not only the first. Pure.
import { comparable, shown } from "./names.ts";
import type { QualityProfile } from "./quality-profile.ts";
import type { ReleaseName } from "./release-name.ts";
import { wordsOf } from "./vocabulary.ts";
import { type Extent, type FoundRelease, type Rejection, reject, type Wanted } from "./wanted.ts";

const MB = 1_000_000;
/** Larger than any film, series or disk: a number that somebody made up. */
const NONSENSE_BYTES = 20_000_000 * MB;

export interface Judged {
  readonly found: FoundRelease;
  readonly name: ReleaseName;
  readonly extent: Extent;
}

export function objections(judged: Judged, wanted: Wanted, profile: QualityProfile): Rejection[] {
  return [
    kindObjection(judged),
    ...qualityObjections(judged.name, profile),
    groupObjection(judged.name, profile),
    ...wordObjections(judged.name, profile),
    languageObjection(judged.name, wanted, profile),
    sizeObjection(judged, wanted, profile),
    seederObjection(judged.found, profile),
  ].filter((objection) => objection !== null);
}

/** What no profile can ask for. */
function kindObjection({ found, name }: Judged): Rejection | null {
  if (name.isExtra) return reject("extra", "it is only about it: extras, a trailer, subtitles or music");
  if (/\bsample\b/i.test(name.tail)) return reject("sample", "it is a sample");
  if (name.source === "disc")
    return reject("disc_image", "it is the image of a disc, which is no file that can be played");
  if (/\b(passworded|password|pw[ ._]protected|encrypted)\b/i.test(name.tail)) {
    return reject("encrypted", "its name says that it needs a password");
  }
  if (/\.(rar|r\d\d|zip|7z)\s*$/i.test(found.title) || /\b(rar|rared|in[ ._]rar)\b/i.test(name.tail)) {
    return reject("rar", "it is packed, and packed releases are not unpacked here");
  }
  return null;
}

function qualityObjections(name: ReleaseName, profile: QualityProfile): (Rejection | null)[] {
  const { resolution, source, codec } = name;
  const allows = <Word>(list: readonly Word[], one: Word | null): boolean => one !== null && list.includes(one);
  const told = (what: string, one: string | null, list: readonly string[]) =>
    one === null
      ? `the name tells no ${what}; allowed: ${list.join(", ")}`
      : `${one} is not allowed; allowed: ${list.join(", ")}`;
  return [
    allows(profile.resolutions, resolution)
      ? null
      : reject("resolution_not_allowed", told("resolution", resolution, profile.resolutions)),
    source === "disc" || allows<string>(profile.sources, source)
      ? null
      : reject("source_not_allowed", told("source", source, profile.sources)),
    codec === null || profile.codecs.includes(codec)
      ? null
      : reject("codec_not_allowed", told("codec", codec, profile.codecs)),
  ];
}

function groupObjection({ group }: ReleaseName, profile: QualityProfile): Rejection | null {
  if (group === null) return null;
  const isBanned = profile.bannedGroups.some((banned) => comparable(banned) === comparable(group));
  return isBanned ? reject("banned_group", `the group ${shown(group, 40)} is banned`) : null;
}

function wordObjections(name: ReleaseName, profile: QualityProfile): Rejection[] {
  // Behind the title: "Step Up 3D" is called so.
  const said = ` ${wordsOf(name.tail).join(" ").toLowerCase()} `;
  const isSaid = (word: string) => said.includes(` ${wordsOf(word).join(" ").toLowerCase()} `);
  const forbidden = profile.forbiddenWords.filter(isSaid);
  const missing = profile.requiredWords.filter((word) => !isSaid(word));
  return [
    ...(forbidden.length === 0
      ? []
      : [reject("forbidden_word", `it says ${forbidden.join(", ")}, which is forbidden`)]),
    ...(missing.length === 0 ? [] : [reject("required_word_missing", `it does not say ${missing.join(", ")}`)]),
  ];
}

function languageObjection(name: ReleaseName, wanted: Wanted, profile: QualityProfile): Rejection | null {
  const allowsOriginal = profile.languages.includes("original");
  const original = wanted.originalLanguage;
  const allowed = [...profile.languages, ...(allowsOriginal && original !== null ? [original] : [])];
  if (name.isMulti) return null;
  if (name.languages.length === 0) {
    if (allowsOriginal || (original !== null && allowed.includes(original))) return null;
    return reject(
      "language",
      `the name tells no language, so it is the original's; allowed: ${profile.languages.join(", ")}`,
    );
  }
  if (name.languages.some((language) => allowed.includes(language))) return null;
  return reject("language", `it is in ${name.languages.join(", ")}; allowed: ${profile.languages.join(", ")}`);
}

function sizeObjection({ found, extent }: Judged, wanted: Wanted, profile: QualityProfile): Rejection | null {
  const { bytes } = found;
  if (!Number.isSafeInteger(bytes) || bytes <= 0 || bytes > NONSENSE_BYTES) {
    return reject("nonsense_size", `the indexer says that it has ${bytes} bytes`);
  }
  const size = bytes / MB;
  const minutes = wanted.runtimeMinutes;
  const count = extent.episodes;
  const least = Math.max(profile.minMb, (minutes ?? 0) * profile.minMbPerMinute) * (count ?? 1);
  if (size < least)
    return reject("too_small", `it has ${told(size)}, ${forHowMuch(extent, minutes)} needs ${told(least)} at least`);
  // Of seasons of unknown length nobody can say what is too much.
  if (count === null) return null;
  const most = Math.min(profile.maxMb, minutes === null ? profile.maxMb : minutes * profile.maxMbPerMinute) * count;
  if (size <= most) return null;
  return reject("too_large", `it has ${told(size)}, ${forHowMuch(extent, minutes)} may have ${told(most)} at most`);
}

const told = (size: number): string => (size >= 1_000 ? `${(size / 1_000).toFixed(1)} GB` : `${Math.round(size)} MB`);

function forHowMuch({ holds, episodes }: Extent, minutes: number | null): string {
  const runs = minutes === null ? "" : ` of ${minutes} minutes`;
  if (holds === "film") return `a film${runs}`;
  return episodes === null || episodes === 1 ? `an episode${runs}` : `what holds ${episodes} episodes${runs}`;
}

/** An indexer that tells none may have many. */
function seederObjection({ seeders }: FoundRelease, profile: QualityProfile): Rejection | null {
  if (seeders === undefined || seeders >= profile.minimumSeeders) return null;
  return reject("no_seeders", `${seeders} have all of it, at least ${profile.minimumSeeders} are asked for`);
}
