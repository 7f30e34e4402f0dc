// What indexers said a short while ago.

import type { Release } from "../../../connectors/index.ts";
import type { Queryable, Statement } from "../../../engine/index.ts";

const FIND: Statement = {
  name: "media-find-answer",
  text: "select releases from media.answer where indexer = $1 and question = $2 and fresh_until > sluice.now()",
};

export async function findAnswer(
  db: Queryable,
  indexer: string,
  question: string,
): Promise<readonly Release[] | undefined> {
  const [row] = await db.query<{ releases: readonly Release[] }>(FIND, [indexer, question]);
  return row?.releases;
}

// Whoever writes one clears some of those that nobody reads any more.
const KEEP: Statement = {
  name: "media-keep-answer",
  text: `
with old as (
  delete from media.answer where (indexer, question) in (
    select indexer, question from media.answer where fresh_until <= sluice.now() and (indexer, question) <> ($1, $2)
    order by fresh_until limit 100 for update skip locked)
)
insert into media.answer (indexer, question, releases, fresh_until)
values ($1, $2, $3::text::jsonb, sluice.now() + $4::float8 * interval '1 millisecond')
on conflict (indexer, question) do update set releases = excluded.releases, fresh_until = excluded.fresh_until`,
};

export async function keepAnswer(
  db: Queryable,
  { indexer, question }: { readonly indexer: string; readonly question: string },
  releases: readonly Release[],
  freshMs: number,
): Promise<void> {
  await db.query(KEEP, [indexer, question, JSON.stringify(releases), freshMs]);
}
