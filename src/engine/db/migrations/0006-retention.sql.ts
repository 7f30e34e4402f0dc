// How long things are kept, and what is being removed. Only adds.

export const name = "0006-retention";

export const up = `
-- How long what ended is kept, by how it ended; null is for ever. Written by whoever has the pipeline's code.
alter table sluice.pipeline add column keep_done interval;
alter table sluice.pipeline add column keep_failed interval;
alter table sluice.pipeline add column keep_cancelled interval;

-- A request that is on its way out: because somebody asked for it, or because its time is over and something held it.
create table sluice.removal (
  request_id bigint primary key,
  asked_by text,
  asked_at timestamptz not null,
  due_at timestamptz not null,
  obstacle text
);
create index removal_due on sluice.removal (due_at);

create index question_run on sluice.question (run_id);
create index signal_sent on sluice.signal (sent_at);
-- All that was ever asked for under a key. The column never changes, so counting on the row stays cheap.
create index request_key on sluice.request (key) where key is not null;
`;
