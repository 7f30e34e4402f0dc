// Lists of what belongs to somebody, without looking at what belongs to others.

export const name = "0011-lists";

export const up = `
create index item_owner on sluice.item (owner, id) where owner is not null;

-- What ended badly is looked for among very many that did not. In the journal, where a row is written once: an index over the
-- item's state would move every row that ends into all its indexes.
create index journal_ended on sluice.journal (ended, item_id) where ended in (2, 3);

create index request_owner_of on sluice.request_owner (owner, request_id);
`;
