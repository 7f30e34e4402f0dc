// The search: every indexer is asked at once, what they found is put in order, and the best whose torrent is what it says is taken.

import { z } from "zod";
import { type Indexer, infohashOf, type Release, readTorrent, type TorrentSource } from "../../../connectors/index.ts";
import { done, Fault, type Outcome, type Visit, wait } from "../../../engine/index.ts";
import {
  type Blocked,
  type Found,
  givenBack,
  OFFERED_MOST,
  type Offered,
  offered,
  REFUSED_MOST,
  type Refused,
} from "../found.ts";
import { mapFor, ownFile, type Sought, unfit } from "../mapping.ts";
import type { MediaPorts } from "../ports.ts";
import { type FoundRelease, rank, type Wanted } from "../releases/index.ts";
import { lookUp, type Title } from "../title.ts";
import type { WantedItem } from "../wanted.ts";

type SearchVisit = Visit<WantedItem, unknown>;

const DAY_MS = 86_400_000;

/** What a person chose in place of what was ranked. */
const chosen = z.object({ choose: offered });
export const choiceSignal = (item: string): string => `media:choose:${item}`;

export async function search(visit: SearchVisit, ports: MediaPorts): Promise<Outcome<Found>> {
  const title = await visit.call(ports.services.metadata, (service) => lookUp(visit.input, service, visit.signal));
  const choice = chosen.safeParse(visit.because.signal);
  const taking = (offers: Offers) => take(visit, ports, title.sought, offers);
  if (choice.success) return await taking({ ...NOTHING, offers: [choice.data.choose] });
  const early = untilAired(title, await ports.store.now());
  if (early !== null) return wait("not_aired", { again: early, signal: choiceSignal(visit.item.id) });
  // A stage that gave a release back sends the rest of the list along.
  const back = givenBack.safeParse(visit.because.note).data;
  if (back !== undefined && back.next.length > 0) {
    const taken = await taking({ offers: back.next, refused: back.refused, blocked: back.blocked });
    if (taken.type === "done") return taken;
  }
  return await taking(await askAll(visit, ports, title.wanted, back?.blocked ?? []));
}

interface Offers {
  readonly offers: readonly Offered[];
  readonly refused: readonly Refused[];
  readonly blocked: readonly Blocked[];
  /** Of an indexer that did not answer. */
  readonly away?: Fault | undefined;
}

const NOTHING: Offers = { offers: [], refused: [], blocked: [] };

async function askAll(
  visit: SearchVisit,
  { store, services }: MediaPorts,
  wanted: Wanted,
  blocked: readonly Blocked[],
): Promise<Offers> {
  const configured = await store.indexers();
  if (configured.length === 0) return { ...NOTHING, blocked };
  const answers = await Promise.allSettled(
    configured.map(({ name }) =>
      visit.call(services.indexers(name), (indexer) => releasesOf(indexer, wanted, visit.signal)),
    ),
  );
  const all = answers.flatMap((answer, index) => {
    const { name, priority } = configured[index] ?? { name: "", priority: 0 };
    return answer.status === "fulfilled" ? answer.value.map((release) => ({ release, name, priority })) : [];
  });
  const ranking = rank({
    wanted,
    found: all.map(({ release, name, priority }) => toFound(release, name, priority)),
    profile: visit.input.profile,
    blocked: blocked.map(({ infohash, guid, reason }) => ({
      ...(infohash === null ? {} : { infohash }),
      ...(guid === null ? {} : { guid }),
      because: reason,
    })),
  });
  const byGuid = new Map(all.map((one) => [`${one.name} ${one.release.guid}`, one]));
  const offers = ranking.ranked.flatMap(({ found }) => {
    const one = byGuid.get(`${found.indexer} ${found.guid}`);
    return one === undefined ? [] : [toOffered(one.release, one.name)];
  });
  return {
    offers: offers.slice(0, OFFERED_MOST),
    refused: ranking.rejected.slice(0, REFUSED_MOST).map(({ found, rejections: [first] }) => ({
      ...{ title: found.title.slice(0, 200), indexer: found.indexer },
      ...{ code: first?.code ?? "unknown", reason: first?.reason ?? "" },
    })),
    blocked,
    away: faultAmong(answers),
  };
}

