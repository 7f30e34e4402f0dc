// What an action needs to know of an item before anything is decided, in one snapshot. Its version is what the write that
// follows compares: whatever happens in between makes it another, and the facts are read again.

import type { Queryable, Statement } from "../db/database.ts";
import { keyOf } from "../items/key-taken.sql.ts";
import type { Barrier } from "./run-once.sql.ts";

export interface ItemFacts {
  readonly id: string;
  readonly request_id: string;
  /** Live, done, failed, cancelled. */
  readonly item_state: number;
  /** What a live item is compared by, and what one that has ended is. */
  readonly run_version: number | null;
  readonly end_version: number;
  readonly pipeline_id: number;
  readonly pipeline: string;
  readonly pipeline_version: number;
  readonly stages: readonly string[];
  readonly part: string | null;
  readonly owner: string | null;
  /** Two of those who asked for it, or for what spawned it: enough to know whether there are others. */
  readonly owners: readonly string[];
  readonly priority: number;
  /** Idle, leased, watched; null for one that has ended. */
  readonly run_state: number | null;
  /** The stage it is in, or ended in. */
  readonly stage: number;
  readonly series: number;
  readonly flags: number;
  /** Nothing of its stage has begun since it entered. */
  readonly is_fresh: boolean;
  /** It waits for parts or children of its own. */
  readonly awaits_own: boolean;
  readonly has_live_parts: boolean;
  /** Of what has ended: the unique key of its request, and whether another request has it now. */
  readonly unique_key: string | null;
  readonly key_taken: boolean;
  /** Of a part: the request of the item it belongs to. */
  readonly parent_request: string | null;
  /** What keeps it from a worker; read only where somebody wants it let through. */
  readonly barrier?: Barrier | undefined;
}

// Items that do not exist are missing in the answer.
const FACTS: Statement = {
  name: "action-facts",
  text: `
select i.id, i.request_id, i.state as item_state, r.version as run_version, i.run_version as end_version, i.pipeline_id,
  p.name as pipeline, p.version as pipeline_version, p.stages, i.part, i.owner, coalesce(r.priority, i.priority) as priority,
  r.state as run_state, coalesce(r.stage, last.stage, 0) as stage, coalesce(r.series, last.series, 1) as series,
  coalesce(r.flags, 0) as flags,
  coalesce(r.state = 0 and r.begun_at is null and r.attempts = 0 and r.reason is null and r.ref is null, false) as is_fresh,
  coalesce(w.kind = 'children', false) as awaits_own,
  coalesce((
    select true from sluice.request c
    where c.parent_id = i.id and c.parts_of is not null and c.completed + c.failed + c.cancelled < c.total
    limit 1), false) as has_live_parts,
  own.pipeline || ' ' || own.key as unique_key, coalesce(own.is_taken, false) as key_taken,
  case when i.part is not null then parent.request_id end as parent_request,
  array (
    select distinct o.owner from sluice.request_owner o
    where o.request_id in (i.request_id, parent.request_id)
    order by o.owner limit 2) as owners
from sluice.item i
join sluice.pipeline p on p.id = i.pipeline_id
join sluice.request q on q.id = i.request_id
left join sluice.run r on r.id = i.id
left join sluice.waiter w on w.run_id = r.id
left join sluice.item parent on parent.id = q.parent_id
left join lateral (${keyOf("q")}) own on i.state <> 0
left join lateral (
  select j.stage, j.series from sluice.journal j
  where j.item_id = i.id and j.ended <> 0
  order by j.version desc
  limit 1) last on r.id is null
where i.id = any ($1::bigint[])
order by i.id`,
};

export async function readFacts(db: Queryable, items: readonly string[]): Promise<ItemFacts[]> {
  return items.length === 0 ? [] : await db.query<ItemFacts>(FACTS, [items]);
}

export interface TargetPipeline {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly stages: readonly string[];
}

const VERSIONS: Statement = {
  name: "pipeline-versions",
  text: `select id, name, version, stages from sluice.pipeline where name = any ($1::text[]) and version = $2`,
};

/** One version of several pipelines, of those that have it. */
export async function readVersions(
  db: Queryable,
  pipelines: readonly string[],
  version: number,
): Promise<TargetPipeline[]> {
  return await db.query<TargetPipeline>(VERSIONS, [pipelines, version]);
}

const INPUTS: Statement = {
  name: "action-inputs",
  text: `select id, input from sluice.item where id = any ($1::bigint[])`,
};

/** Read apart from the facts: most actions never look at what may be a megabyte for a batch. */
export async function readInputs(db: Queryable, items: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const rows = await db.query<{ id: string; input: unknown }>(INPUTS, [items]);
  return new Map(rows.map((row) => [row.id, row.input]));
}

const LIVE_AFTER: Statement = {
  name: "live-items-after",
  text: `
select i.id from sluice.item i
where i.request_id = $1 and i.id > $2 and i.state = 0
order by i.request_id, i.id
limit $3`,
};

/** A page of a request's items that have not ended. */
export async function liveItemsAfter(db: Queryable, request: string, after: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(LIVE_AFTER, [request, after, limit]);
  return rows.map((row) => row.id);
}
