// What handlers may ask for beside their work: a deadline, a trace, a log. Only adds; what was there before has none of it.

export const name = "0008-handlers";

export const up = `
-- When the item fails unless it has ended. Never changed while the row lives, so that a hand-off stays a heap-only update;
-- a retry makes a new row, without one. The index holds those that have a deadline and nobody else.
alter table sluice.run add column deadline_at timestamptz;
create index run_deadline on sluice.run (deadline_at, id) where deadline_at is not null;

-- A W3C traceparent, as it was submitted with; spawned items and parts have it from their parent.
alter table sluice.item add column trace text;

-- What a visit's code noted, written with what the visit came to. Cold: most visits say nothing, and then nothing is here.
-- Once per visit, because its settlement is; so no unique index, which every row would have to be looked up in.
create table sluice.visit_log (
  item_id bigint not null,
  version int not null,
  at timestamptz not null,
  stage smallint not null,
  attempt smallint not null,
  dropped int not null default 0 check (dropped >= 0),
  lines jsonb not null
);
create index visit_log_item on sluice.visit_log (item_id, version);
`;
