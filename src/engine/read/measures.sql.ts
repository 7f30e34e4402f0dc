// What workers measured, with the names that belong to its numbers. As many rows as there are stages, services and steps of length.

import type { Queryable, Statement } from "../db/database.ts";

export interface MeasureRow {
  readonly pipeline: string | null;
  readonly version: number | null;
  readonly stage: string | null;
  readonly service: string;
  readonly length: number;
  readonly times: string;
  readonly ms: number;
}

/** Far more than any installation has; one that has more is shown a part of it. */
const MOST = 20_000;

const MEASURES: Statement = {
  name: "measures",
  text: `
select p.name as pipeline, p.version, p.stages[m.stage + 1] as stage, m.service, m.length, m.times::text as times, m.ms
from sluice.measure m
left join sluice.pipeline p on p.id = m.pipeline_id
where m.kind = $1
order by m.pipeline_id, m.stage, m.service, m.length
limit ${MOST}`,
};

export async function measuresOf(db: Queryable, kind: "call" | "resume"): Promise<MeasureRow[]> {
  return await db.query<MeasureRow>(MEASURES, [kind]);
}

export interface ServiceUserRow {
  readonly service: string;
  readonly pipeline: string;
  readonly version: number;
}

const USERS: Statement = {
  name: "service-users",
  text: `
select distinct l.service, p.name as pipeline, p.version
from sluice.lane l
join sluice.pipeline p on p.id = l.pipeline_id
where l.service <> ''
order by l.service, p.name, p.version
limit ${MOST}`,
};

export async function serviceUsers(db: Queryable): Promise<ServiceUserRow[]> {
  return await db.query<ServiceUserRow>(USERS, []);
}
