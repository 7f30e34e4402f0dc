// How long things are kept, as the database knows it. Stored, so that a process without a pipeline's code, or without its
// options, removes nothing by a default that the code would have overridden.

import type { Queryable, Statement } from "../db/database.ts";
import type { Keep } from "../pipeline/keep.ts";

// Written only where something changes: every start of every process comes by here.
const STORE_KEEP: Statement = {
  name: "store-keep",
  text: `
with given as (
  select $2::float8 * interval '1 millisecond' as done, $3::float8 * interval '1 millisecond' as failed,
    $4::float8 * interval '1 millisecond' as cancelled
)
update sluice.pipeline p
set keep_done = given.done, keep_failed = given.failed, keep_cancelled = given.cancelled
from given
where p.id = $1
  and (p.keep_done, p.keep_failed, p.keep_cancelled) is distinct from (given.done, given.failed, given.cancelled)`,
};

/** The policy of the process that started last holds for everybody. */
export async function storeKeep(db: Queryable, pipeline: number, keep: Keep): Promise<void> {
  await db.query(STORE_KEEP, [pipeline, keep.done, keep.failed, keep.cancelled]);
}

/** In milliseconds. */
export interface Limits {
  /** Of the journal: what happened, beyond how it ended. */
  readonly history: number;
  readonly audit: number;
  /** Signals that nobody took. */
  readonly signals: number;
}

const DAY_MS = 86_400_000;
export const LIMITS: Limits = { history: 90 * DAY_MS, audit: 730 * DAY_MS, signals: 30 * DAY_MS };

const STORE_LIMITS: Statement = {
  name: "store-limits",
  text: `
insert into sluice.setting as s (name, value)
values ('retention', $1::text::jsonb)
on conflict (name) do update set value = s.value || excluded.value`,
};

export async function storeLimits(db: Queryable, given: Partial<Limits>): Promise<void> {
  await db.query(STORE_LIMITS, [JSON.stringify(given)]);
}

const READ_LIMITS: Statement = {
  name: "read-limits",
  text: `select value from sluice.setting where name = 'retention'`,
};

export async function readLimits(db: Queryable): Promise<Limits> {
  const [row] = await db.query<{ value: Partial<Limits> }>(READ_LIMITS, []);
  return { ...LIMITS, ...row?.value };
}
