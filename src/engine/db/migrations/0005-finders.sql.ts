// Work that nobody submits: found in the data, or due by the clock. Only adds.

export const name = "0005-finders";

export const up = `
-- How far a finder has come. Whoever takes it sets epoch and raises version; a page is written under that version or not at all.
create table sluice.finder (
  name text primary key,
  version bigint not null default 0,
  every_ms float8 not null check (every_ms > 0),
  due_at timestamptz not null,
  epoch bigint,
  after jsonb,
  ran_at timestamptz,
  found int not null default 0 check (found >= 0),
  fresh int not null default 0 check (fresh >= 0),
  known int not null default 0 check (known >= 0),
  failures int not null default 0 check (failures >= 0),
  code text,
  message text,
  check ((failures = 0) = (code is null))
);

-- When a schedule comes next. The rule is stored to notice that it was changed in code.
create table sluice.schedule (
  name text primary key,
  version bigint not null default 0,
  rule text not null,
  next_at timestamptz,
  last_at timestamptz,
  missed bigint not null default 0 check (missed >= 0),
  is_paused boolean not null default false,
  retry_at timestamptz,
  failures int not null default 0 check (failures >= 0),
  code text,
  message text,
  check ((failures = 0) = (code is null)),
  check ((failures = 0) = (retry_at is null))
);
`;
