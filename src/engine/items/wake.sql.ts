// Ending waits. A wait and what ends it are both rows, written by whoever comes first and second; this joins them. It may
// run at any time, any number of times, by anybody: the sweeper calls it now and then, and those who just wrote one of
// the two rows call it at once so that nobody has to wait for the sweeper.

import type { Queryable, Statement } from "../db/database.ts";

export interface WokenRow {
  readonly id: string;
}

// A row that is leased meanwhile (its own time had come first) is left alone; what it waited for stays where it is. The same
// version means the same state, so the version alone is compared here. One that is in other hands is left for the next time:
// a cancel has the item and wants the wait, here it is the other way round, and neither may wait for the other.
const wakeUp = (kind: number) => `
woken as (
  update sluice.run r
  set ready_at = sluice.now(), since = sluice.now(), version = r.version + 1, flags = (r.flags | 1) & ~4, reason = null
  from met
  where r.id = met.run_id and r.version = met.version
  returning r.id, r.request_id, r.version, r.stage, r.series, met.told
),
gone as (
  delete from sluice.waiter where run_id in (select id from woken)
),
journal as (
  insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, output)
  select sluice.now(), id, request_id, version, ${kind}, stage, stage, series, told from woken
)`;

const WAKE_SIGNALLED: Statement = {
  name: "wake-signalled",
  text: `
with met as materialized (
  select w.run_id, w.key, r.version, coalesce(s.payload, 'null') as told
  from sluice.waiter w
  join sluice.signal s on s.key = w.key
  join sluice.run r on r.id = w.run_id
  where w.kind = 'signal' and ($1::text is null or w.key = $1) and r.state = 0
  order by w.run_id
  limit 500
  for update of w, s, r skip locked
),${wakeUp(14)},
used as (
  -- Kept while others still wait for it: they are more than fit into one batch, or busy right now.
  delete from sluice.signal s
  where s.key in (select met.key from met join woken on woken.id = met.run_id)
    and not exists (
      select from sluice.waiter w
      where w.kind = 'signal' and w.key = s.key and w.run_id not in (select id from woken))
)
select id from woken`,
};

/** Hands kept signals to those who wait for them; only for one key where one is given. */
export async function wakeSignalled(db: Queryable, key: string | null): Promise<WokenRow[]> {
  return await db.query<WokenRow>(WAKE_SIGNALLED, [key]);
}

const WAKE_JOINED: Statement = {
  name: "wake-joined",
  text: `
with met as materialized (
  select w.run_id, r.version, jsonb_build_object('request', w.key) as told
  from sluice.waiter w
  join sluice.request q on q.id = w.key::bigint
  join sluice.run r on r.id = w.run_id
  where w.kind = 'children' and r.state = 0
    and (q.completed + q.failed + q.cancelled = q.total or q.is_whole and q.failed + q.cancelled > 0)
  order by w.run_id
  limit 500
  for update of w, r skip locked
),${wakeUp(15)}
select id from woken`,
};

/** Wakes parents all of whose children have ended; of parts that are all or nothing, one that failed is enough. */
export async function wakeJoined(db: Queryable): Promise<WokenRow[]> {
  return await db.query<WokenRow>(WAKE_JOINED, []);
}

const WAKE_FOLLOWERS: Statement = {
  name: "wake-followers",
  text: `
with met as materialized (
  select w.run_id, r.version, jsonb_build_object('state', (array['done', 'failed', 'cancelled'])[i.state]) as told
  from sluice.waiter w
  join sluice.item i on i.id = w.key::bigint
  join sluice.run r on r.id = w.run_id
  where w.kind = 'item' and i.state <> 0 and r.state = 0
  order by w.run_id
  limit 500
  for update of w, r skip locked
),${wakeUp(14)}
select id from woken`,
};

/** Wakes items that wait for another item which has ended. */
export async function wakeFollowers(db: Queryable): Promise<WokenRow[]> {
  return await db.query<WokenRow>(WAKE_FOLLOWERS, []);
}

const answered = `
answered as (
  update sluice.question q
  set answer = met.told, answered_at = sluice.now(), answered_by = met.by
  from met
  join woken on woken.id = met.run_id
  where q.id = met.question
)
select id from woken`;

// Locked where it is changed, which is in the order of a cancel: first the item, then what it waits for.
const ANSWER: Statement = {
  name: "answer",
  text: `
with met as materialized (
  select q.id as question, q.run_id, r.version, $2::text::jsonb as told, $3::text as by
  from sluice.question q
  join sluice.run r on r.id = q.run_id
  where q.id = $1::bigint and q.answered_at is null and q.withdrawn_at is null and r.state = 0
),${wakeUp(13)},${answered}`,
};

/** Stores a person's answer, once. Empty when the question is not open, or its item was changed in between. */
export async function answerQuestion(
  db: Queryable,
  question: string,
  answer: string,
  actor: string,
): Promise<WokenRow[]> {
  return await db.query<WokenRow>(ANSWER, [question, answer, actor]);
}

const ANSWER_OVERDUE: Statement = {
  name: "answer-overdue",
  text: `
with met as materialized (
  select q.id as question, q.run_id, r.version, coalesce(q.fallback, 'null') as told, 'nobody in time' as by
  from sluice.question q
  join sluice.run r on r.id = q.run_id
  where q.answered_at is null and q.withdrawn_at is null and r.state = 0 and q.fallback_at <= sluice.now()
  order by q.run_id
  limit 500
  for update of q, r skip locked
),${wakeUp(13)},${answered}`,
};

/** Answers questions whose time is over with their own fallback. */
export async function answerOverdue(db: Queryable): Promise<WokenRow[]> {
  return await db.query<WokenRow>(ANSWER_OVERDUE, []);
}

const SEND_SIGNAL: Statement = {
  name: "send-signal",
  text: `
insert into sluice.signal (key, payload, sent_at)
values ($1, $2::text::jsonb, sluice.now())
on conflict (key) do update set payload = excluded.payload, sent_at = excluded.sent_at`,
};

/** Keeps the signal until somebody waits for it. Of several for one key the last is kept. */
export async function keepSignal(db: Queryable, key: string, payload: string): Promise<void> {
  await db.query(SEND_SIGNAL, [key, payload]);
}
