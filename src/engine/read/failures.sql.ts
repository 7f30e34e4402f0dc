// The newest items that stand failed, with where and why: a bounded number, found by what ended badly last.

import type { Queryable, Statement } from "../db/database.ts";
import { COUNT_MOST } from "./figures.sql.ts";
import { LOOKED_MOST } from "./page.ts";

/** Of a message no more is needed to tell it from others. */
const MESSAGE_MOST = 500;

export interface FailureRow {
  readonly id: string;
  readonly pipeline: string;
  readonly pipeline_id: number;
  readonly stage: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly at: Date;
}

export interface NewestFailures {
  readonly rows: readonly FailureRow[];
  /** How many were looked at, those included that are left out. */
  readonly looked: number;
  /** There are older ones, or there may be. */
  readonly is_more: boolean;
}

/** Alone where none that was looked at is left. */
type FoundRow = (FailureRow | { readonly id: null }) & Omit<NewestFailures, "rows">;

const textOf = (newest: string, before = "", isMore = "false") => `
with ${before}newest as materialized (${newest}),
range as (select count(*)::int as looked, count(*) >= ${LOOKED_MOST} or ${isMore} as is_more from newest),
failed as (
  select i.id, p.name as pipeline, i.pipeline_id, p.stages[last.stage + 1] as stage, last.code,
    left(last.message, ${MESSAGE_MOST}) as message, i.finished_at as at
  from newest n
  -- "limit 1" keeps these probes.
  cross join lateral (
    select x.id, x.pipeline_id, x.finished_at from sluice.item x where x.id = n.id and x.state = 2 and x.part is null limit 1) i
  cross join lateral (select x.name, x.stages from sluice.pipeline x where x.id = i.pipeline_id limit 1) p
  left join lateral (
    select j.stage, j.code, j.message from sluice.journal j
    where j.item_id = i.id and j.ended <> 0
    order by j.version desc
    limit 1) last on true
  where $1::text is null or p.name = $1
)
select f.*, range.looked, range.is_more from range left join failed f on true
order by f.id desc`;

const FAILURES: Statement = {
  name: "newest-failures",
  // The index over what ended badly has "ended in (2, 3)" for its condition, and is not used without these very words.
  text: textOf(`
  select distinct j.item_id as id from sluice.journal j
  where j.ended = 2 and j.ended in (2, 3)
  order by 1 desc
  limit ${LOOKED_MOST}`),
};

const OWN: Statement = {
  name: "own-newest-failures",
  text: textOf(
    `
  select m.id from mine m
  where m.state = 2
  order by m.id desc
  limit ${LOOKED_MOST}`,
    `mine as materialized (
  select x.id, x.state from sluice.item x where x.owner = $2::text order by x.id desc limit ${COUNT_MOST}),
`,
    `(select count(*) from mine) >= ${COUNT_MOST}`,
  ),
};

/** Newest first. */
export async function newestFailures(
  db: Queryable,
  pipeline: string | null,
  owner: string | undefined,
): Promise<NewestFailures> {
  const found =
    owner === undefined
      ? await db.query<FoundRow>(FAILURES, [pipeline])
      : await db.query<FoundRow>(OWN, [pipeline, owner]);
  const rows = found.filter((row): row is FailureRow & FoundRow => row.id !== null);
  return { rows, looked: found[0]?.looked ?? 0, is_more: found[0]?.is_more ?? false };
}
