// The other side, in memory, with its own ground truth: what it has, what it was asked, what was fetched. Behind the fake it is called
// directly, behind a little server over HTTP.

import { type Random, seededRandom } from "../../kit/index.ts";
import type { FetchedTorrent, IndexerCaps } from "./indexer.ts";
import { queryText } from "./queries.ts";

/** A release that an indexer has. */
export interface Offer {
  /** Letters, digits and -; its guid, and the end of its link. */
  readonly id: string;
  readonly title: string;
  /** What its link leads to. */
  readonly torrent: FetchedTorrent;
  /** Also told in the list, so that nothing has to be fetched. */
  readonly magnet?: string;
  readonly infohash?: string;
  readonly imdbId?: string;
  readonly tmdbId?: number;
  readonly tvdbId?: number;
  readonly season?: number;
  /** Left out for a whole season. */
  readonly episode?: number;
  readonly category?: number;
  readonly bytes?: number;
  /** Some number, where it is left out. */
  readonly seeders?: number;
  readonly leechers?: number;
  readonly grabs?: number;
  /** As in "2026-03-01T12:00:00.000Z". */
  readonly published?: string;
  readonly minimumRatio?: number;
  readonly minimumSeedMs?: number;
  readonly isFreeleech?: boolean;
}

export type ListedOffer = Offer & { readonly seeders: number; readonly leechers: number; readonly category: number };

/** A search as it travels: function and parameters. */
export interface AskedSearch {
  readonly function: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface IndexerTruth {
  /** Every search, in its order. */
  readonly searches: readonly AskedSearch[];
  /** How often each was fetched, by id. */
  readonly fetched: ReadonlyMap<string, number>;
}

export interface IndexerWorldOptions {
  readonly title?: string;
  readonly offers?: readonly Offer[];
  readonly caps?: Partial<IndexerCaps>;
  readonly seed?: number;
}

export class IndexerWorld {
  readonly caps: IndexerCaps;
  /** It answers with all it has, whatever it was asked. */
  ignoresSearches = false;
  readonly #random: Random;
  readonly #offers = new Map<string, ListedOffer>();
  readonly #searches: AskedSearch[] = [];
  readonly #fetched = new Map<string, number>();

  constructor({ title = "an indexer", offers = [], caps, seed = 1 }: IndexerWorldOptions = {}) {
    this.caps = {
      ...{ title, pageSize: 100 },
      search: { parameters: ["q"], isRaw: false },
      film: { parameters: ["q", "imdbid", "tmdbid"], isRaw: false },
      tv: { parameters: ["q", "season", "ep", "tvdbid", "imdbid"], isRaw: false },
      categories: [
        { id: 2000, name: "Movies" },
        { id: 5000, name: "TV" },
      ],
      ...caps,
    };
    this.#random = seededRandom(seed);
    for (const offer of offers) this.add(offer);
  }

  add(offer: Offer): void {
    const category = offer.season === undefined ? 2000 : 5000;
    const some = () => Math.floor(this.#random.fraction() * 200);
    this.#offers.set(offer.id, {
      category,
      ...offer,
      seeders: offer.seeders ?? some(),
      leechers: offer.leechers ?? some(),
    });
  }

  remove(id: string): void {
    this.#offers.delete(id);
  }

  /** All that fits, in the order in which it was added. */
  search(asked: AskedSearch): readonly ListedOffer[] {
    this.#searches.push(asked);
    const all = [...this.#offers.values()];
    return this.ignoresSearches ? all : all.filter((offer) => fits(offer, asked.parameters));
  }

  /** Undefined where it has no such thing. */
  fetch(id: string): FetchedTorrent | undefined {
    const offer = this.#offers.get(id);
    if (offer !== undefined) this.#fetched.set(id, (this.#fetched.get(id) ?? 0) + 1);
    return offer?.torrent;
  }

  truth(): IndexerTruth {
    return { searches: this.#searches, fetched: this.#fetched };
  }
}

function fits(
  offer: ListedOffer,
  { q, cat, season, ep, imdbid, tmdbid, tvdbid }: Readonly<Record<string, string>>,
): boolean {
  const is = (asked: string | undefined, has: number | string | undefined) =>
    asked === undefined || asked === String(has);
  const words = (text: string) => queryText(text, { isRaw: false }).toLowerCase().split(" ");
  const title = new Set(words(offer.title));
  return (
    (q === undefined || words(q).every((word) => title.has(word))) &&
    (cat === undefined ||
      cat.split(",").some((id) => Math.floor(Number(id) / 1_000) === Math.floor(offer.category / 1_000))) &&
    is(season, offer.season) &&
    is(ep, offer.episode) &&
    is(imdbid, offer.imdbId?.slice(2)) &&
    is(tmdbid, offer.tmdbId) &&
    is(tvdbid, offer.tvdbId)
  );
}
