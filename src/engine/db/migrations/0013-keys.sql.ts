// Lists by a key that thousands share, and by the beginning of one. Keys are written once, so neither index is touched again
// when an item or a request moves on.

export const name = "0013-keys";

export const up = `
-- By bytes and not by the words of a language: a range of these is what begins with the same letters, wherever it runs.
create index item_key on sluice.item (key text_pattern_ops, id) where key is not null;

create index request_key_order on sluice.request (key text_pattern_ops, id) where key is not null;

drop index sluice.request_key;

alter index sluice.request_key_order rename to request_key;
`;
