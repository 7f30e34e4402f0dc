// Closing and opening valves. The clock's row is locked first, so generations commit in the order they were given.

import type { Queryable, Statement } from "../db/database.ts";

export interface ValveScope {
  readonly pipeline?: string | undefined;
  readonly version?: number | undefined;
  readonly stage?: string | undefined;
}

export interface ValveRow {
  readonly kind: string;
  readonly pipeline: string | null;
  readonly version: number | null;
  readonly stage: string | null;
  readonly closed: boolean;
  readonly changed_at: Date;
  readonly note: string | null;
  /** Closed, but some live worker has not acknowledged it yet: visits may still begin there. */
  readonly is_closing: boolean;
}

const SET: Statement = {
  name: "set-valve",
  text: `
with tick as (
  update sluice.valve_clock set generation = generation + 1 returning generation
),
changed as (
  insert into sluice.valve as v (kind, pipeline, version, stage, closed, generation, changed_at, note)
  select $1, $2, $3, $4, $5, tick.generation, sluice.now(), $6 from tick
  on conflict (kind, pipeline, version, stage, service) do update
  set closed = excluded.closed, note = excluded.note,
    generation = case when v.closed = excluded.closed then v.generation else excluded.generation end,
    changed_at = case when v.closed = excluded.closed then v.changed_at else excluded.changed_at end
  -- Said twice, it is done once, and has been so since the first time.
  where (v.closed, v.note) is distinct from (excluded.closed, excluded.note)
  returning v.kind, v.closed, v.generation
),
journal as (
  insert into sluice.journal (at, kind, code, reason, message, output)
  select sluice.now(), 30, case when closed then 'CLOSED' else 'OPENED' end, kind, $6,
    jsonb_build_object('pipeline', $2::text, 'version', $3::int, 'stage', $4::text)
  from changed
),
audit as (
  insert into sluice.audit (at, actor, action, detail)
  select sluice.now(), $7, kind || case when closed then '.close' else '.open' end,
    jsonb_build_object('pipeline', $2::text, 'version', $3::int, 'stage', $4::text, 'note', $6::text)
  from changed
)
select generation from changed`,
};

export interface ValveChange {
  readonly kind: string;
  readonly scope: ValveScope;
  readonly closed: boolean;
  readonly note: string | null;
  readonly actor: string;
}

export async function setValve(db: Queryable, change: ValveChange): Promise<void> {
  const { kind, scope, closed, note, actor } = change;
  await db.query(SET, [kind, scope.pipeline ?? null, scope.version ?? null, scope.stage ?? null, closed, note, actor]);
}

const LIST: Statement = {
  name: "list-valves",
  text: `
select v.kind, v.pipeline, v.version, v.stage, v.closed, v.changed_at, v.note,
  v.closed and exists (
    select from sluice.worker w where w.state = 0 and w.valve_generation < v.generation) as is_closing
from sluice.valve v
order by v.id
limit 1000`,
};

export async function listValves(db: Queryable): Promise<ValveRow[]> {
  return await db.query<ValveRow>(LIST, []);
}
