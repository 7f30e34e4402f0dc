// What an item is called by people, and what the journal adds up to by the hour. Only adds.

export const name = "0017-titles-and-trends";

export const up = `
alter table sluice.item add column title text;

-- How many, by ten minutes for a few hours and by the hour for a month: items done, failed (name: the code), how long they took from
-- submission (length), stalls (name: the service), breakers that opened (name: the service, of no pipeline), visits that went on from
-- a checkpoint.
create table sluice.trend (
  minutes smallint not null,
  at timestamptz not null,
  kind text not null,
  -- 0 where it is no pipeline's.
  pipeline_id int not null,
  name text not null,
  length smallint not null,
  times bigint not null check (times > 0),
  primary key (minutes, at, kind, pipeline_id, name, length)
) with (fillfactor = 50);
`;
