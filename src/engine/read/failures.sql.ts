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
  /** How many were looked at, those included that are left out. */
  readonly looked: number;
}

const textOf = (newest: string) => `
with newest as materialized (${newest}),
range as (select count(*)::int as looked from newest)
select i.id, p.name as pipeline, i.pipeline_id, p.stages[last.stage + 1] as stage, last.code,
  left(last.message, ${MESSAGE_MOST}) as message, i.finished_at as at, range.looked
from range
cross join newest n
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
order by i.id desc`;

const FAILURES: Statement = {
  name: "newest-failures",
  text: textOf(`
  select distinct j.item_id as id from sluice.journal j
  where j.ended = 2 and j.ended in (2, 3)
  order by 1 desc
  limit ${LOOKED_MOST}`),
};

const OWN: Statement = {
  name: "own-newest-failures",
  text: textOf(`
  select m.id
  from (select x.id, x.state from sluice.item x where x.owner = $2::text order by x.id desc limit ${COUNT_MOST}) m
  where m.state = 2
  order by m.id desc
  limit ${LOOKED_MOST}`),
};

/** Newest first. */
export async function newestFailures(
  db: Queryable,
  pipeline: string | null,
  owner: string | undefined,
): Promise<FailureRow[]> {
  if (owner === undefined) return await db.query<FailureRow>(FAILURES, [pipeline]);
  return await db.query<FailureRow>(OWN, [pipeline, owner]);
}
