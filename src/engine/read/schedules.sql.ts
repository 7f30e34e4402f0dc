// How schedules stand, for people.

import type { Queryable, Statement } from "../db/database.ts";

export interface ScheduleRow {
  readonly name: string;
  readonly version: string;
  readonly rule: string;
  readonly next_at: Date | null;
  readonly last_at: Date | null;
  readonly missed: string;
  readonly is_paused: boolean;
  readonly failures: number;
  readonly code: string | null;
  readonly message: string | null;
}

const LIST: Statement = {
  name: "list-schedules",
  text: `
select s.name, s.version, s.rule, s.next_at, s.last_at, s.missed, s.is_paused, s.failures, s.code, s.message
from sluice.schedule s
order by s.name
limit 1000`,
};

export async function listSchedules(db: Queryable): Promise<ScheduleRow[]> {
  return await db.query<ScheduleRow>(LIST, []);
}
