// How far retention has come, so that whoever has the duty next goes on from there.

import type { Queryable, Statement } from "../db/database.ts";
import type { Position } from "../events/cursor.ts";

export interface WeekPlace extends Position {
  readonly week: string;
}

/** Times are milliseconds of the database's clock. */
export interface Walk {
  /** The last request that was looked at. */
  readonly request: string;
  /** All were looked at; not before then again. */
  readonly restUntil: number;
  readonly week: WeekPlace | null;
  /** How far what lies outside all weeks was looked at. */
  readonly rest: Position | null;
  /** When it last ran. */
  readonly ranAt: number | null;
  /** Nothing is removed before then: the clock jumped. */
  readonly heldUntil: number;
}

const START: Walk = { request: "0", restUntil: 0, week: null, rest: null, ranAt: null, heldUntil: 0 };

const READ: Statement = {
  name: "read-walk",
  text: `
select (extract(epoch from sluice.now()) * 1000)::float8 as now_ms, s.value
from (select) one
left join sluice.setting s on s.name = 'retention-walk'`,
};

export async function readWalk(db: Queryable): Promise<{ readonly nowMs: number; readonly walk: Walk }> {
  const [row] = await db.query<{ now_ms: number; value: Partial<Walk> | null }>(READ, []);
  return { nowMs: row?.now_ms ?? 0, walk: { ...START, ...row?.value } };
}

const SAVE: Statement = {
  name: "save-walk",
  text: `
insert into sluice.setting (name, value)
values ('retention-walk', $1::text::jsonb)
on conflict (name) do update set value = excluded.value`,
};

export async function saveWalk(db: Queryable, walk: Walk): Promise<void> {
  await db.query(SAVE, [JSON.stringify(walk)]);
}
