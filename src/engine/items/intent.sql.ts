// What may exist outside. The intent is written before the attempt, so nothing is ever started that nobody remembers; it is
// kept until the work is over, or owed and cleaned up.

import type { Queryable, Statement } from "../db/database.ts";
import { byId } from "./by-id.ts";
import type { Fence } from "./lease.sql.ts";

export interface NewIntent extends Fence {
  readonly key: string;
  readonly service: string;
  readonly pipeline: number;
  readonly stage: number;
  /** What it is for stays when the stage is done. */
  readonly stays: boolean;
}

export interface IntentRow {
  readonly key: string;
  readonly service: string;
  readonly pipeline_id: number;
  readonly stage: number;
  readonly ref: string | null;
  /** Milliseconds since it was written. */
  readonly age_ms: number;
  readonly over: boolean;
}

// The flag tells the settlement that there are intents to look after.
const WRITE: Statement = {
  name: "write-intents",
  text: `
with holder as (
  update sluice.run r
  set flags = r.flags | 8
  from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::int[], $6::smallint[], $8::boolean[])
    u (id, version, key, service, pipeline, stage, stays)
  where r.id = u.id and r.version = u.version and r.epoch = $7
  returning r.id, u.key, u.service, u.pipeline, u.stage, u.stays
)
insert into sluice.intent as i (key, item_id, service, pipeline_id, stage, intended_at, stays)
select key, id, service, pipeline, stage, sluice.now(), stays from holder
on conflict (key) do update set owed_at = null, over_at = null, cleanup_id = null
returning key, i.xmax::text::bigint = 0 as is_new`,
};

/** Which were written, and whether for the first time. One that is missing is no longer in the caller's hands. */
export async function writeIntents(
  db: Queryable,
  intents: readonly NewIntent[],
  epoch: string,
): Promise<ReadonlyMap<string, boolean>> {
  const sorted = byId(intents);
  const rows = await db.query<{ key: string; is_new: boolean }>(WRITE, [
    sorted.map((one) => one.id),
    sorted.map((one) => one.version),
    sorted.map((one) => one.key),
    sorted.map((one) => one.service),
    sorted.map((one) => one.pipeline),
    sorted.map((one) => one.stage),
    epoch,
    sorted.map((one) => one.stays),
  ]);
  return new Map(rows.map((row) => [row.key, row.is_new]));
}

// Never over what is known: that is what the item is watched as, if somebody else has started it meanwhile.
const LEARN: Statement = {
  name: "learn-ref",
  text: `update sluice.intent set ref = $2 where key = $1 and ref is null`,
};

/** The name of what was started, where the item was taken away before that could be settled. */
export async function learnRef(db: Queryable, key: string, ref: string): Promise<void> {
  await db.query(LEARN, [key, ref]);
}

const READ: Statement = {
  name: "read-intent",
  text: `
select key, service, pipeline_id, stage, ref, date_part('epoch', sluice.now() - intended_at) * 1000 as age_ms,
  over_at is not null as over
from sluice.intent where key = $1`,
};

export async function readIntent(db: Queryable, key: string): Promise<IntentRow | undefined> {
  const [row] = await db.query<IntentRow>(READ, [key]);
  return row;
}

export interface OwedRow {
  readonly key: string;
  readonly service: string;
}

const OWED: Statement = {
  name: "owed-intents",
  text: `
select key, service from sluice.intent
where owed_at is not null and cleanup_id is null and over_at is null
order by owed_at
limit 500
for update skip locked`,
};

/** What nobody cleans up yet, locked for the caller's transaction. */
export async function owedIntents(db: Queryable): Promise<OwedRow[]> {
  return await db.query<OwedRow>(OWED, []);
}

const OWED_SERVICES: Statement = {
  name: "owed-services",
  text: `
select distinct service from sluice.intent
where owed_at is not null and cleanup_id is null and over_at is null
limit 1000`,
};

export async function owedServices(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ service: string }>(OWED_SERVICES, []);
  return rows.map((row) => row.service);
}

const ASSIGN: Statement = {
  name: "assign-cleanup",
  text: `
update sluice.intent i set cleanup_id = u.cleanup
from unnest($1::text[], $2::bigint[]) u (key, cleanup)
where i.key = u.key`,
};

export async function assignCleanup(db: Queryable, keys: readonly string[], items: readonly string[]): Promise<void> {
  await db.query(ASSIGN, [keys, items]);
}

const END: Statement = {
  name: "end-intents",
  text: `update sluice.intent set over_at = sluice.now() where key = any ($1::text[]) and over_at is null`,
};

export async function endIntents(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.query(END, [keys]);
}

/** The stage of intent `n` is over, and what it made stayed. */
export const staysBehind = `n.stays and n.over_at is not null and n.owed_at is null`;

/** Intent `n` is of something that stays for as long as its item is there, and that nobody was told to remove. */
const stillStays = `(n.stays and n.owed_at is null and exists (select from sluice.item t where t.id = n.item_id))`;

const OWE_STAYING: Statement = {
  name: "owe-staying",
  text: `
update sluice.intent n
set owed_at = sluice.now(), over_at = null, cleanup_id = null
from sluice.item i
where i.request_id = any ($1::bigint[]) and n.item_id = i.id and ${staysBehind}`,
};

/** What stayed of these requests goes with them. */
export async function oweStaying(db: Queryable, requests: readonly string[]): Promise<void> {
  await db.query(OWE_STAYING, [requests]);
}

const FORGET: Statement = {
  name: "forget-intents",
  text: `
delete from sluice.intent
where key in (
  select key from sluice.intent n
  where over_at < sluice.now() - interval '7 days' and not ${stillStays}
  order by over_at
  limit 5000)`,
};

/** Long over: nothing outside is judged by them any more. */
export async function forgetIntents(db: Queryable): Promise<void> {
  await db.query(FORGET, []);
}

export interface Orphan {
  readonly key: string;
  readonly ref: string;
}

// Owned: its item lives, or somebody cleans it up, or it stays with its item. Any other intent that is over owns nothing that
// still goes on, and what no intent speaks of has none of these.
const UNOWNED: Statement = {
  name: "unowned-keys",
  text: `
select u.key
from unnest($1::text[]) u (key)
left join sluice.intent n on n.key = u.key
left join sluice.run r on r.id = n.item_id
where (n.over_at is not null or (n.owed_at is null and r.id is null)) and not coalesce(${stillStays}, false)`,
};

export async function unownedKeys(db: Queryable, keys: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ key: string }>(UNOWNED, [keys]);
  return rows.map((row) => row.key);
}

const OWE: Statement = {
  name: "owe-orphans",
  text: `
insert into sluice.intent (key, item_id, service, pipeline_id, stage, ref, intended_at, owed_at)
select u.key, 0, $3, $4, $5, u.ref, sluice.now(), sluice.now()
from unnest($1::text[], $2::text[]) u (key, ref)
on conflict (key) do update
set ref = excluded.ref, owed_at = excluded.owed_at, over_at = null, cleanup_id = null`,
};

export async function oweOrphans(
  db: Queryable,
  orphans: readonly Orphan[],
  at: { readonly service: string; readonly pipeline: number; readonly stage: number },
): Promise<void> {
  await db.query(OWE, [orphans.map((o) => o.key), orphans.map((o) => o.ref), at.service, at.pipeline, at.stage]);
}
