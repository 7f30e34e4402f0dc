// When each schedule comes next. Every change raises its version, and whoever moves it on names the version he saw: of all
// processes that find it due, one makes the run.

import type { Queryable, Statement } from "../db/database.ts";

const NOW_MS = "floor(extract(epoch from sluice.now()) * 1000)::float8";

export interface DueSchedule {
  readonly name: string;
  readonly version: string;
  readonly next_at: Date;
  readonly failures: number;
  readonly now_ms: number;
}

const DUE: Statement = {
  name: "due-schedules",
  text: `
select s.name, s.version, s.next_at, s.failures, ${NOW_MS} as now_ms
from sluice.schedule s
join unnest($1::text[], $2::text[]) mine (name, rule) on mine.name = s.name and mine.rule = s.rule
where not s.is_paused and s.next_at <= sluice.now() and (s.retry_at is null or s.retry_at <= sluice.now())
order by s.next_at, s.name`,
};

/** Those that are due by the rule this process knows; a process with other code leaves them alone. */
export async function dueSchedules(
  db: Queryable,
  mine: readonly { readonly name: string; readonly rule: string }[],
): Promise<DueSchedule[]> {
  return await db.query<DueSchedule>(DUE, [mine.map((one) => one.name), mine.map((one) => one.rule)]);
}

const MOVE_ON: Statement = {
  name: "move-schedule",
  text: `
update sluice.schedule s
set version = s.version + 1, next_at = $3, last_at = coalesce($4, s.last_at), missed = s.missed + $5::int, retry_at = null,
  failures = 0, code = null, message = null
where s.name = $1 and s.version = $2
returning s.version`,
};

export interface ScheduleMove {
  readonly next: Date | null;
  /** The planned time of the run that is made with it. */
  readonly last: Date | null;
  readonly missed: number;
}

/** False when somebody else has moved it, paused it or changed its rule since. */
export async function moveSchedule(
  tx: Queryable,
  seen: { readonly name: string; readonly version: string },
  { next, last, missed }: ScheduleMove,
): Promise<boolean> {
  return (await tx.query(MOVE_ON, [seen.name, seen.version, next, last, missed])).length === 1;
}

const FAIL: Statement = {
  name: "fail-schedule",
  text: `
update sluice.schedule s
set version = s.version + 1, retry_at = sluice.now() + $3::float8 * interval '1 millisecond', failures = s.failures + 1,
  code = $4, message = $5
where s.name = $1 and s.version = $2`,
};

export async function failSchedule(
  db: Queryable,
  seen: { readonly name: string; readonly version: string },
  fault: { readonly code: string; readonly message: string },
  againInMs: number,
): Promise<void> {
  await db.query(FAIL, [seen.name, seen.version, againInMs, fault.code, fault.message]);
}

const NOW: Statement = { name: "schedule-now", text: `select ${NOW_MS} as now_ms` };

/** By the database's clock, which is the only one that counts. */
export async function nowMs(db: Queryable): Promise<number> {
  const [row] = await db.query<{ now_ms: number }>(NOW, []);
  return row?.now_ms ?? 0;
}

const LAST: Statement = {
  name: "last-runs",
  text: `select s.name, s.last_at from sluice.schedule s where s.name = any ($1::text[])`,
};

/** The planned time of the last run, of those that had one. */
export async function lastRuns(db: Queryable, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ name: string; last_at: Date | null }>(LAST, [names]);
  return new Map(rows.flatMap(({ name, last_at }) => (last_at === null ? [] : [[name, last_at.getTime()]])));
}

const REGISTER: Statement = {
  name: "register-schedule",
  text: `
insert into sluice.schedule as s (name, rule, next_at)
values ($1, $2, $3)
on conflict (name) do update
set rule = excluded.rule, next_at = excluded.next_at, version = s.version + 1, retry_at = null, failures = 0, code = null,
  message = null
where s.rule <> excluded.rule
returning s.name`,
};

/** True when it is new here, or its rule was another. */
export async function registerSchedule(db: Queryable, name: string, rule: string, next: Date | null): Promise<boolean> {
  return (await db.query(REGISTER, [name, rule, next])).length === 1;
}
