// Letting one item through what holds its lane, by compare-and-set on the version that was read before.

import type { Queryable, Statement } from "../db/database.ts";
import { closedAndCovers, closedValveCovers } from "../items/valve-scope.sql.ts";

export interface HeldRow {
  readonly version: number;
  readonly is_queued: boolean;
  readonly is_manual: boolean;
  /** Behind a closed valve of any kind. */
  readonly is_held: boolean;
  /** The service whose breaker holds it. */
  readonly broken: string | null;
}

const HELD_UP: Statement = {
  name: "held-up",
  text: `
select r.version, r.state = 0 and r.ready_at <= sluice.now() as is_queued, coalesce(r.is_manual, false) as is_manual,
  ${closedValveCovers} as is_held,
  (select v.service from sluice.valve v where ${closedAndCovers} and v.kind = 'breaker' limit 1) as broken
from sluice.run r
join sluice.lane l on l.id = r.lane
join sluice.pipeline p on p.id = l.pipeline_id
where r.id = $1`,
};

/** Undefined where it has ended, or does not exist. */
export async function findHeldUp(db: Queryable, item: string): Promise<HeldRow | undefined> {
  const [row] = await db.query<HeldRow>(HELD_UP, [item]);
  return row;
}

const LET_THROUGH: Statement = {
  name: "let-through",
  text: `
with passed as (
  update sluice.run
  set is_manual = true, version = version + 1
  where id = $1 and version = $2
  returning id, request_id, version, stage, series
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

/** False when it moved since. */
export async function letThrough(db: Queryable, item: string, version: number, actor: string): Promise<boolean> {
  return (await db.query(LET_THROUGH, [item, version, actor])).length === 1;
}
