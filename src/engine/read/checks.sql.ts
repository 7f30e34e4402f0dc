// The engine's own invariants, each as one read-only statement that finds what breaks it. Every statement sees one snapshot,
// in which each transition is whole, so what it finds is not a matter of bad timing.
//
// None may cost more with a larger table: those over items, runs and requests look at a window of $2 rows by the primary key,
// from $1 on; all others go by an index to what is in hand, owed or overdue, or read tables that stay small. At most
// EXAMPLES_MOST rows are told.

import type { Queryable, Statement } from "../db/database.ts";

export const EXAMPLES_MOST = 5;
/** How many rows of a large table one look covers. */
export const WINDOW = 5_000;

export type WindowOf = "item" | "run" | "request";

export interface CheckStatement extends Statement {
  /** Which table's ids its window is over, and how many rows it holds. */
  readonly over?: WindowOf;
  readonly window?: number;
}

const told = `limit ${EXAMPLES_MOST}`;

export const CHECKS = {
  "item-without-run": {
    name: "check-item-without-run",
    over: "item",
    text: `
select 'item ' || i.id as what
from (select id, state from sluice.item where id >= $1 order by id limit $2) i
left join lateral (select id from sluice.run where id = i.id limit 1) r on true
where i.state = 0 and r.id is null
${told}`,
  },
  "run-without-item": {
    name: "check-run-without-item",
    over: "run",
    text: `
select 'item ' || r.id || case when i.id is null then ' is gone' else ' has ended' end as what
from (select id from sluice.run where id >= $1 order by id limit $2) r
-- "limit 1" keeps it a look-up for each: as a plain join it became a hash over every item.
left join lateral (select id, state from sluice.item where id = r.id limit 1) i on true
where i.id is null or i.state <> 0
${told}`,
  },
  "run-without-place": {
    name: "check-run-without-place",
    over: "run",
    text: `
select 'item ' || r.id as what
from (select id, lane, stage from sluice.run where id >= $1 order by id limit $2) r
left join sluice.lane l on l.id = r.lane
left join sluice.pipeline p on p.id = l.pipeline_id
where p.id is null or r.stage >= cardinality(p.stages)
${told}`,
  },
  "run-out-of-range": {
    name: "check-run-out-of-range",
    over: "run",
    text: `
select 'item ' || r.id as what
from (select * from sluice.run where id >= $1 order by id limit $2) r
where r.state not between 0 and 2 or r.priority not between 1 and 5 or r.crashes not between 0 and 3 or r.series < 1
  or r.progress not between 0 and 100 or least(r.stage, r.attempts, r.backs, r.waits, r.suspicion, r.version) < 0
${told}`,
  },
  "run-without-key": {
    name: "check-run-without-key",
    over: "run",
    text: `
select 'item ' || r.id as what
from (select id, lane, fair from sluice.run where id >= $1 order by id limit $2) r
join sluice.lane l on l.id = r.lane
where l.per_key is not null and r.fair is null
${told}`,
  },
  "wait-without-reason": {
    name: "check-wait-without-reason",
    over: "run",
    text: `
select 'item ' || r.id as what
from (select id, state, reason, ready_at from sluice.run where id >= $1 order by id limit $2) r
where r.state = 0 and r.reason is null and r.ready_at > sluice.now() + interval '1 hour'
${told}`,
  },
  "wait-without-end": {
    name: "check-wait-without-end",
    over: "run",
    text: `
select 'item ' || r.id || ': ' || coalesce(r.reason, 'no reason') as what
from (select id, state, reason, ready_at from sluice.run where id >= $1 order by id limit $2) r
where r.state = 0 and r.ready_at = 'infinity' and r.reason is not null
  and not exists (select from sluice.waiter w where w.run_id = r.id)
  and not exists (
    select from sluice.question q where q.run_id = r.id and q.answered_at is null and q.withdrawn_at is null)
${told}`,
  },
  "request-counts": {
    name: "check-request-counts",
    over: "request",
    // A request may have ten thousand items; so many requests are enough for one look.
    window: 200,
    text: `
select 'request ' || q.id as what
from (
  select id, total, completed, failed, cancelled from sluice.request
  where id >= $1 order by id limit $2) q
cross join lateral (
  select count(*) as total, count(*) filter (where i.state = 1) as completed, count(*) filter (where i.state = 2) as failed,
    count(*) filter (where i.state = 3) as cancelled
  from sluice.item i where i.request_id = q.id) found
where (q.completed, q.failed, q.cancelled) <> (found.completed, found.failed, found.cancelled) or q.total <> found.total
${told}`,
  },
  "lease-of-nobody": {
    name: "check-lease-of-nobody",
    text: `
select 'item ' || r.id as what
from sluice.lane l
join sluice.run r on r.lane = l.id and r.state <> 0 and r.epoch > 0
left join sluice.worker w on w.epoch = r.epoch
where w.epoch is null or w.ended_at < sluice.now() - interval '5 minutes'
${told}`,
  },
  "watch-of-nobody": {
    name: "check-watch-of-nobody",
    text: `
select 'lane ' || l.id || ' (' || p.name || ' ' || p.stages[l.stage + 1] || ' at ' || l.service || ')' as what
from sluice.lane l
join sluice.pipeline p on p.id = l.pipeline_id
left join sluice.duty d on d.name = 'watch:' || l.id
left join sluice.worker w on w.epoch = d.epoch
where exists (select from sluice.run r where r.lane = l.id and r.epoch = -l.id and r.state <> 0)
  and (d.name is null or w.epoch is null and d.done_at < sluice.now() - interval '5 minutes'
    or w.ended_at < sluice.now() - interval '5 minutes')
${told}`,
  },
  "worker-not-cleared": {
    name: "check-worker-not-cleared",
    text: `
select w.name || ' (' || w.host || ' ' || w.pid || ')' as what
from sluice.worker w
where w.state <> 0 and w.cleared_at is null and w.ended_at < sluice.now() - interval '10 minutes'
${told}`,
  },
  "key-of-ended": {
    name: "check-key-of-ended",
    text: `
select k.pipeline || ' ' || k.key as what
from (select pipeline, key, request_id, scope from sluice.unique_key order by request_id desc limit ${WINDOW}) k
left join sluice.request q on q.id = k.request_id
where k.scope = 'live' and (q.id is null or q.completed + q.failed + q.cancelled = q.total)
${told}`,
  },
  "question-of-ended": {
    name: "check-question-of-ended",
    text: `
select 'question ' || q.id as what
from (
  select id, run_id from sluice.question
  where answered_at is null and withdrawn_at is null order by run_id limit ${WINDOW}) q
left join sluice.run r on r.id = q.run_id
where r.id is null
${told}`,
  },
  "cleanup-not-begun": {
    name: "check-cleanup-not-begun",
    text: `
select coalesce(i.ref, i.key) || ' at ' || i.service as what
from sluice.intent i
where i.owed_at is not null and i.cleanup_id is null and i.over_at is null
  and i.owed_at < sluice.now() - interval '10 minutes'
order by i.owed_at
${told}`,
  },
  "cleanup-given-up": {
    name: "check-cleanup-given-up",
    text: `
select coalesce(i.ref, i.key) || ' at ' || i.service as what
from (select key, ref, service, cleanup_id from sluice.intent
  where cleanup_id is not null and over_at is null order by cleanup_id limit ${WINDOW}) i
left join sluice.item x on x.id = i.cleanup_id
where x.id is null or x.state <> 0
${told}`,
  },
  "weeks-ahead": {
    name: "check-weeks-ahead",
    text: `
select 'the week of ' || to_char(week, 'YYYY-MM-DD') as what
from generate_series(0, 3) ahead
cross join lateral (select date_trunc('week', sluice.now() at time zone 'UTC') + ahead * interval '7 days') w (week)
where to_regclass('sluice.journal_' || to_char(week, 'IYYY"w"IW')) is null
order by week
${told}`,
  },
  "outside-all-weeks": {
    name: "check-outside-all-weeks",
    text: `select 'an event of ' || to_char(at at time zone 'UTC', 'YYYY-MM-DD') as what from sluice.journal_rest ${told}`,
  },
  "feed-held-back": {
    name: "check-feed-held-back",
    text: `
select coalesce(nullif(a.application_name, ''), 'a session') || ' (pid ' || a.pid || ')' as what
from pg_stat_activity a
where a.backend_xid is not null and a.pid <> pg_backend_pid() and a.xact_start < sluice.now() - interval '5 minutes'
  and exists (select from sluice.journal where xid >= pg_snapshot_xmin(pg_current_snapshot()))
order by a.xact_start
${told}`,
  },
  "duty-overdue": {
    name: "check-duty-overdue",
    // Where no worker lives, nothing is done, and that is told for each item as no_worker.
    text: `
select d.name as what
from sluice.duty d
where d.name not like 'watch:%' and d.due_at < sluice.now() - interval '2 hours'
  and exists (select from sluice.worker w where w.state = 0 and w.started_at < sluice.now() - interval '2 hours')
order by d.due_at
${told}`,
  },
  "service-down-for-a-day": {
    name: "check-service-down-for-a-day",
    text: `
select s.name || coalesce(': ' || s.message, '') as what
from sluice.service s
where s.is_open and s.changed_at < sluice.now() - interval '1 day'
order by s.changed_at
${told}`,
  },
} as const satisfies Readonly<Record<string, CheckStatement>>;

export type CheckName = keyof typeof CHECKS;

export async function findBroken(db: Queryable, check: CheckStatement, from: string): Promise<string[]> {
  const rows = await db.query<{ what: string }>(check, check.over === undefined ? [] : [from, check.window ?? WINDOW]);
  return rows.map((row) => row.what);
}
