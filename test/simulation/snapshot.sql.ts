// Everything the invariants speak of, in one statement.

import type { Statement } from "../../src/engine/db/database.ts";

export interface Snapshot {
  readonly runs: readonly [
    id: string,
    request: string,
    epoch: string | null,
    version: number,
    lane: number,
    stage: number,
    state: number,
    attempts: number,
    series: number,
    flags: number,
    reason: string | null,
    isForever: boolean,
    ref: string | null,
    waits: number,
    isManual: boolean,
    fair: string | null,
  ][];
  readonly items: readonly [
    id: string,
    request: string,
    state: number,
    pipeline: number,
    runVersion: number,
    part: string | null,
  ][];
  readonly requests: readonly [
    id: string,
    parent: string | null,
    key: string | null,
    total: number,
    completed: number,
    failed: number,
    cancelled: number,
  ][];
  readonly workers: readonly [epoch: string, state: number, pipelines: readonly number[]][];
  readonly journal: readonly JournalEntry[];
  readonly valves: readonly [
    pipeline: string | null,
    stage: string | null,
    generation: number,
    version: number | null,
    kind: string,
    service: string | null,
  ][];
  readonly waiters: readonly [run: string, kind: string, key: string][];
  readonly questions: readonly [id: string, run: string][];
  readonly keys: readonly [key: string, request: string, scope: string][];
  readonly services: readonly [
    name: string,
    isOpen: boolean,
    probeEpoch: string | null,
    probeUntil: string | null,
    capacity: number | null,
    limit: number | null,
    limitMs: number | null,
    grants: readonly (readonly [at: number, count: number])[],
  ][];
  readonly intents: readonly [
    key: string,
    item: string,
    service: string,
    ref: string | null,
    isOwed: boolean,
    isOver: boolean,
    cleanup: string | null,
  ][];
  /** Who watches which lane. */
  readonly watches: readonly [duty: string, epoch: string | null][];
}

export const NOTHING_YET: Snapshot = {
  runs: [],
  items: [],
  requests: [],
  workers: [],
  journal: [],
  valves: [],
  waiters: [],
  questions: [],
  keys: [],
  services: [],
  intents: [],
  watches: [],
};

export type JournalEntry = readonly [
  seq: string,
  item: string | null,
  epoch: string | null,
  version: number,
  kind: number,
  stage: number | null,
  toStage: number | null,
  ended: number,
  attempt: number | null,
  series: number | null,
  code: string | null,
  reason: string | null,
];

export const list = (columns: string, from: string) =>
  `(select coalesce(json_agg(json_build_array(${columns})), '[]') from ${from})`;

export const SNAPSHOT: Statement = {
  name: "snapshot",
  text: `
select
  ${list("id::text, request_id::text, epoch::text, version, lane, stage, state, attempts, series, flags, reason, ready_at = 'infinity', ref, waits, is_manual is true, fair::text", "sluice.run")} as runs,
  ${list("id::text, request_id::text, state, pipeline_id, run_version, part", "sluice.item")} as items,
  ${list("id::text, parent_id::text, key, total, completed, failed, cancelled", "sluice.request")} as requests,
  ${list("epoch::text, state, pipelines", "sluice.worker")} as workers,
  ${list("seq::text, item_id::text, epoch::text, version, kind, stage, to_stage, ended, attempt, series, code, reason", "(select * from sluice.journal where seq > $1::bigint order by seq) j")} as journal,
  ${list("pipeline, stage, generation, version, kind, service", "sluice.valve where closed")} as valves,
  ${list("run_id::text, kind, key", "sluice.waiter")} as waiters,
  ${list("id::text, run_id::text", "sluice.question where answered_at is null and withdrawn_at is null")} as questions,
  ${list("key, request_id::text, scope", "sluice.unique_key")} as keys,
  ${list("name, is_open, probe_epoch::text, probe_until::text, capacity, limit_count, limit_ms, grants", "sluice.service")} as services,
  ${list("key, item_id::text, service, ref, owed_at is not null, over_at is not null, cleanup_id::text", "sluice.intent")} as intents,
  ${list("name, epoch::text", "sluice.duty where name like 'watch:%'")} as watches`,
};

export const LANES: Statement = {
  name: "all-lanes",
  text: `
select l.id, l.pipeline_id, p.name as pipeline, p.version, l.stage, p.stages[l.stage + 1] as stage_name, l.cap, cardinality(p.stages) as stages,
  l.service, l.takes_capacity, l.per_key
from sluice.lane l
join sluice.pipeline p on p.id = l.pipeline_id
order by l.id`,
};

export interface LaneRow {
  readonly id: number;
  readonly pipeline_id: number;
  readonly pipeline: string;
  readonly version: number;
  readonly stage: number;
  readonly stage_name: string;
  readonly cap: number | null;
  readonly stages: number;
  readonly service: string;
  readonly takes_capacity: boolean;
  readonly per_key: number | null;
}

