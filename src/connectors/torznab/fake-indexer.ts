// The fake client: the same three functions on a world in memory, with troubles on demand.

import { type Fault, permanent, transient, unavailable } from "../../engine/index.ts";
import { type Clock, systemClock } from "../../kit/index.ts";
import type { CallOptions } from "../kit/index.ts";
import type { Downloadable, FetchedTorrent, FoundReleases, Indexer, Release, Wanted } from "./indexer.ts";
import { IndexerWorld, type IndexerWorldOptions, type ListedOffer } from "./indexer-world.ts";
import { infohashOfMagnet } from "./magnet.ts";
import { checkWanted, looksWanted, queriesFor } from "./queries.ts";

/** What becomes of the next call of one kind. */
export type IndexerTrouble =
  /** Nobody there. */
  | "refused"
  | "timeout"
  /** Told to wait seven seconds. */
  | "rate-limited"
  /** Its limit is reached, and it does not say until when. */
  | "limit-reached"
  | "wrong-key"
  | "web-page"
  | "crash"
  | { readonly slowMs: number };

export interface FakeIndexerOptions extends IndexerWorldOptions {
  readonly service?: string;
  readonly clock?: Clock;
}

export interface FakeIndexer {
  readonly indexer: Indexer;
  /** The other side, and what it knows. */
  readonly world: IndexerWorld;
  /** The next calls of this kind, one trouble each. */
  trouble(call: keyof Indexer, ...troubles: readonly IndexerTrouble[]): void;
  /** Nobody there until it is up again. */
  down(isDown?: boolean): void;
  /** Calls that were made, by kind. */
  readonly calls: Readonly<Record<keyof Indexer, number>>;
}

export function fakeIndexer(options: FakeIndexerOptions = {}): FakeIndexer {
  const { service = "fake-indexer", clock = systemClock } = options;
  const world = new IndexerWorld(options);
  const planned = new Map<keyof Indexer, IndexerTrouble[]>();
  const calls = { caps: 0, search: 0, fetchTorrent: 0 };
  let isDown = false;

  async function answer<T>(kind: keyof Indexer, call: CallOptions | undefined, act: () => T): Promise<T> {
    calls[kind] += 1;
    call?.signal?.throwIfAborted();
    const trouble = isDown ? "refused" : planned.get(kind)?.shift();
    if (trouble === undefined) return act();
    if (typeof trouble !== "object") throw faultOf(trouble, service);
    await clock.sleep(trouble.slowMs, call?.signal);
    call?.signal?.throwIfAborted();
    return act();
  }

  return {
    indexer: {
      caps: (call) => answer("caps", call, () => world.caps),
      search: (wanted, call) => answer("search", call, () => search(world, wanted)),
      fetchTorrent: (release, call) => answer("fetchTorrent", call, () => fetch(world, release, service)),
    },
    world,
    calls,
    trouble: (call, ...troubles) => void planned.set(call, [...(planned.get(call) ?? []), ...troubles]),
    down: (value = true) => {
      isDown = value;
    },
  };
}

function search(world: IndexerWorld, wanted: Wanted): FoundReleases {
  checkWanted(wanted);
  const all = new Map<string, Release>();
  for (const { function: name, parameters } of queriesFor(wanted, world.caps)) {
    const found = world.search({ function: name, parameters: Object.fromEntries(parameters) });
    const releases = found.map((offer) => releaseOf(offer, world.caps.title));
    for (const release of releases) all.set(release.guid, release);
    if (releases.some((release) => looksWanted(release, wanted))) break;
  }
  return { releases: [...all.values()], unreadable: 0, isCut: false };
}

function fetch(world: IndexerWorld, { guid }: Downloadable, service: string): FetchedTorrent {
  const torrent = world.fetch(guid);
  if (torrent === undefined) throw permanent("RELEASE_GONE", `${service} has it no more`, { service });
  return torrent;
}

function releaseOf(offer: ListedOffer, indexer: string): Release {
  const { magnet = null, id } = offer;
  return {
    ...{ title: offer.title, guid: id, indexer, protocol: "torrent" },
    bytes: offer.bytes ?? null,
    infohash: magnet === null ? (offer.infohash ?? null) : infohashOfMagnet(magnet),
    magnet,
    downloadUrl: `https://indexer.invalid/download/${id}?apikey={apikey}`,
    infoUrl: null,
    seeders: offer.seeders,
    leechers: offer.leechers,
    grabs: offer.grabs ?? null,
    categories: [offer.category],
    imdbId: offer.imdbId ?? null,
    tmdbId: offer.tmdbId ?? null,
    tvdbId: offer.tvdbId ?? null,
    published: offer.published ?? null,
    minimumRatio: offer.minimumRatio ?? null,
    minimumSeedMs: offer.minimumSeedMs ?? null,
    isFreeleech: offer.isFreeleech ?? false,
  };
}

function faultOf(trouble: Exclude<IndexerTrouble, object>, service: string): Fault {
  switch (trouble) {
    case "refused":
      return unavailable("NOT_REACHED", `${service} refused the connection`, { service });
    case "timeout":
      return transient("TIMEOUT", `${service} did not answer`, { service });
    case "rate-limited":
      return unavailable("RATE_LIMITED", `${service} asked to slow down`, { service, retryAfter: "7s" });
    case "limit-reached":
      return unavailable("RATE_LIMITED", `${service} has reached its limit`, { service, retryAfter: "1h" });
    case "wrong-key":
      return unavailable("AUTH", `${service} refused the key`, { service });
    case "web-page":
      return transient("BAD_ANSWER", `${service} answered with a web page, not XML`, { service });
    case "crash":
      return transient("HTTP_500", `${service} answered 500`, { service });
  }
}
