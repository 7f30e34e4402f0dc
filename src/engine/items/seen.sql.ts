// The end of an outside job was seen: the row goes back to idle, to be finished by an ordinary visit.

import type { Queryable, Statement } from "../db/database.ts";
import { byId } from "./by-id.ts";
import { watchDuty, watchEpoch } from "./watch.sql.ts";

export interface SeenEnd {
  readonly id: string;
  readonly version: number;
  /** DONE, FAILED, MISSING, STALLED. */
  readonly code: string;
  readonly message: string | null;
  /** What the finishing visit is told, as JSON. */
  readonly told: string;
}

// A watcher writes as long as it has the duty; without one ($8 null) it is a call from outside that brings the news.
const SEEN: Statement = {
  name: "seen",
  text: `
with ended as (
  update sluice.run r
  set state = 0, epoch = null, version = r.version + 1, ready_at = sluice.now(), since = sluice.now(), lane = $6,
    flags = r.flags | 1, reason = null
  from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[]) u (id, version, code, message, told)
  where r.id = u.id and r.version = u.version and r.epoch = $7
    and ($8::text is null or exists (select from sluice.duty d where d.name = $8 and d.epoch = $9))
  returning r.id, r.request_id, r.version, r.stage, r.series, u.code, u.message, u.told
)
insert into sluice.journal (at, item_id, request_id, epoch, version, kind, stage, to_stage, series, code, message, output)
select sluice.now(), id, request_id, $9, version, 19, stage, stage, series, code, message, told::jsonb from ended
returning item_id as id`,
};

export interface SeenWhere {
  readonly watchedIn: number;
  readonly finishLane: number;
  /** Who watches; null for a call from outside. */
  readonly watcher: string | null;
}

/** Which of them were ended by this. The others had moved on, were cancelled, or are somebody else's to watch. */
export async function recordEnds(db: Queryable, ends: readonly SeenEnd[], where: SeenWhere): Promise<string[]> {
  const sorted = byId(ends);
  const rows = await db.query<{ id: string }>(SEEN, [
    sorted.map((one) => one.id),
    sorted.map((one) => one.version),
    sorted.map((one) => one.code),
    sorted.map((one) => one.message),
    sorted.map((one) => one.told),
    where.finishLane,
    watchEpoch(where.watchedIn),
    where.watcher === null ? null : watchDuty(where.watchedIn),
    where.watcher,
  ]);
  return rows.map((row) => row.id);
}

const ODD: Statement = {
  name: "odd",
  text: `
insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, code, message)
select sluice.now(), r.id, r.request_id, r.version, 20, r.stage, r.stage, r.series, 'NONSENSE', u.message
from unnest($1::bigint[], $2::int[], $3::text[]) u (id, version, message)
join sluice.run r on r.id = u.id and r.version = u.version`,
};

export interface OddNote {
  readonly id: string;
  readonly version: number;
  readonly message: string;
}

/** What a service told that cannot be: it changes nothing, but it is part of the item's history. */
export async function recordOdd(db: Queryable, notes: readonly OddNote[]): Promise<void> {
  await db.query(ODD, [notes.map((one) => one.id), notes.map((one) => one.version), notes.map((one) => one.message)]);
}

const BY_KEY: Statement = {
  name: "watched-by-key",
  text: `
select r.id, r.version, r.lane, r.stage, r.ref, i.service
from sluice.intent i
join sluice.run r on r.id = i.item_id
where i.key = $1 and i.over_at is null and r.state = 2 and i.ref = r.ref`,
};

export interface WatchedByKey {
  readonly id: string;
  readonly version: number;
  readonly lane: number;
  readonly stage: number;
  readonly ref: string;
  readonly service: string;
}

/** The watched row whose outside job carries this key. */
export async function watchedByKey(db: Queryable, key: string): Promise<WatchedByKey | undefined> {
  const [row] = await db.query<WatchedByKey>(BY_KEY, [key]);
  return row;
}