/** Only an outage: what an indexer did wrong in any other way is the same the next time. */
function faultAmong(answers: readonly PromiseSettledResult<unknown>[]): Fault | undefined {
  const faults = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
  const unknown = faults.find((fault) => !(fault instanceof Fault));
  if (unknown !== undefined) throw unknown;
  const classified = faults.filter((fault) => fault instanceof Fault);
  return classified.find(({ kind }) => kind === "unavailable") ?? classified[0];
}

async function releasesOf(indexer: Indexer, wanted: Wanted, signal: AbortSignal): Promise<readonly Release[]> {
  const [title = ""] = wanted.titles;
  const { imdb = null, tmdb = null, tvdb = null } = wanted.ids;
  const ids = { imdbId: imdb, tmdbId: tmdb, tvdbId: tvdb, title };
  if (wanted.kind === "film")
    return (await indexer.search({ kind: "film", year: wanted.year, ...ids }, { signal })).releases;
  const { season } = wanted;
  const whole = await indexer.search({ kind: "season", season, ...ids }, { signal });
  if (wanted.kind === "season") return whole.releases;
  const single = await indexer.search({ kind: "episode", season, episode: wanted.episode, ...ids }, { signal });
  // Many tell of the episode in both answers.
  const told = new Set(single.releases.map(({ guid }) => guid));
  return [...single.releases, ...whole.releases.filter(({ guid }) => !told.has(guid))];
}

/** The first of them whose torrent can be had and is what it says; the others come next. */
async function take(
  visit: SearchVisit,
  ports: MediaPorts,
  sought: Sought,
  { offers, ...told }: Offers,
): Promise<Outcome<Found>> {
  const refusedNow: Refused[] = [];
  let away = told.away;
  for (const [index, offer] of offers.entries()) {
    const got = await fetched(visit, ports, offer, sought);
    if ("source" in got) {
      const { infohash } = got;
      const { magnet = null, file = null } = got.source;
      const goals = { seed_ratio: offer.minimumRatio, seed_ms: offer.minimumSeedMs };
      await ports.store.keepTorrent({ infohash, magnet, file, ...goals });
      const refusedAll = [...refusedNow, ...told.refused].slice(0, REFUSED_MOST);
      const next = offers.slice(index + 1);
      return done({
        sought: { ...sought, titles: [...sought.titles], episodes: [...sought.episodes] },
        taken: { ...offer, infohash },
        next,
        refused: refusedAll,
        blocked: [...told.blocked],
      });
    }
    refusedNow.push({
      ...{ title: offer.title, indexer: offer.indexer },
      code: got.fault.code,
      reason: got.fault.message,
    });
    if (got.fault.kind === "unavailable") away ??= got.fault;
  }
  // Nobody has to search again to read why nothing fits.
  await visit.checkpoint.save({ refused: [...refusedNow, ...told.refused].slice(0, REFUSED_MOST) });
  if (away !== undefined) throw away;
  return wait("not_available", { again: ports.limits.searchAgain, signal: choiceSignal(visit.item.id) });
}

type Fetched = { readonly source: TorrentSource; readonly infohash: string } | { readonly fault: Fault };

async function fetched(visit: SearchVisit, { services }: MediaPorts, offer: Offered, sought: Sought): Promise<Fetched> {
  try {
    const source = await visit.call(services.indexers(offer.indexer), (indexer) =>
      indexer.fetchTorrent({ ...offer, protocol: "torrent" }, { signal: visit.signal }),
    );
    const infohash = infohashOf(source);
    const { infohash: promised } = offer;
    if (promised !== null && promised !== infohash) return { fault: mismatch(promised, infohash) };
    // What a magnet holds is seen when its metadata is there.
    if (source.file !== undefined) {
      const files = readTorrent(source.file).files.map((file, index) => ({ ...file, index }));
      const own = ownFile(sought, mapFor(sought, offer.title, files));
      if (!("file" in own)) return { fault: unfit(own) };
    }
    return { source, infohash };
  } catch (error) {
    if (error instanceof Fault) return { fault: error };
    throw error;
  }
}

const mismatch = (promised: string, infohash: string): Fault =>
  new Fault("permanent", "WRONG_TORRENT", `it was offered as ${promised} and is ${infohash}`);

/** Milliseconds until the day it is first shown is there; null when it is over, or unknown. */
function untilAired({ airs, wanted }: Title, now: Date): number | null {
  // Films are found long before and after the day of their release.
  if (airs === null || wanted.kind === "film") return null;
  const ms = Date.parse(`${airs}T00:00:00Z`) - now.getTime();
  return ms > 0 ? Math.min(ms, 30 * DAY_MS) : null;
}

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
