// What the search hands on: the torrent that was taken, those that come next, and what was refused and why.

import { z } from "zod";

/** As much of a release as is needed to take it later, and to show it. */
export const offered = z.object({
  title: z.string(),
  guid: z.string(),
  /** Which of the configured indexers had it. */
  indexer: z.string(),
  bytes: z.number().nullable(),
  infohash: z.string().nullable(),
  magnet: z.string().nullable(),
  downloadUrl: z.string().nullable(),
  seeders: z.number().nullable(),
  minimumRatio: z.number().nullable(),
  minimumSeedMs: z.number().nullable(),
});
export type Offered = z.infer<typeof offered>;

export const refused = z.object({ title: z.string(), indexer: z.string(), code: z.string(), reason: z.string() });
export type Refused = z.infer<typeof refused>;

/** The same with all that it takes to have it nevertheless. */
export type RefusedRelease = Offered & Pick<Refused, "code" | "reason">;

/** What the last search of an item came to, for people to look at and to choose from. */
export interface Listing {
  readonly taken: Offered | null;
  /** The best first. */
  readonly next: readonly Offered[];
  readonly refused: readonly RefusedRelease[];
}

/** What a person wants of an item: this one, and after it those; or another search where there is none. */
export interface Choice {
  readonly offered: Offered | null;
  readonly next: readonly Offered[];
}

/** Not to be taken again for this item. */
export const blocked = z.object({ infohash: z.string().nullable(), guid: z.string().nullable(), reason: z.string() });
export type Blocked = z.infer<typeof blocked>;

const sought = z.object({
  titles: z.array(z.string()),
  year: z.number().nullable(),
  season: z.number().optional(),
  episode: z.number().optional(),
  episodes: z.array(z.object({ episode: z.number(), airDate: z.string().nullable() })),
});

export const found = z.object({
  sought,
  taken: offered.extend({ infohash: z.string() }),
  next: z.array(offered),
  refused: z.array(refused),
  blocked: z.array(blocked),
});
export type Found = z.infer<typeof found>;

/** What a later stage sends along when it gives a release back. */
export const givenBack = z.object({ next: z.array(offered), refused: z.array(refused), blocked: z.array(blocked) });
export type GivenBack = z.infer<typeof givenBack>;

/** The same list without the one that was taken, and why. */
export function giveBack({ taken, next, refused: known, blocked: before }: Found, reason: string): GivenBack {
  const { title, indexer, infohash, guid } = taken;
  return {
    next,
    refused: [{ title, indexer, code: "BLOCKED", reason }, ...known].slice(0, REFUSED_MOST),
    blocked: [{ infohash, guid, reason }, ...before].slice(0, BLOCKED_MOST),
  };
}

export const isSame = (a: Pick<Offered, "indexer" | "guid">, b: Pick<Offered, "indexer" | "guid">): boolean =>
  a.indexer === b.indexer && a.guid === b.guid;

/** As many from the first on as have so many bytes together: magnets may be long. */
export function withinBytes<One>(all: readonly One[], most: number): One[] {
  let bytes = 0;
  const beyond = all.findIndex((one) => {
    bytes += Buffer.byteLength(JSON.stringify(one));
    return bytes > most;
  });
  return all.slice(0, beyond === -1 ? all.length : beyond);
}

/** A table of our own has room for more than a stage hands on. */
export const LISTED_MOST = 200;
/** Of what is handed on, so much for those that come next. */
export const NEXT_BYTES = 24_000;

/** What a stage hands on is 64 KB at most; so many are as many as anybody reads. */
export const OFFERED_MOST = 20;
export const REFUSED_MOST = 60;
const BLOCKED_MOST = 50;
