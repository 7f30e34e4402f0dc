// Workers that serve some stages only, and when a worker was last heard of.

export const name = "0014-stages";

export const up = `
-- By name, in all its pipelines; null for all of them.
alter table sluice.worker add column stages text[];

-- For people, who want to know how long it was away. Who is dead is told by beats that do not come, never by this.
alter table sluice.worker add column seen_at timestamptz;
`;
