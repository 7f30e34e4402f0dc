// What stays outside when its stage is done, and goes with its item. Only adds.

export const name = "0018-staying";

export const up = `
alter table sluice.intent add column stays boolean not null default false;
create index intent_stays on sluice.intent (item_id) where stays and over_at is not null and owed_at is null;
`;
