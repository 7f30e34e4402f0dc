// What a person and a deploy may do: shares of versions, and items let through a closed valve. Only adds.

export const name = "0003-versions";

export const up = `
-- Which share of the new requests each version of a pipeline gets, as {"1": 90, "2": 10}.
create table sluice.rollout (
  pipeline text primary key,
  shares jsonb not null,
  changed_at timestamptz not null
);

-- Let through a switch, a pause or a hold by a person. A column of its own, because flags change while a row is leased, and
-- what an index asks about must not. Null for everybody else, which costs nothing.
alter table sluice.run add column is_manual boolean;
create index run_manual on sluice.run (priority, ready_at, id) where state = 0 and is_manual;

-- The newest items of a version, for figures side by side.
create index item_pipeline on sluice.item (pipeline_id, id);
`;
