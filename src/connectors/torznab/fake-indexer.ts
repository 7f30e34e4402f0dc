// The fake client: the same three functions on a world in memory, with troubles on demand.

import { permanent, transient, unavailable } from "../../engine/index.ts";
import type { Clock } from "../../kit/index.ts";
import { type OwnFaults, type Trouble, Troubles } from "../kit/index.ts";
import type { Downloadable, FetchedTorrent, FoundReleases, Indexer, Release, Wanted } from "./indexer.ts";
import { IndexerWorld, type IndexerWorldOptions, type ListedOffer } from "./indexer-world.ts";
import { infohashOfMagnet } from "./magnet.ts";
import { checkWanted, looksWanted, queriesFor } from "./queries.ts";

/** What becomes of the next call of one kind. Who is rate-limited is told to wait seven seconds. */
export type IndexerTrouble = Exclude<Trouble, "timeout-but-done"> | Own;
type Own =
  | "rate-limited"
  /** Its limit is reached, and it does not say until when. */
  | "limit-reached"
  | "wrong-key"
  | "web-page"
  | "crash";

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
  const { service = "fake-indexer", clock } = options;
  const world = new IndexerWorld(options);
  const calls = { caps: 0, search: 0, fetchTorrent: 0 };
  const troubles = new Troubles<keyof Indexer, Own>(service, calls, clock, FAULTS);
  return {
    indexer: {
      caps: (call) => troubles.answer("caps", call?.signal, () => world.caps),
      search: (wanted, call) => troubles.answer("search", call?.signal, () => search(world, wanted)),
      fetchTorrent: (release, call) =>
        troubles.answer("fetchTorrent", call?.signal, () => fetch(world, release, service)),
    },
    world,
    calls,
    trouble: (call, ...planned) => troubles.plan(call, ...planned),
    down: (isDown = true) => {
      troubles.isDown = isDown;
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

const FAULTS: OwnFaults<Own> = {
  "rate-limited": (service) =>
    unavailable("RATE_LIMITED", `${service} asked to slow down`, { service, retryAfter: "7s" }),
  "limit-reached": (service) =>
    unavailable("RATE_LIMITED", `${service} has reached its limit`, { service, retryAfter: "1h" }),
  "wrong-key": (service) => unavailable("AUTH", `${service} refused the key`, { service }),
  "web-page": (service) => transient("BAD_ANSWER", `${service} answered with a web page, not XML`, { service }),
  crash: (service) => transient("HTTP_500", `${service} answered 500`, { service }),
};
