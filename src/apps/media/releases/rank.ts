// Which of what was found, and in which order it is tried; everything else with the reason why not. Pure, and the same for the same input
// in any order: equals never change places between two searches.
import { objections } from "./acceptable.ts";
import { identify } from "./identify.ts";
import { comparable, shown } from "./names.ts";
import type { QualityProfile } from "./quality-profile.ts";
import { parseReleaseName, type ReleaseName } from "./release-name.ts";
import { LONGEST_NAME } from "./title-reading.ts";
import { type Extent, type FoundRelease, type Rejection, reject, type Wanted } from "./wanted.ts";

/** What was tried, and what became of it. */
export interface BlockedRelease {
  readonly infohash?: string;
  readonly guid?: string;
  /** Follows "blocked: ". */
  readonly because: string;
}

export interface RankedRelease {
  readonly found: FoundRelease;
  readonly name: ReleaseName;
  readonly extent: Extent;
  /** The same at other indexers, or twice at one: another way to it. */
  readonly copies: readonly FoundRelease[];
}

export interface RejectedRelease {
  readonly found: FoundRelease;
  readonly name: ReleaseName;
  /** At least one. */
  readonly rejections: readonly Rejection[];
}

export interface Ranking {
  /** The best first. */
  readonly ranked: readonly RankedRelease[];
  readonly rejected: readonly RejectedRelease[];
}

export interface RankInput {
  readonly wanted: Wanted;
  readonly found: readonly FoundRelease[];
  readonly profile: QualityProfile;
  readonly blocked?: readonly BlockedRelease[];
}

type Judgement = { readonly accepted: RankedRelease } | { readonly rejected: RejectedRelease };

export function rank({ wanted, found, profile, blocked = [] }: RankInput): Ranking {
  const judgements = found.map((each) => judge(each, wanted, profile, blocked));
  const accepted = judgements.flatMap((each) => ("accepted" in each ? [each.accepted] : []));
  const keyed = accepted.map((each) => ({ each, key: sortKey(each, wanted, profile) }));
  const ordered = keyed
    .sort((a, b) => inOrder(a.key, b.key) || byName(a.each.found, b.each.found))
    .map(({ each }) => each);
  const { kept, duplicates } = collapse(ordered);
  const rejected = [...judgements.flatMap((each) => ("rejected" in each ? [each.rejected] : [])), ...duplicates];
  return { ranked: kept, rejected: rejected.sort((a, b) => byName(a.found, b.found)) };
}

function judge(
  found: FoundRelease,
  wanted: Wanted,
  profile: QualityProfile,
  blocked: readonly BlockedRelease[],
): Judgement {
  const name = parseReleaseName(found.title, wanted.kind === "film" ? "film" : "tv");
  const refuse = (...rejections: Rejection[]): Judgement => ({ rejected: { found, name, rejections } });
  if (name.title === "") return refuse(unreadable(found));
  const { extent, rejection } = identify(found, name, wanted);
  if (rejection !== undefined) return refuse(rejection);
  const block = blocked.find((each) => isBlocked(found, each));
  const all = [
    ...(block === undefined ? [] : [reject("blocked", `blocked: ${block.because}`)]),
    ...objections({ found, name, extent }, wanted, profile),
  ];
  return all.length > 0 ? refuse(...all) : { accepted: { found, name, extent, copies: [] } };
}

function unreadable({ title }: FoundRelease): Rejection {
  if (title.length > LONGEST_NAME) {
    return reject("unreadable_name", `its name has ${title.length} characters, and ${LONGEST_NAME} are read at most`);
  }
  return reject("unreadable_name", `there is no title in the name "${shown(title)}"`);
}

const sameHash = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== "" && a.toLowerCase() === b.toLowerCase();

function isBlocked(found: FoundRelease, { infohash, guid }: BlockedRelease): boolean {
  return sameHash(found.infohash, infohash) || (guid !== undefined && guid === found.guid);
}

