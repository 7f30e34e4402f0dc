// A finder that looks for nothing until somebody lets it.

export const name = "0015-finder-pause";

export const up = `
alter table sluice.finder add column is_paused boolean not null default false;
`;
