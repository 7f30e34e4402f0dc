// Lists of what belongs to somebody, without looking at what belongs to others.

export const name = "0011-lists";

export const up = `
create index item_owner on sluice.item (owner, id) where owner is not null;

create index request_owner_of on sluice.request_owner (owner, request_id);
`;