/** Lower is better, the first that differs decides. */
function sortKey({ found, name, extent }: RankedRelease, wanted: Wanted, profile: QualityProfile): number[] {
  const place = <Word>(list: readonly Word[], word: Word | null): number => {
    const at = word === null ? -1 : list.indexOf(word);
    return at === -1 ? list.length : at;
  };
  // A number that is none would put the whole list into disorder, so none may come of these.
  return [
    place(profile.resolutions, name.resolution),
    place<string>(profile.sources, name.source),
    profile.preferPropers ? -name.revision.version : 0,
    profile.preferPropers ? -name.revision.real : 0,
    place(profile.codecs, name.codec),
    extentPlace(extent, wanted),
    Number.isFinite(found.indexerPriority) ? found.indexerPriority : Number.MAX_SAFE_INTEGER,
    // Availability, not quality: ten times as many is a difference, two more is none.
    -Math.round(Math.log10(Math.max(1, found.seeders ?? 1))),
    sizePlace(found.bytes, extent, wanted, profile),
  ];
}

/** The whole season where several of it are wanted; else the least that holds the one. */
function extentPlace({ holds }: Extent, wanted: Wanted): number {
  const several = wanted.kind === "season" || (wanted.kind === "episode" && wanted.wantedOfSeason > 1);
  const order = several
    ? (["season", "seasons", "episodes", "episode", "film"] as const)
    : (["film", "episode", "episodes", "season", "seasons"] as const);
  return order.indexOf(holds);
}

const SIZE_STEP = 200_000_000;

/** In steps, or a byte more would outweigh a name; the larger where nobody knows what it should be. */
function sizePlace(bytes: number, { episodes }: Extent, wanted: Wanted, profile: QualityProfile): number {
  const each = bytes / (episodes ?? 1);
  if (wanted.runtimeMinutes === null || episodes === null) return -Math.round(each / SIZE_STEP);
  const preferred = wanted.runtimeMinutes * profile.preferredMbPerMinute * 1_000_000;
  return Math.round(Math.abs(each - preferred) / SIZE_STEP);
}

function inOrder(a: readonly number[], b: readonly number[]): number {
  for (const [at, left] of a.entries()) {
    const difference = left - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Total: only what is the same in all of these changes places unseen. */
function byName(a: FoundRelease, b: FoundRelease): number {
  const key = (one: FoundRelease) => [one.guid, one.indexer, one.title, one.infohash ?? "", String(one.bytes)];
  const [left, right] = [key(a), key(b)];
  const at = left.findIndex((text, place) => text !== right[place]);
  if (at === -1) return 0;
  return (left[at] ?? "") < (right[at] ?? "") ? -1 : 1;
}

/** The same torrent, or the same name and size where nobody says that they are two. */
function isCopy(a: FoundRelease, b: FoundRelease): boolean {
  if (sameHash(a.infohash, b.infohash)) return true;
  const hashesDiffer = Boolean(a.infohash) && Boolean(b.infohash);
  return !hashesDiffer && a.bytes === b.bytes && comparable(a.title) === comparable(b.title);
}

function collapse(ordered: readonly RankedRelease[]): { kept: RankedRelease[]; duplicates: RejectedRelease[] } {
  const groups: { best: RankedRelease; copies: FoundRelease[] }[] = [];
  const duplicates: RejectedRelease[] = [];
  for (const release of ordered) {
    const group = groups.find(({ best }) => isCopy(best.found, release.found));
    if (group === undefined) {
      groups.push({ best: release, copies: [] });
      continue;
    }
    group.copies.push(release.found);
    const reason = `the same as one of ${shown(group.best.found.indexer, 60)}, which is tried first`;
    duplicates.push({ found: release.found, name: release.name, rejections: [reject("duplicate", reason)] });
  }
  return { kept: groups.map(({ best, copies }) => ({ ...best, copies })), duplicates };
}
