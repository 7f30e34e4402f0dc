// Lists of items, newest first. Every page costs the same however many items there are: it looks at a bounded number of them,
// in the order of an index that fits what is asked, and a page that found little says where the next one goes on.

import type { Queryable, Statement } from "../db/database.ts";
import { type Found, LOOKED_MOST, type Looked, toFound } from "./page.ts";

export interface ItemLineRow {
  readonly id: string;
  readonly request_id: string;
  readonly pipeline: string;
  readonly pipeline_version: number;
  readonly stages: readonly string[];
  readonly end_state: number;
  readonly owner: string | null;
  readonly key: string | null;
  readonly part: string | null;
  readonly priority: number;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly run_state: number | null;
  readonly run_stage: number | null;
  readonly reason: string | null;
  readonly ready_at: Date | null;
  readonly since: Date | null;
  readonly has_begun: boolean;
  readonly is_due: boolean;
  readonly attempts: number | null;
  readonly progress: number | null;
  readonly last_stage: number | null;
  readonly last_attempt: number | null;
  readonly code: string | null;
}

/** Which index leads to what is asked for. */
export type ItemSource = "request" | "key" | "owner" | "live" | "ended" | "pipeline" | "all";

export interface ItemsAsked {
  readonly source: ItemSource;
  /** Only items before this one; a page's last, or where it stopped looking. */
  readonly before: string;
  readonly limit: number;
  readonly request: string | null;
  readonly key: string | null;
  readonly owner: string | null;
  readonly pipeline: string | null;
  readonly version: number | null;
  readonly stage: string | null;
  readonly state: string | null;
  readonly reason: string | null;
}

const newest = (from: string) => `select x.id from ${from} x where x.id < $1::bigint`;
const inOrder = `order by x.id desc limit ${LOOKED_MOST}`;

const SOURCES: { readonly [Source in ItemSource]: string } = {
  request: `${newest("sluice.item")} and x.request_id = $3::bigint ${inOrder}`,
  key: `
  select x.id from sluice.request q
  cross join lateral (${newest("sluice.item")} and x.request_id = q.id ${inOrder}) x
  where q.key = $4::text ${inOrder}`,
  owner: `${newest("sluice.item")} and x.owner = $5::text ${inOrder}`,
  live: `${newest("sluice.run")} ${inOrder}`,
  // Of an item that failed, was retried and failed again, once.
  ended: `
  select distinct j.item_id as id from sluice.journal j
  where j.item_id < $1::bigint and j.ended = case $9::text when 'failed' then 2 else 3 end and j.ended in (2, 3)
  order by 1 desc limit ${LOOKED_MOST}`,
  pipeline: `
  select x.id from sluice.pipeline v
  cross join lateral (${newest("sluice.item")} and x.pipeline_id = v.id ${inOrder}) x
  where v.name = $6::text and v.version = coalesce($7::int, v.version) ${inOrder}`,
  all: `${newest("sluice.item")} ${inOrder}`,
};

/** As `itemState` says it. */
const stateOf = `case i.state when 1 then 'done' when 2 then 'failed' when 3 then 'cancelled' else case
      when r.id is null then 'waiting'
      when r.state <> 0 then 'running'
      when r.ready_at <= sluice.now() then 'queued'
      when r.reason = 'question' then 'needs-you'
      else 'waiting' end end`;

const textOf = (source: ItemSource) => `
with looked as materialized (${SOURCES[source]}),
matching as materialized (
  select i.id, i.request_id, i.pipeline_id, i.state as end_state, i.owner, i.key, i.part, i.priority, i.created_at, i.finished_at,
    r.state as run_state, r.stage as run_stage, r.reason, r.ready_at, r.since, r.begun_at is not null as has_begun,
    coalesce(r.ready_at <= sluice.now(), false) as is_due, r.attempts, r.progress
  from (select id from looked order by id desc) l
  -- "limit 1" keeps these probes: as joins they became scans of whole tables where those are small, or said to be.
  cross join lateral (select x.* from sluice.item x where x.id = l.id limit 1) i
  join sluice.pipeline p on p.id = i.pipeline_id
  left join lateral (select x.* from sluice.run x where x.id = l.id limit 1) r on true
  where ($3::bigint is null or i.request_id = $3) and ($4::text is null or i.key = $4) and ($5::text is null or i.owner = $5)
    and ($6::text is null or p.name = $6) and ($7::int is null or p.version = $7)
    and ($8::text is null or p.stages[r.stage + 1] = $8) and ($9::text is null or ${stateOf} = $9)
    and ($10::text is null or r.reason = $10 and r.state = 0 and not r.ready_at <= sluice.now())
  order by i.id desc
  limit $2
)
select m.*, p.name as pipeline, p.version as pipeline_version, p.stages, last.stage as last_stage,
  last.attempt as last_attempt, last.code, range.looked, range.low
from (select count(*)::int as looked, min(id) as low from looked) range
left join matching m on true
left join sluice.pipeline p on p.id = m.pipeline_id
left join lateral (
  select j.stage, j.attempt, j.code from sluice.journal j
  where j.item_id = m.id and j.ended <> 0
  order by j.version desc
  limit 1) last on m.end_state <> 0
order by m.id desc`;

const STATEMENTS = new Map<ItemSource, Statement>(
  (["request", "key", "owner", "live", "ended", "pipeline", "all"] as const).map((source) => [
    source,
    { name: `list-items-${source}`, text: textOf(source) },
  ]),
);

export async function findItems(db: Queryable, asked: ItemsAsked): Promise<Found<ItemLineRow>> {
  const { source, before, limit, request, key, owner, pipeline, version, stage, state, reason } = asked;
  const statement = STATEMENTS.get(source) as Statement; // one for each
  const values = [before, limit, request, key, owner, pipeline, version, stage, state, reason];
  return toFound(await db.query<Looked & (ItemLineRow | { readonly id: null })>(statement, values), limit);
}
