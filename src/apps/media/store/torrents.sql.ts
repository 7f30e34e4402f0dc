// Torrents that were chosen, and which of their files is which episode.

import type { Queryable, Statement } from "../../../engine/index.ts";

export interface TorrentRow {
  readonly infohash: string;
  readonly magnet: string | null;
  readonly file: Uint8Array | null;
  /** What the indexer asks to be given back. */
  readonly seed_ratio: number | null;
  readonly seed_ms: number | null;
}

const KEEP: Statement = {
  name: "media-keep-torrent",
  // The same infohash is the same content, whoever offered it. A file says more than a magnet; who asks for most gets it.
  text: `
insert into media.torrent as t (infohash, magnet, file, seed_ratio, seed_ms, found_at)
values ($1, $2, $3, $4, $5, sluice.now())
on conflict (infohash) do update
set file = coalesce(t.file, excluded.file), magnet = case when t.file is null and excluded.file is null then t.magnet end,
  seed_ratio = greatest(t.seed_ratio, excluded.seed_ratio), seed_ms = greatest(t.seed_ms, excluded.seed_ms)
where t.file is null and excluded.file is not null
  or excluded.seed_ratio > coalesce(t.seed_ratio, 0) or excluded.seed_ms > coalesce(t.seed_ms, 0)`,
};

export async function keepTorrent(db: Queryable, row: TorrentRow): Promise<void> {
  const { infohash, magnet, file, seed_ratio, seed_ms } = row;
  await db.query(KEEP, [infohash, magnet, file === null ? null : Buffer.from(file), seed_ratio, seed_ms]);
}

const FIND: Statement = {
  name: "media-find-torrent",
  text: "select infohash, magnet, file, seed_ratio, seed_ms::float8 as seed_ms from media.torrent where infohash = $1",
};

export async function findTorrent(db: Queryable, infohash: string): Promise<TorrentRow | undefined> {
  const [row] = await db.query<TorrentRow>(FIND, [infohash]);
  return row;
}

export interface PackFile {
  readonly season: number;
  readonly episode: number;
  readonly path: string;
  readonly bytes: number;
}

const MAP: Statement = {
  name: "media-map-pack",
  text: `
insert into media.pack_file (infohash, season, episode, path, bytes)
select $1, u.season, u.episode, u.path, u.bytes
from unnest($2::int[], $3::int[], $4::text[], $5::bigint[]) u (season, episode, path, bytes)
on conflict do nothing`,
};

/** All of them in one statement: no episode of a pack is linked while another is not. */
export async function mapPack(db: Queryable, infohash: string, files: readonly PackFile[]): Promise<void> {
  const column = <K extends keyof PackFile>(name: K) => files.map((file) => file[name]);
  await db.query(MAP, [infohash, column("season"), column("episode"), column("path"), column("bytes")]);
}

const MAPPED: Statement = {
  name: "media-mapped-file",
  text: `
select season, episode, path, bytes::float8 as bytes
from media.pack_file where infohash = $1 and season = $2 and episode = $3`,
};

export async function mappedFile(
  db: Queryable,
  infohash: string,
  { season, episode }: { readonly season: number; readonly episode: number },
): Promise<PackFile | undefined> {
  const [row] = await db.query<PackFile>(MAPPED, [infohash, season, episode]);
  return row;
}

const SAME_FILE: Statement = {
  name: "media-episodes-of-file",
  text: `
select other.episode
from media.pack_file own
join media.pack_file other on other.infohash = own.infohash and other.season = own.season and other.path = own.path
where own.infohash = $1 and own.season = $2 and own.episode = $3
order by other.episode`,
};

/** This episode, and those that are in the same file. */
export async function episodesOfFile(
  db: Queryable,
  infohash: string,
  { season, episode }: { readonly season: number; readonly episode: number },
): Promise<number[]> {
  const rows = await db.query<{ episode: number }>(SAME_FILE, [infohash, season, episode]);
  return rows.map((row) => row.episode);
}
