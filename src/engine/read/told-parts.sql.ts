// How the parts of many items stand, and the first few of those that are not done: enough for a sentence about each item.

import type { Queryable, Statement } from "../db/database.ts";
import { PARTS_TOLD } from "../explain/parts-words.ts";

/** One of the parts that are told of, with how many there are in all; without one where none is. */
export interface ToldPartRow {
  readonly item: string;
  readonly stage: number;
  readonly is_whole: boolean;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly id: string | null;
  readonly name: string | null;
  readonly state: number | null;
  readonly code: string | null;
  readonly message: string | null;
}

// Of each stage those that were made last; while the item lives, only of the stage it is in. Of an item with very many, those
// to tell of are looked for among the first: a list of such items must not read all of them.
const TOLD: Statement = {
  name: "told-parts",
  text: `
select c.parent_id as item, c.parts_of as stage, c.is_whole, c.total, c.completed as done, c.failed, c.cancelled, part.id, part.name,
  part.state, last.code, last.message
from sluice.request c
left join sluice.run r on r.id = c.parent_id
left join lateral (
  select n.id, n.part as name, n.state
  from (
    select i.id, i.part, i.state, row_number() over (partition by i.state order by i.id) as nth
    from (
      select x.id, x.part, x.state from sluice.item x
      where x.request_id = c.id
      order by x.request_id, x.id
      limit 1000) i
    where i.state <> 1) n
  where n.nth <= ${PARTS_TOLD}) part on true
left join lateral (
  select j.code, j.message from sluice.journal j
  where j.item_id = part.id and j.ended <> 0
  order by j.version desc
  limit 1) last on part.state <> 0
where c.parent_id = any ($1::bigint[]) and c.parts_of is not null and (r.id is null or r.stage = c.parts_of)
  and not exists (select from sluice.request n where n.parent_id = c.parent_id and n.parts_of = c.parts_of and n.id > c.id)
order by c.parent_id, c.parts_of, part.id`,
};

export async function findToldParts(db: Queryable, items: readonly string[]): Promise<ToldPartRow[]> {
  return items.length === 0 ? [] : await db.query<ToldPartRow>(TOLD, [items]);
}
