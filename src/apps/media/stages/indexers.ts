// Asking all indexers at once. What one of them said a short while ago, to whomever, is not asked for again.

import type { Indexer, Wanted as Question, Release } from "../../../connectors/index.ts";
import { Fault, unavailable, type Visit } from "../../../engine/index.ts";
import { toMilliseconds } from "../../../kit/index.ts";
import { OFFERED_MOST, type Offered, type RefusedRelease } from "../found.ts";
import type { MediaPorts } from "../ports.ts";
import { type BlockedRelease, type FoundRelease, rank, type Wanted } from "../releases/index.ts";
import type { WantedItem } from "../wanted.ts";

/** A release, and which of the configured indexers had it. */
interface Heard {
  readonly release: Release;
  readonly name: string;
  readonly priority: number;
}

export interface Answered {
  readonly heard: readonly Heard[];
  /** Of an indexer that did not answer. */
  readonly away: Fault | undefined;
  readonly silent: readonly string[];
}

export interface Ask {
  readonly question: Question;
  /** What was said before does not count. */
  readonly isAnew: boolean;
  /** Indexers that need not be asked. */
  readonly except: readonly string[];
}

export async function askIndexers(
  visit: Visit<WantedItem, unknown>,
  { store, services, limits }: MediaPorts,
  { question, isAnew, except }: Ask,
): Promise<Answered> {
  const known = await store.indexers();
  // Nothing was searched: that is not "all answered, and nothing fits".
  if (known.length === 0) throw unavailable("NO_INDEXER", "no indexer is set up and switched on", { breaker: "none" });
  const asked = known.filter(({ name }) => !except.includes(name));
  const freshMs = toMilliseconds(limits.answersFresh, "answersFresh");
  const answers = await Promise.allSettled(
    asked.map(({ name }) => {
      const search = async (indexer: Indexer) => (await indexer.search(question, { signal: visit.signal })).releases;
      const asking = { indexer: name, question: JSON.stringify(question), isAnew, freshMs };
      return store.answers(asking, () => visit.call(services.indexers(name), search));
    }),
  );
  const heard = answers.flatMap((answer, index) => {
    const { name, priority } = asked[index] ?? { name: "", priority: 0 };
    return answer.status === "fulfilled" ? answer.value.map((release) => ({ release, name, priority })) : [];
  });
  const silent = asked.filter((_, index) => answers[index]?.status === "rejected").map(({ name }) => name);
  return { heard, away: faultAmong(answers), silent };
}

/** Only an outage: what an indexer did wrong in any other way is the same the next time. */
function faultAmong(answers: readonly PromiseSettledResult<unknown>[]): Fault | undefined {
  const faults = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
  const unknown = faults.find((fault) => !(fault instanceof Fault));
  if (unknown !== undefined) throw unknown;
  const classified = faults.filter((fault) => fault instanceof Fault);
  return classified.find(({ kind }) => kind === "unavailable") ?? classified[0];
}

/**
 * What to ask, one after the other until something fits. A season's answer holds its single episodes too, and serves all that want
 * one of them.
 */
export function questionsFor(wanted: Wanted): readonly Question[] {
  const [title = ""] = wanted.titles;
  const { imdb = null, tmdb = null, tvdb = null } = wanted.ids;
  const ids = { imdbId: imdb, tmdbId: tmdb, tvdbId: tvdb, title };
  if (wanted.kind === "film") return [{ kind: "film", year: wanted.year, ...ids }];
  const season: Question = { kind: "season", season: wanted.season, ...ids };
  if (wanted.kind === "season") return [season];
  return [season, { kind: "episode", season: wanted.season, episode: wanted.episode, ...ids }];
}

export interface Ranked {
  /** The best first. */
  readonly offers: readonly Offered[];
  readonly refused: readonly RefusedRelease[];
}

export function ranked(
  heard: readonly Heard[],
  wanted: Wanted,
  { profile }: WantedItem,
  blocked: readonly BlockedRelease[],
): Ranked {
  // Two questions may have the same answer.
  const each = [...new Map(heard.map((one) => [`${one.name} ${one.release.guid}`, one])).values()];
  const [torrents, others] = [each.filter(isTorrent), each.filter((one) => !isTorrent(one))];
  const found = torrents.map(({ release, name, priority }) => toFound(release, name, priority));
  const ranking = rank({ wanted, found, profile, blocked });
  const byGuid = new Map(torrents.map((one) => [`${one.name} ${one.release.guid}`, one]));
  const offeredBy = ({ indexer, guid }: FoundRelease) => {
    const one = byGuid.get(`${indexer} ${guid}`);
    return one === undefined ? [] : [toOffered(one.release, one.name)];
  };
  const refused = ranking.rejected.flatMap(({ found: one, rejections: [first] }) =>
    offeredBy(one).map((offer) => ({ ...offer, code: first?.code ?? "unknown", reason: first?.reason ?? "" })),
  );
  const usenet = others.map(({ release, name }) => ({ ...toOffered(release, name), ...USENET }));
  return {
    offers: ranking.ranked.flatMap((one) => offeredBy(one.found)).slice(0, OFFERED_MOST),
    refused: [...refused, ...usenet],
  };
}

const isTorrent = ({ release }: Heard): boolean => release.protocol === "torrent";

/** Nobody can choose it, either. */
export const NO_TORRENT = "usenet";
const USENET = { code: NO_TORRENT, reason: "it is on Usenet, and no torrent" };

function toFound(release: Release, indexer: string, indexerPriority: number): FoundRelease {
  const { title, guid, bytes, categories, infohash, seeders, published, imdbId, tmdbId, tvdbId } = release;
  return {
    ...{ title, guid, indexer, indexerPriority, bytes: bytes ?? 0, categories },
    ...(infohash === null ? {} : { infohash }),
    ...(seeders === null ? {} : { seeders }),
    ...(published === null ? {} : { published }),
    ...(imdbId === null ? {} : { imdb: imdbId }),
    ...(tmdbId === null ? {} : { tmdb: tmdbId }),
    ...(tvdbId === null ? {} : { tvdb: tvdbId }),
  };
}

function toOffered(release: Release, indexer: string): Offered {
  const { title, guid, bytes, infohash, magnet, downloadUrl, seeders, minimumRatio, minimumSeedMs } = release;
  return { title, guid, indexer, bytes, infohash, magnet, downloadUrl, seeders, minimumRatio, minimumSeedMs };
}
