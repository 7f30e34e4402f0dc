// How many items a worker may be handed that it did not ask for, and in which lanes. Only adds; a worker of an earlier release
// says nothing of it, and is handed none.

export const name = "0019-invitations";

export const up = `
alter table sluice.worker add column invites int not null default 0;
alter table sluice.worker add column lanes int[] not null default '{}';
`;
