// Names at servers, and on whose behalf something lies or is on its way there. What is written of a name compares its turn: whoever took it up
// later is meant, and one that slept meanwhile changes nothing.

import type { Queryable, Statement } from "../../../engine/index.ts";

/** Leaving: nobody wants it any more, and its server has yet to confirm that it is gone. */
export type DeliveryState = "sending" | "sent" | "published" | "kept" | "leaving";

export interface DeliveryRow {
  readonly server: string;
  readonly path: string;
  readonly item_id: string;
  readonly part_id: string;
  readonly state: DeliveryState;
  readonly is_whole: boolean;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly turn: number;
  /** Other items that have the same file there. */
  readonly also: readonly string[];
  /** Of which film or episodes it is. */
  readonly title: string | null;
  /** Of which download, in which encoding. */
  readonly made_of: string | null;
  /** What of ours lies under the name while this is on its way; of what is leaving, what goes with it. */
  readonly there_bytes: number | null;
}

export interface FoundDelivery extends DeliveryRow {
  /** Whether its item, or its part that is tried again, is still at it. */
  readonly is_live: boolean;
}

const columns = `d.server, d.path, d.item_id, d.part_id, d.state, d.is_whole, d.bytes::float8 as bytes, d.sha256, d.turn,
  d.also::text[] as also, d.title, d.made_of, d.there_bytes::float8 as there_bytes`;

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
insert into media.delivery as d (server, path, item_id, part_id, state, is_whole, bytes, sha256, title, made_of, there_bytes, turn,
  changed_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, sluice.now())
on conflict (server, path) do update
set item_id = excluded.item_id, part_id = excluded.part_id, state = excluded.state, is_whole = excluded.is_whole,
  bytes = excluded.bytes, sha256 = excluded.sha256, title = excluded.title, made_of = excluded.made_of,
  there_bytes = excluded.there_bytes, turn = d.turn + 1, changed_at = excluded.changed_at,
  also = array_remove(case when $13 then d.also || d.item_id else d.also end, excluded.item_id)
where d.turn = $12::int
returning d.turn`,
};

export interface Claim extends Omit<DeliveryRow, "turn" | "also"> {
  /** What was seen of the name; null where nobody had it. */
  readonly seen: number | null;
  /** Who had it wants it still: it is the same title. */
  readonly isShared: boolean;
}

/** The name is this item's from now on, by the turn that it answers with. Undefined where somebody was faster. */
export async function claimDelivery(db: Queryable, claim: Claim): Promise<number | undefined> {
  const { server, path, item_id, part_id, state, is_whole, bytes, sha256, title, made_of, there_bytes } = claim;
  const [row] = await db.query<{ turn: number }>(CLAIM, [
    ...[server, path, item_id, part_id, state, is_whole, bytes, sha256, title, made_of, there_bytes],
    ...[claim.seen, claim.isShared],
  ]);
  return row?.turn;
}

const RESUME: Statement = {
  name: "media-resume-delivery",
  text: `
update media.delivery d
set turn = d.turn + 1, item_id = $4, changed_at = sluice.now(),
  also = case when d.item_id = $4 then d.also else array_remove(d.also || d.item_id, $4::bigint) end
where d.server = $1 and d.path = $2 and d.turn = $3
returning d.turn`,
};

/** The same as it is, in other hands: by the turn that it answers with. Undefined where somebody was faster. */
export async function resumeDelivery(db: Queryable, seen: DeliveryHold, item: string): Promise<number | undefined> {
  const { server, path, turn } = seen;
  const [row] = await db.query<{ turn: number }>(RESUME, [server, path, turn, item]);
  return row?.turn;
}

const JOIN: Statement = {
  name: "media-join-delivery",
  text: `
update media.delivery d
set also = case when d.item_id = $5::bigint then d.also else array_append(array_remove(d.also, $5::bigint), $5::bigint) end
where d.server = $1 and d.path = $2 and d.turn = $3 and d.state = $4
returning d.path`,
};

/** The item has it there, too. False where it has changed since it was seen. */
export async function joinDelivery(db: Queryable, seen: DeliveryRow, item: string): Promise<boolean> {
  const { server, path, turn, state } = seen;
  return (await db.query(JOIN, [server, path, turn, state, item])).length === 1;
}

const MARK: Statement = {
  name: "media-mark-delivery",
  text: `
update media.delivery
set state = $4, sha256 = coalesce($5, sha256), changed_at = sluice.now(),
  there_bytes = case when $4 in ('published', 'kept') then null else there_bytes end
where server = $1 and path = $2 and turn = $3
returning path`,
};

/** What one has taken up. */
export type DeliveryHold = Pick<DeliveryRow, "server" | "path" | "turn">;

/** False where somebody else has taken it up since. */
export async function markDelivery(
  db: Queryable,
  { server, path, turn }: DeliveryHold,
  state: DeliveryState,
  sha256: string | null = null,
): Promise<boolean> {
  return (await db.query(MARK, [server, path, turn, state, sha256])).length === 1;
}

const DROP: Statement = {
  name: "media-drop-delivery",
  text: "delete from media.delivery where server = $1 and path = $2 and turn = $3",
};

export async function dropDelivery(db: Queryable, { server, path, turn }: DeliveryHold): Promise<void> {
  await db.query(DROP, [server, path, turn]);
}

const OTHERS: Statement = {
  name: "media-other-deliveries",
  text: `
select ${columns} from media.delivery d
where d.server = $2 and d.path <> $3 and (d.item_id = $1 or (d.also <> '{}' and d.also @> array[$1::bigint]))
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
