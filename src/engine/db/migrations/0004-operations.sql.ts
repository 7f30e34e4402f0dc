// Operations over many items. Only adds; earlier releases work on it unchanged.

export const name = "0004-operations";

export const up = `
-- One action on many items: who wanted it, what for, and how far it is. Counts are exact at every commit.
create table sluice.operation (
  id bigint generated always as identity primary key,
  key text unique,
  actor text not null,
  action jsonb not null,
  filter jsonb not null,
  total int not null,
  done int not null default 0,
  refused int not null default 0,
  failed int not null default 0,
  stopped int not null default 0,
  started_at timestamptz not null,
  stopped_at timestamptz,
  finished_at timestamptz,
  check (done + refused + failed + stopped <= total)
) with (fillfactor = 50);
create index operation_open on sluice.operation (id) where finished_at is null;
create index operation_finished on sluice.operation (finished_at) where finished_at is not null;

-- What came of each: 0 not yet, 1 done, 2 refused, 3 failed, 4 stopped before it began.
create table sluice.operation_item (
  operation_id bigint not null,
  item_id bigint not null,
  outcome smallint not null default 0 check (outcome between 0 and 4),
  at timestamptz,
  reason text,
  copy_id bigint,
  primary key (operation_id, item_id)
) with (fillfactor = 80);
create index operation_item_open on sluice.operation_item (operation_id, item_id) where outcome = 0;
`;
