// Letting items through what holds their lane, by compare-and-set on the version that was read before.

import type { Queryable, Statement } from "../db/database.ts";
import { byId } from "../items/by-id.ts";
import { closedAndCovers, closedValveCovers } from "../items/valve-scope.sql.ts";
import type { RunVersion } from "./move.sql.ts";

/** What stands between a live item and a worker. */
export interface Barrier {
  readonly id: string;
  /** It waits for nothing but its turn. */
  readonly is_queued: boolean;
  /** Somebody has let it through already. */
  readonly is_manual: boolean;
  /** Behind a closed valve of any kind. */
  readonly is_held: boolean;
  /** Behind one that somebody closed for more than a stage's switch: a pause, a hold. */
  readonly is_paused: boolean;
  /** The service whose breaker holds it. */
  readonly broken: string | null;
}

const BARRIERS: Statement = {
  name: "barriers",
  text: `
select u.id, r.state = 0 and r.ready_at <= sluice.now() as is_queued, coalesce(r.is_manual, false) as is_manual,
  ${closedValveCovers} as is_held,
  exists (select from sluice.valve v where ${closedAndCovers} and v.kind not in ('switch', 'breaker')) as is_paused,
  (select v.service from sluice.valve v where ${closedAndCovers} and v.kind = 'breaker' limit 1) as broken
from unnest($1::bigint[]) u (id)
join sluice.run r on r.id = u.id
join sluice.lane l on l.id = r.lane
join sluice.pipeline p on p.id = l.pipeline_id`,
};

/** By item. Those that have ended, or do not exist, are missing. Read after the facts, so that the version covers both. */
export async function readBarriers(db: Queryable, items: readonly string[]): Promise<ReadonlyMap<string, Barrier>> {
  const rows = await db.query<Barrier>(BARRIERS, [items]);
  return new Map(rows.map((row) => [row.id, row]));
}

const LET_THROUGH: Statement = {
  name: "let-through",
  text: `
with passed as (
  update sluice.run r
  set is_manual = true, version = r.version + 1
  from unnest($1::bigint[], $2::int[]) u (id, version)
  where r.id = u.id and r.version = u.version
  returning r.id, r.request_id, r.version, r.stage, r.series
),
journal as (
  insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, message)
  select sluice.now(), id, request_id, version, 34, stage, stage, series, $3 from passed
),
audit as (
  insert into sluice.audit (at, actor, action, item_id, request_id)
  select sluice.now(), $3, 'run-once', id, request_id from passed
)
select id from passed`,
};

/** Which of them stood as they were read. */
export async function letThrough(db: Queryable, runs: readonly RunVersion[], actor: string): Promise<string[]> {
  const sorted = byId(runs);
  const rows = await db.query<{ id: string }>(LET_THROUGH, [
    sorted.map((one) => one.id),
    sorted.map((one) => one.version),
    actor,
  ]);
  return rows.map((row) => row.id);
}
