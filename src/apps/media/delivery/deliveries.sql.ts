// Names at servers, and on whose behalf something lies or is on its way there.

import type { Queryable, Statement } from "../../../engine/index.ts";

export type DeliveryState = "sending" | "sent" | "published" | "kept";

export interface DeliveryRow {
  readonly server: string;
  readonly path: string;
  readonly item_id: string;
  readonly part_id: string;
  readonly state: DeliveryState;
  readonly is_whole: boolean;
  readonly bytes: number;
  readonly sha256: string | null;
}

export interface FoundDelivery extends DeliveryRow {
  /** Whether its item, or its part that is tried again, is still at it. */
  readonly is_live: boolean;
}

const columns = "d.server, d.path, d.item_id, d.part_id, d.state, d.is_whole, d.bytes::float8 as bytes, d.sha256";

// A part that is tried again lives although its item has ended.
const isLive = `(
  exists (select from sluice.item i where i.id = d.item_id and i.state = 0)
  or exists (
    select from sluice.request q join sluice.item p on p.request_id = q.id
    where q.parent_id = d.item_id and q.parts_of is not null and p.part = d.server and p.state = 0))`;

const FIND: Statement = {
  name: "media-find-delivery",
  text: `select ${columns}, ${isLive} as is_live from media.delivery d where d.server = $1 and d.path = $2`,
};

export async function findDelivery(db: Queryable, server: string, path: string): Promise<FoundDelivery | undefined> {
  const [row] = await db.query<FoundDelivery>(FIND, [server, path]);
  return row;
}

const CLAIM: Statement = {
  name: "media-claim-delivery",
  text: `
insert into media.delivery as d (server, path, item_id, part_id, state, is_whole, bytes, changed_at)
values ($1, $2, $3, $4, 'sending', $5, $6, sluice.now())
on conflict (server, path) do update
set item_id = excluded.item_id, part_id = excluded.part_id, state = 'sending', is_whole = excluded.is_whole,
  bytes = excluded.bytes, sha256 = null, changed_at = excluded.changed_at
where d.item_id = $7::bigint and d.part_id = $8
returning d.path`,
};

/** The name is this item's from now on. False where somebody else has it, or has changed what was seen of it. */
export async function claimDelivery(
  db: Queryable,
  row: Pick<DeliveryRow, "server" | "path" | "item_id" | "part_id" | "is_whole" | "bytes">,
  seen: Pick<DeliveryRow, "item_id" | "part_id"> | undefined,
): Promise<boolean> {
  const { server, path, item_id, part_id, is_whole, bytes } = row;
  const values = [server, path, item_id, part_id, is_whole, bytes, seen?.item_id ?? null, seen?.part_id ?? null];
  return (await db.query(CLAIM, values)).length === 1;
}

const MARK: Statement = {
  name: "media-mark-delivery",
  text: `
update media.delivery
set state = $5, sha256 = coalesce($6, sha256), changed_at = sluice.now()
where server = $1 and path = $2 and item_id = $3 and part_id = $4`,
};

export type DeliveryKey = Pick<DeliveryRow, "server" | "path" | "item_id" | "part_id">;

export async function markDelivery(
  db: Queryable,
  { server, path, item_id, part_id }: DeliveryKey,
  state: DeliveryState,
  sha256: string | null = null,
): Promise<void> {
  await db.query(MARK, [server, path, item_id, part_id, state, sha256]);
}

const DROP: Statement = {
  name: "media-drop-delivery",
  text: "delete from media.delivery where server = $1 and path = $2 and item_id = $3 and part_id = $4",
};

export async function dropDelivery(db: Queryable, { server, path, item_id, part_id }: DeliveryKey): Promise<void> {
  await db.query(DROP, [server, path, item_id, part_id]);
}

const OTHERS: Statement = {
  name: "media-other-deliveries",
  text: `
select ${columns} from media.delivery d
where d.item_id = $1 and d.server = $2 and d.path <> $3
order by d.path
limit 100`,
};

/** What else of the same item lies at the server: it was called otherwise before. */
export async function otherDeliveries(
  db: Queryable,
  item: string,
  server: string,
  path: string,
): Promise<DeliveryRow[]> {
  return await db.query<DeliveryRow>(OTHERS, [item, server, path]);
}

const KEEP: Statement = {
  name: "media-keep-deliveries",
  text: `
update media.delivery set state = 'kept', changed_at = sluice.now()
where item_id = any ($1::bigint[]) and state = 'published'`,
};

/** All targets have it: nothing of it is taken back any more. */
export async function keepDeliveries(db: Queryable, items: readonly string[]): Promise<void> {
  await db.query(KEEP, [items]);
}

const owed = `(
  d.state in ('sending', 'sent') and not ${isLive}
  or d.state = 'published' and exists (select from sluice.item i where i.id = d.item_id and i.state in (2, 3)))`;

const LEFT: Statement = {
  name: "media-left-deliveries",
  text: `
select ${columns} from media.delivery d
where d.state <> 'kept' and ${owed}
order by d.changed_at
limit $1`,
};

/** What was left behind: parts whose item has ended without them, and what all or nothing has to take back. */
export async function leftDeliveries(db: Queryable, limit: number): Promise<DeliveryRow[]> {
  return await db.query<DeliveryRow>(LEFT, [limit]);
}

const STILL: Statement = {
  name: "media-still-left",
  text: `
select ${columns} from media.delivery d
where d.server = $1 and d.path = $2 and d.item_id = $3 and d.part_id = $4 and d.state <> 'kept' and ${owed}`,
};

export async function stillLeft(db: Queryable, key: DeliveryKey): Promise<DeliveryRow | undefined> {
  const [row] = await db.query<DeliveryRow>(STILL, [key.server, key.path, key.item_id, key.part_id]);
  return row;
}
