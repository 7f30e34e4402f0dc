// What people do to schedules, with the audit in the same statement.

import type { Queryable, Statement } from "../db/database.ts";

const PAUSE: Statement = {
  name: "pause-schedule",
  text: `
with paused as (
  update sluice.schedule s
  set is_paused = true, version = s.version + 1
  where s.name = $1 and not s.is_paused
  returning s.name
)
insert into sluice.audit (at, actor, action, detail)
select sluice.now(), $2, 'schedule.pause', jsonb_build_object('schedule', name) from paused
returning id`,
};

/** False when it is paused already, or does not exist. */
export async function pauseSchedule(db: Queryable, name: string, actor: string): Promise<boolean> {
  return (await db.query(PAUSE, [name, actor])).length === 1;
}

const RESUME: Statement = {
  name: "resume-schedule",
  text: `
with resumed as (
  -- Its version need not rise: pausing it did, and nobody makes a run of what is paused.
  update sluice.schedule s
  set is_paused = false, next_at = $3
  where s.name = $1 and s.is_paused
  returning s.name
)
insert into sluice.audit (at, actor, action, detail)
select sluice.now(), $2, 'schedule.resume', jsonb_build_object('schedule', name) from resumed
returning id`,
};

/** What passed while it was paused was not missed, so it goes on from `next`. False when it is not paused. */
export async function resumeSchedule(db: Queryable, name: string, actor: string, next: Date | null): Promise<boolean> {
  return (await db.query(RESUME, [name, actor, next])).length === 1;
}

const RUN: Statement = {
  name: "run-schedule",
  text: `
insert into sluice.audit (at, actor, action, request_id, detail)
values (sluice.now(), $2, 'schedule.run', $3, jsonb_build_object('schedule', $1::text))`,
};

export async function auditScheduleRun(
  tx: Queryable,
  name: string,
  actor: string,
  request: string | null,
): Promise<void> {
  await tx.query(RUN, [name, actor, request]);
}
