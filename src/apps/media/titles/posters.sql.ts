// Pictures that were shown before.

import type { Image } from "../../../connectors/index.ts";
import type { Queryable, Statement } from "../../../engine/index.ts";

const FIND: Statement = {
  name: "media-find-poster",
  text: "select type, bytes from media.poster where file = $1",
};

export async function findPoster(db: Queryable, file: string): Promise<Image | undefined> {
  const [row] = await db.query<Image>(FIND, [file]);
  return row;
}

const KEEP: Statement = {
  name: "media-keep-poster",
  text: `
insert into media.poster (file, type, bytes, kept_at) values ($1, $2, $3, sluice.now())
on conflict (file) do nothing`,
};

const CLEAR: Statement = {
  name: "media-clear-posters",
  text: `
delete from media.poster where file in (
  select file from media.poster order by kept_at desc, file offset $1)`,
};

/** Those that have been kept longest go when there are more than so many. */
export async function keepPoster(db: Queryable, file: string, { type, bytes }: Image, most: number): Promise<void> {
  await db.query(KEEP, [file, type, Buffer.from(bytes)]);
  await db.query(CLEAR, [most]);
}
