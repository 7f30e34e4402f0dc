// Turns between keys: whose items wait in a lane, so that each key has its turn. Only adds; what was there before has no key.

export const name = "0009-fair";

export const up = `
-- A hash of the item's fairness key, in pipelines that take turns. Never changed while the row lives. The index holds those
-- rows and nobody else: next key, next item of a key.
alter table sluice.run add column fair bigint;
-- How many items of one key may be in the lane at a time.
alter table sluice.lane add column per_key int check (per_key > 0);
create index run_fair on sluice.run (lane, priority, fair, ready_at, id) where state = 0 and fair is not null;
`;
