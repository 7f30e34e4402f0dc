// What the journal adds up to, so that nobody has to read it again for a figure. Only adds.

export const name = "0007-figures";

export const up = `
-- How many, by stage and ten minutes. Kept for a little more than a day.
create table sluice.figure (
  pipeline_id int not null,
  stage smallint not null,
  at timestamptz not null,
  visits int not null check (visits >= 0),
  passed int not null check (passed >= 0),
  faults int not null check (faults >= 0),
  failed int not null check (failed >= 0),
  primary key (pipeline_id, stage, at)
) with (fillfactor = 50);

-- How long items stayed in a stage, waiting included, and how long the work alone took: by day, size of the item and
-- length, each length about a fifth longer than the one before. Kept for thirty days.
create table sluice.stay (
  pipeline_id int not null,
  stage smallint not null,
  day date not null,
  size smallint not null,
  length smallint not null,
  stayed int not null check (stayed >= 0),
  worked int not null check (worked >= 0),
  primary key (pipeline_id, stage, day, size, length)
) with (fillfactor = 50);

-- Which checks of the engine's own found something wrong, since when and where: so that it is told once, and looked at again.
create table sluice.broken_check (
  name text primary key,
  since timestamptz not null,
  place bigint not null,
  found text not null
);
`;
