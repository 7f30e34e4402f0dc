// What only the worker that was there knows, added up: how long calls to services took, how often a checkpoint was gone on from.

export const name = "0012-measures";

export const up = `
create table sluice.measure (
  -- 'call' or 'resume'.
  kind text not null,
  -- 0 where no pipeline's work was being done.
  pipeline_id integer not null,
  stage smallint not null,
  service text not null,
  length smallint not null,
  times bigint not null check (times > 0),
  ms double precision not null check (ms >= 0),
  primary key (kind, pipeline_id, stage, service, length)
) with (fillfactor = 50);
`;
