// Work that happens elsewhere: services, what was started outside, parts. Only adds; release 0.1 works on it unchanged.

export const name = "0002-outside";

export const up = `
-- One row per configured service, judged by services/breaker.ts and written by compare-and-set on its version.
create table sluice.service (
  id int generated always as identity primary key,
  name text not null unique,
  version bigint not null default 0,
  is_open boolean not null default false,
  recent jsonb not null default '[]',
  changed_at timestamptz not null,
  resumed_at timestamptz not null,
  probe_at timestamptz,
  probe_epoch bigint,
  probe_until timestamptz,
  ramp int check (ramp > 0),
  ramp_left int check (ramp_left > 0),
  busy_until timestamptz,
  grants jsonb not null default '[]',
  capacity int check (capacity > 0),
  limit_count int check (limit_count > 0),
  limit_ms int check (limit_ms > 0),
  code text,
  message text,
  check (is_open = (probe_at is not null)),
  check ((probe_epoch is null) = (probe_until is null)),
  check ((limit_count is null) = (limit_ms is null)),
  check ((ramp is null) = (ramp_left is null))
) with (fillfactor = 50);

-- A lane an item enters when it comes into the stage; the others are entered for a reason (parked, finishing, one part's).
alter table sluice.lane add column is_entry boolean not null default true;
-- Removing what is superfluous frees capacity, so it must not wait for any.
alter table sluice.lane add column takes_capacity boolean not null default true;

-- The services and families it has a client for: only such a worker serves their lanes.
alter table sluice.worker add column services text[] not null default '{}';

-- What watching keeps in the run row. Null for everybody else, which costs nothing.
alter table sluice.run add column marks jsonb;
alter table sluice.run add column active_at timestamptz;

-- A part is an item of the same pipeline that lives in one stage only; its request belongs to its parent item.
alter table sluice.item add column part text;
-- The stage whose parts a request is made of, and whether they succeed all or not at all.
alter table sluice.request add column parts_of smallint;
alter table sluice.request add column is_whole boolean not null default false;

-- What may exist outside: written before it is attempted, kept until it is over or cleaned up.
create table sluice.intent (
  key text primary key,
  item_id bigint not null,
  service text not null,
  pipeline_id int not null,
  stage smallint not null,
  ref text,
  intended_at timestamptz not null,
  owed_at timestamptz,
  cleanup_id bigint,
  over_at timestamptz
);
create index intent_item on sluice.intent (item_id) where over_at is null;
create index intent_owed on sluice.intent (owed_at) where owed_at is not null and cleanup_id is null and over_at is null;
create index intent_cleanup on sluice.intent (cleanup_id) where cleanup_id is not null and over_at is null;
create index intent_over on sluice.intent (over_at) where over_at is not null;
`;
