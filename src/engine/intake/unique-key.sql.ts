// Keys that make a submission unique. The row's lock decides between two that come at once: the second waits, then sees.

import type { Queryable, Statement } from "../db/database.ts";

export interface KeyHolder {
  readonly request_id: string;
  readonly is_expired: boolean;
  /** All of what has it failed (cancelled items aside): it stands in nobody's way. */
  readonly has_failed: boolean;
}

const HOLDER = `
select k.request_id, coalesce(k.expires_at <= sluice.now(), false) as is_expired,
  coalesce(q.failed > 0 and q.failed + q.cancelled = q.total, false) as has_failed
from sluice.unique_key k
left join sluice.request q on q.id = k.request_id
where k.pipeline = $1 and k.key = $2`;

const FIND_HOLDER: Statement = { name: "key-holder", text: `${HOLDER} for update of k` };
const SEE_HOLDER: Statement = { name: "key-holder-seen", text: HOLDER };

/** Locks the key's row, where there is one. */
export async function findKeyHolder(tx: Queryable, pipeline: string, key: string): Promise<KeyHolder | undefined> {
  const [row] = await tx.query<KeyHolder>(FIND_HOLDER, [pipeline, key]);
  return row;
}

/** The same without a lock: who has it by now may be another. */
export async function seeKeyHolder(db: Queryable, pipeline: string, key: string): Promise<KeyHolder | undefined> {
  const [row] = await db.query<KeyHolder>(SEE_HOLDER, [pipeline, key]);
  return row;
}

const TAKE_KEY: Statement = {
  name: "take-key",
  text: `
insert into sluice.unique_key (pipeline, key, request_id, scope, expires_at)
values ($1, $2, $3, $4, sluice.now() + $5::float8 * interval '1 millisecond')
on conflict (pipeline, key) do nothing
returning key`,
};

/** False when somebody else was faster; nothing was written then. */
export async function takeKey(
  tx: Queryable,
  place: { readonly pipeline: string; readonly key: string },
  request: string,
  scope: { readonly name: "live" | "window" | "forever"; readonly windowMs: number | null },
): Promise<boolean> {
  const rows = await tx.query(TAKE_KEY, [place.pipeline, place.key, request, scope.name, scope.windowMs]);
  return rows.length === 1;
}

const FREE_KEY: Statement = {
  name: "free-key",
  text: `delete from sluice.unique_key where pipeline = $1 and key = $2`,
};

export async function freeKey(tx: Queryable, pipeline: string, key: string): Promise<void> {
  await tx.query(FREE_KEY, [pipeline, key]);
}

const EXPIRE: Statement = {
  name: "expire-keys",
  text: `delete from sluice.unique_key where expires_at <= sluice.now()`,
};

/** Housekeeping only: an expired key is already ignored. */
export async function expireKeys(db: Queryable): Promise<void> {
  await db.query(EXPIRE, []);
}

const JOIN_OWNER: Statement = {
  name: "join-owner",
  text: `
insert into sluice.request_owner (request_id, owner, joined_at)
values ($1, $2, sluice.now())
on conflict (request_id, owner) do nothing`,
};

export async function joinOwner(tx: Queryable, request: string, owner: string): Promise<void> {
  await tx.query(JOIN_OWNER, [request, owner]);
}

const RESCHEDULE: Statement = {
  name: "reschedule",
  text: `
with moved as (
  update sluice.run r
  set ready_at = sluice.now() + $2::float8 * interval '1 millisecond', since = sluice.now(), version = r.version + 1,
    reason = case when $2::float8 > 0 then 'scheduled' end
  where r.request_id = $1 and r.state = 0 and r.stage = 0 and r.begun_at is null and r.attempts = 0
    and (r.reason is null or r.reason = 'scheduled')
  returning r.id, r.request_id, r.version, r.series
)
insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series)
select sluice.now(), id, request_id, version, 17, 0, 0, series from moved
returning item_id as id`,
};

/** Moves the start of a request's items that have not begun; the others stay as they are. */
export async function rescheduleRequest(tx: Queryable, request: string, delayMs: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(RESCHEDULE, [request, delayMs]);
  return rows.map((row) => row.id);
}