export const NEXT_DUE: Statement = {
  name: "next-due",
  text: `
select (extract(epoch from min(due.at) - sluice.now()) * 1000)::float8 as in_ms
from (
  select case when s.is_open then greatest(r.ready_at, s.probe_at) else r.ready_at end as at
  from sluice.run r
  join sluice.lane l on l.id = r.lane
  left join sluice.service s on s.name = l.service
  where r.state = 0 and r.ready_at < 'infinity'
  union all
  select deadline_at from sluice.run where deadline_at is not null
  union all
  select fallback_at from sluice.question where answered_at is null and withdrawn_at is null
  union all
  select s.probe_at from sluice.service s join sluice.lane l on l.service = s.name join sluice.run r on r.lane = l.id
  where s.is_open and r.state <> 0
  union all
  select busy_until from sluice.service where busy_until > sluice.now()) due`,
};

/** How many rows each item has by who wrote them, and the largest value of each kind. */
export const SIZES: Statement = {
  name: "sizes",
  text: `
select
  ${list(
    "item_id::text, settled, woken, refused",
    `(
    select item_id, count(*) filter (where kind between 1 and 8 and epoch is not null or kind in (10, 16)) as settled,
      count(*) filter (where kind between 13 and 15) as woken, count(*) filter (where kind = 9) as refused
    from sluice.journal
    where item_id is not null
    group by item_id) c`,
  )} as rows,
  (select coalesce(max(octet_length(output::text)), 0) from sluice.journal) as output,
  (select coalesce(max(octet_length(message)), 0) from sluice.journal) as message,
  (select coalesce(max(octet_length(input::text)), 0) from sluice.item) as input,
  (select coalesce(max(octet_length(value::text)), 0) from sluice.checkpoint) as checkpoint,
  (select count(*)::int from sluice.checkpoint) as checkpoints`,
};

export interface Sizes {
  readonly rows: readonly [item: string, settled: number, woken: number, refused: number][];
  readonly output: number;
  readonly message: number;
  readonly input: number;
  readonly checkpoint: number;
  readonly checkpoints: number;
}

/** The journal's partitions beyond those every run begins with would make a run depend on the one before. */
export const RESET = `
-- Whatever there is: a table that is left as it was makes the next run another one. (Those without a page were never
-- written to. A sequence that is set keeps its file, and one that is restarted gets a new one.)
do $$ begin
  execute (
    select coalesce('truncate ' || string_agg(format('%I.%I', n.nspname, c.relname), ', ') || ' cascade', 'select')
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ((n.nspname = 'sluice' and c.relkind = 'r' and c.relname not in ('migration', 'migration_lock', 'valve_clock'))
      or (n.nspname, c.relname) = ('sim', 'placed')) and pg_relation_size(c.oid) > 0);
  perform setval(c.oid, 1, false) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'sluice' and c.relkind = 'S';
end $$;
update sluice.valve_clock set generation = 0;
do $$ declare part text; begin
  for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'sluice.journal'::regclass and c.relname not in ('journal_rest', 'journal_kept') loop
    execute format('drop table sluice.%I', part);
  end loop;
end $$`;

/**
 * A table of the application's own, written by a stage's commit(). Every row of it stands for one "done", and goes with its
 * item.
 */
export const PREPARE = `
create schema if not exists sim;
create table if not exists sim.placed (item bigint not null references sluice.item on delete cascade, times int not null);
create index if not exists placed_item on sim.placed (item);
create or replace function sluice.now() returns timestamptz language sql stable
as 'select to_timestamp(current_setting(''sluice.now'')::float8)'`;

export const PLACE: Statement = {
  name: "place",
  text: `insert into sim.placed (item, times) select item, 1 from unnest($1::bigint[]) u (item)`,
};

/** Whether weeks of the journal were dropped, up to a floor that readers of the feed are told of. */
export const WEEKS_WENT: Statement = {
  name: "sim-weeks-went",
  text: `select exists (select from sluice.setting where name = 'feed' and value ->> 'floorSeq' is not null) as went`,
};

export const PLACED_BADLY: Statement = {
  name: "placed-badly",
  text: `
select coalesce(p.item, j.item)::text as item, coalesce(p.times, 0) as placed, coalesce(j.times, 0) as done
from (select item, sum(times)::int as times from sim.placed group by item) p
full join (
  select j.item_id as item, count(*)::int as times
  from sluice.journal j
  join sluice.item i on i.id = j.item_id
  join sluice.pipeline s on s.id = i.pipeline_id
  where j.kind = 1 and s.stages[j.stage + 1] = 'place'
  group by j.item_id) j on j.item = p.item
where coalesce(p.times, 0) <> coalesce(j.times, 0)`,
};
