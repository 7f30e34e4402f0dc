// The engine's first schema. ARCHITECTURE.md explains each table; what stands here is why a column is as it is.
//
// - No foreign keys between the hot tables: measured, they halve throughput, and every write is one statement anyway.
// - No default that reads a clock and no default that rolls dice: time is `sluice.now()`, chance comes from the caller,
//   so that tests and the simulator own both.
// - Small integers with a name in `items/codes.ts` where a row is hot; plain words where it is cold.

export const name = "0001-engine";

export const up = `
create function sluice.now() returns timestamptz language sql stable as 'select now()';

create table sluice.setting (
  name text primary key,
  value jsonb not null
);

-- One row per version of a pipeline ever started here. The shape hash refuses a changed pipeline under an old version.
create table sluice.pipeline (
  id int generated always as identity primary key,
  name text not null,
  version int not null check (version > 0),
  shape text not null,
  stages text[] not null,
  created_at timestamptz not null,
  unique (name, version)
);

-- The unit of claiming and holding. A dictionary: tens of rows, cached by every worker.
create table sluice.lane (
  id int generated always as identity primary key,
  pipeline_id int not null references sluice.pipeline,
  stage smallint not null,
  service text not null default '',
  cap int check (cap > 0),
  unique (pipeline_id, stage, service)
);

-- What lets lanes flow or holds them. A null in the scope means "any". Closing one over a million items writes one row.
create table sluice.valve (
  id int generated always as identity primary key,
  kind text not null,
  pipeline text,
  version int,
  stage text,
  service text,
  closed boolean not null,
  generation bigint not null,
  changed_at timestamptz not null,
  until timestamptz,
  note text,
  unique nulls not distinct (kind, pipeline, version, stage, service)
);

-- Generations are handed out under this row's lock, so that they commit in order and "seen up to n" means all of them.
create table sluice.valve_clock (
  one boolean primary key default true check (one),
  generation bigint not null
);
insert into sluice.valve_clock (generation) values (0);

create table sluice.worker (
  id bigint generated always as identity primary key,
  name text not null,
  host text not null,
  pid int not null,
  pid_started text not null,
  epoch bigint not null unique,
  beat bigint not null default 0,
  backend_pid int,
  state smallint not null default 0 check (state between 0 and 2),
  valve_generation bigint not null default 0,
  pipelines int[] not null default '{}',
  started_at timestamptz not null,
  ended_at timestamptz,
  cleared_at timestamptz,
  check ((state = 0) = (ended_at is null))
);
create index worker_alive on sluice.worker (id) where state = 0;
create index worker_uncleared on sluice.worker (id) where state <> 0 and cleared_at is null;

-- Recurring work of the engine itself: whoever moves due_at on does the step.
create table sluice.duty (
  name text primary key,
  due_at timestamptz not null,
  epoch bigint,
  done_at timestamptz
);

-- What somebody asked for, or the children an item spawned (parent_id). The counts change only when an item ends.
create sequence sluice.request_ids;
create table sluice.request (
  id bigint primary key,
  parent_id bigint,
  key text,
  total int not null check (total >= 0),
  completed int not null default 0 check (completed >= 0),
  partly int not null default 0 check (partly >= 0 and partly <= completed),
  failed int not null default 0 check (failed >= 0),
  cancelled int not null default 0 check (cancelled >= 0),
  created_at timestamptz not null,
  check (completed + failed + cancelled <= total)
) with (fillfactor = 45);
create index request_parent on sluice.request (parent_id) where parent_id is not null;

create table sluice.request_owner (
  request_id bigint not null references sluice.request on delete cascade,
  owner text not null,
  joined_at timestamptz not null,
  primary key (request_id, owner)
);

-- Wide and cold: written when it enters and when it ends. Applications may reference this table. Half of each page is left
-- free, so that the one update at the end finds room beside the row and touches no index.
create sequence sluice.item_ids;
create table sluice.item (
  id bigint primary key,
  request_id bigint not null,
  nonce bigint not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  pipeline_id int not null,
  run_version int not null default 0,
  priority smallint not null,
  state smallint not null default 0 check (state between 0 and 3),
  codec smallint not null,
  owner text,
  fairness text,
  key text,
  input jsonb not null,
  check ((state = 0) = (finished_at is null))
) with (fillfactor = 50);
create index item_request on sluice.item (request_id, id);

-- Narrow and hot: one row per live item, deleted when it ends. While a row is leased no indexed column changes, so a
-- hand-off is a heap-only update: stage is the truth about where the item is, lane only the key it is claimed by. Pages are
-- filled less than half for the same reason (measured: a seventh of the whole chain's server time).
create table sluice.run (
  id bigint primary key,
  request_id bigint not null,
  epoch bigint,
  ready_at timestamptz not null,
  since timestamptz not null,
  begun_at timestamptz,
  version int not null,
  lane int not null,
  stage smallint not null check (stage >= 0),
  priority smallint not null check (priority between 1 and 5),
  state smallint not null check (state between 0 and 2),
  attempts smallint not null default 0 check (attempts >= 0),
  series smallint not null default 1 check (series >= 1),
  backs smallint not null default 0 check (backs >= 0),
  waits smallint not null default 0 check (waits >= 0),
  suspicion smallint not null default 0 check (suspicion >= 0),
  crashes smallint not null default 0 check (crashes between 0 and 3),
  flags smallint not null default 0,
  progress real check (progress between 0 and 100),
  reason text,
  ref text,
  check ((state = 0) = (epoch is null))
) with (fillfactor = 45, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index run_ready on sluice.run (lane, priority, ready_at, id) where state = 0;
create index run_suspect on sluice.run (priority, ready_at, id) where state = 0 and suspicion > 0;
create index run_held on sluice.run (lane, epoch) where state <> 0;

-- Attempt, transition, event and output in one append-only row.
create table sluice.journal (
  xid xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity (cache 100),
  at timestamptz not null,
  item_id bigint,
  request_id bigint,
  epoch bigint,
  version int,
  took_ms int,
  kind smallint not null,
  stage smallint,
  to_stage smallint,
  ended smallint not null default 0,
  attempt smallint,
  series smallint,
  -- Outlives its week: somebody may still ask for it. These rows lie in a partition of their own, the others in weeks.
  kept boolean not null default false,
  reason text,
  code text,
  message text,
  output jsonb
) partition by range (kept, at);
create table sluice.journal_kept partition of sluice.journal for values from (true, minvalue) to (maxvalue, maxvalue);
create table sluice.journal_rest partition of sluice.journal default;
create index journal_feed on sluice.journal (xid, seq);
create index journal_item on sluice.journal (item_id, version);

create table sluice.checkpoint (
  run_id bigint primary key,
  stage smallint not null,
  value jsonb not null,
  written_at timestamptz not null
);

create table sluice.unique_key (
  pipeline text not null,
  key text not null,
  request_id bigint not null,
  scope text not null check (scope in ('live', 'window', 'forever')),
  expires_at timestamptz,
  primary key (pipeline, key),
  check ((scope = 'window') = (expires_at is not null))
);
create index unique_key_request on sluice.unique_key (request_id);

-- A wait and what ends it are both rows; whoever commits second joins them, and the sweeper is the floor.
create table sluice.signal (
  key text primary key,
  payload jsonb,
  sent_at timestamptz not null
);
create table sluice.waiter (
  run_id bigint primary key,
  kind text not null check (kind in ('signal', 'item', 'children')),
  key text not null
);
create index waiter_key on sluice.waiter (kind, key);

create table sluice.question (
  id bigint generated always as identity primary key,
  run_id bigint not null,
  stage smallint not null,
  text text not null,
  options jsonb,
  fallback jsonb,
  asked_at timestamptz not null,
  fallback_at timestamptz,
  answer jsonb,
  answered_at timestamptz,
  answered_by text,
  withdrawn_at timestamptz
);
create index question_open on sluice.question (run_id) where answered_at is null and withdrawn_at is null;

create table sluice.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  item_id bigint,
  request_id bigint,
  detail jsonb
);
`;
