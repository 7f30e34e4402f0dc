// Telling that a check is broken, and that it is not any more: once each, however many processes find out.

import type { Queryable, Statement } from "../db/database.ts";

export interface Broken {
  readonly name: string;
  readonly place: string;
  readonly found: string;
}

const NOTE: Statement = {
  name: "note-broken",
  text: `
with news as (
  insert into sluice.broken_check (name, since, place, found)
  select u.name, sluice.now(), u.place, u.found
  from unnest($1::text[], $2::bigint[], $3::text[]) u (name, place, found)
  on conflict (name) do nothing
  returning name, found
)
insert into sluice.journal (at, kind, code, reason, message)
select sluice.now(), 60, 'BROKEN', name, found from news
returning reason as name`,
};

/** The names of those that were not known to be broken. */
export async function noteBroken(db: Queryable, broken: readonly Broken[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(NOTE, [
    broken.map((one) => one.name),
    broken.map((one) => one.place),
    broken.map((one) => one.found),
  ]);
  return rows.map((row) => row.name);
}

const MENDED: Statement = {
  name: "note-mended",
  text: `
with mended as (
  delete from sluice.broken_check where name = any ($1::text[]) returning name
)
insert into sluice.journal (at, kind, code, reason)
select sluice.now(), 60, 'MENDED', name from mended
returning reason as name`,
};

/** The names of those that were known to be broken. */
export async function noteMended(db: Queryable, fine: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(MENDED, [fine]);
  return rows.map((row) => row.name);
}
