// Names that an item wants no more: those who share one have it then, and what nobody wants is removed.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { DeliveryRow, DeliveryState } from "./deliveries.sql.ts";

// Only of those who have not ended without it. What was to be replaced, and lies there as it was, is its own item's again.
const LET_GO: Statement = {
  name: "media-let-go-delivery",
  text: `
with one as materialized (
  select d.server, d.path, d.state, d.also, d.there_bytes, d.item_id = $3 as is_holder
  from media.delivery d
  where d.server = $1 and d.path = $2 and (d.item_id = $3 or $3 = any (d.also))
  for update
),
heir as materialized (
  select a.id, one.state in ('sending', 'sent') and one.there_bytes is not null
    and exists (select from sluice.item i where i.id = a.id and i.state = 1) as has_it
  from one cross join lateral unnest(one.also) with ordinality a (id, place)
  where one.is_holder and a.id <> $3 and not exists (select from sluice.item i where i.id = a.id and i.state in (2, 3))
  order by a.place
  limit 1
)
update media.delivery d
set item_id = coalesce((select id from heir), d.item_id),
  also = array_remove(array_remove(d.also, $3), (select id from heir)),
  turn = d.turn + one.is_holder::int,
  state = case
    when one.is_holder and not exists (select from heir) then 'leaving'
    when (select has_it from heir) then 'kept'
    else d.state
  end,
  bytes = case when (select has_it from heir) then d.there_bytes else d.bytes end,
  sha256 = case when (select has_it from heir) then null else d.sha256 end,
  there_bytes = case
    when (select has_it from heir) then null
    when not one.is_holder or exists (select from heir) or one.state = 'leaving' then d.there_bytes
    when one.state = 'published' or (one.state = 'kept' and $4) then d.bytes
  end,
  changed_at = sluice.now()
from one
where d.server = one.server and d.path = one.path
returning d.server, d.path, d.part_id, d.turn, d.state, d.bytes::float8 as bytes, d.there_bytes::float8 as there_bytes, one.is_holder,
  one.state as was, coalesce((select has_it from heir), false) as is_again`,
};

export interface LeavingRow
  extends Pick<DeliveryRow, "server" | "path" | "part_id" | "turn" | "bytes" | "there_bytes"> {
  readonly state: DeliveryState;
  readonly is_holder: boolean;
  /** Before it was to leave. */
  readonly was: DeliveryState;
  /** What lay there before is there again for its own item: only the part goes. */
  readonly is_again: boolean;
}

export interface NameOfItem {
  readonly server: string;
  readonly path: string;
  readonly item_id: string;
}

export interface LeftDelivery extends NameOfItem {
  readonly part_id: string;
}

/** Undefined where the item has nothing there, or others have it still; else what has to be removed. */
export async function letGo(
  db: Queryable,
  { server, path, item_id }: NameOfItem,
  isReplaced: boolean,
): Promise<LeavingRow | undefined> {
  const [row] = await db.query<LeavingRow>(LET_GO, [server, path, item_id, isReplaced]);
  return row?.is_holder === true && (row.state === "leaving" || row.is_again) ? row : undefined;
}

// As long as one who has it there is at it, what is on its way is not left behind.
const holders = "(d.also || d.item_id)";
const owed = `(
  d.state = 'leaving'
  or d.state in ('sending', 'sent')
    and not exists (select from sluice.item i where i.id = any (${holders}) and i.state = 0)
    and not exists (
      select from sluice.request q join sluice.item p on p.request_id = q.id
      where q.parent_id = any (${holders}) and q.parts_of is not null and p.part = d.server and p.state = 0)
  or d.state = 'published' and exists (select from sluice.item i where i.id = d.item_id and i.state in (2, 3)))`;

const LEFT: Statement = {
  name: "media-left-deliveries",
  text: `
select d.server, d.path, d.item_id, d.part_id from media.delivery d
where d.state <> 'kept' and ${owed}
order by d.changed_at
limit $1`,
};

/** What was left behind: parts whose item has ended without them, and what all or nothing has to take back. */
export async function leftDeliveries(db: Queryable, limit: number): Promise<LeftDelivery[]> {
  return await db.query<LeftDelivery>(LEFT, [limit]);
}

const STILL: Statement = {
  name: "media-still-left",
  text: `
select d.path from media.delivery d
where d.server = $1 and d.path = $2 and d.item_id = $3 and d.state <> 'kept' and ${owed}`,
};

export async function isStillLeft(db: Queryable, { server, path, item_id }: NameOfItem): Promise<boolean> {
  return (await db.query(STILL, [server, path, item_id])).length === 1;
}
