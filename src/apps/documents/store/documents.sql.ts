// Documents: who uploaded what, where its file is, and what came of it.

import type { Queryable, Statement } from "../../../engine/index.ts";

export interface NewDocument {
  readonly item: string;
  readonly owner: string;
  readonly name: string;
  readonly mapping: string;
  readonly bytes: number;
  readonly sha256: string;
}

const RETIRE: Statement = {
  name: "documents-retire",
  text: "update documents.document set is_current = false where item_id = $1 and is_current",
};

/** Another upload of the same is to take its place. */
export async function retireDocument(tx: Queryable, item: string): Promise<void> {
  await tx.query(RETIRE, [item]);
}

const INSERT: Statement = {
  name: "documents-insert",
  text: `
insert into documents.document (item_id, owner, name, mapping, bytes, sha256, source)
values ($1, $2, $3, $4, $5, $6, $6)
on conflict (owner, sha256, mapping) where is_current do nothing
returning item_id`,
};

/** False where the same was there a moment before. */
export async function insertDocument(tx: Queryable, one: NewDocument): Promise<boolean> {
  const { item, owner, name, mapping, bytes, sha256 } = one;
  return (await tx.query(INSERT, [item, owner, name, mapping, bytes, sha256])).length === 1;
}

export interface CurrentRow {
  readonly item_id: string;
  /** Of its item. */
  readonly end_state: number;
  readonly has_result: boolean;
  /** Somebody asked to have it removed: it is in no list any more, and soon nowhere. */
  readonly is_leaving: boolean;
  /** Of the pipeline. */
  readonly version: number;
}

/** Of the item of document d. */
const ISLEAVING = `exists (
  select from sluice.removal m join sluice.item x on x.request_id = m.request_id where x.id = d.item_id)`;

const CURRENT: Statement = {
  name: "documents-current",
  text: `
select d.item_id, i.state as end_state, d.result is not null as has_result, ${ISLEAVING} as is_leaving, p.version
from documents.document d
join sluice.item i on i.id = d.item_id
join sluice.pipeline p on p.id = i.pipeline_id
where d.owner = $1 and d.sha256 = $2 and d.mapping = $3 and d.is_current`,
};

export async function findCurrent(
  db: Queryable,
  { owner, sha256, mapping }: Pick<NewDocument, "owner" | "sha256" | "mapping">,
): Promise<CurrentRow | undefined> {
  const [row] = await db.query<CurrentRow>(CURRENT, [owner, sha256, mapping]);
  return row;
}

const REVIVE: Statement = {
  name: "documents-revive-source",
  text: "update documents.document set source = sha256, source_gone_at = null where item_id = $1",
};

/** Its file was uploaded again. */
export async function reviveSource(db: Queryable, item: string): Promise<void> {
  await db.query(REVIVE, [item]);
}

const OPEN: Statement = {
  name: "documents-open",
  text: `
select count(*)::int as open from (
  select from sluice.item i
  where i.owner = $1 and i.state = 0 and i.pipeline_id in (select p.id from sluice.pipeline p where p.name = 'documents')
  limit $2) x`,
};

/** How many of an owner's are not converted yet, counted up to `most`. */
export async function countOpen(db: Queryable, owner: string, most: number): Promise<number> {
  const [row] = await db.query<{ open: number }>(OPEN, [owner, most]);
  return row?.open ?? 0;
}

const SOURCE: Statement = {
  name: "documents-source",
  text: "select owner, sha256, bytes::float8 as bytes, source_gone_at from documents.document where item_id = $1",
};

export interface SourceRow {
  readonly owner: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly source_gone_at: Date | null;
}

export async function findSource(db: Queryable, item: string): Promise<SourceRow | undefined> {
  const [row] = await db.query<SourceRow>(SOURCE, [item]);
  return row;
}

const HOLD_SOURCES: Statement = {
  name: "documents-hold-sources",
  text: `
select d.item_id, d.source_gone_at, ${ISLEAVING} as is_leaving
from documents.document d
where d.item_id = any ($1::bigint[])
order by d.item_id
for no key update of d`,
};

export interface HeldSource {
  readonly item_id: string;
  readonly source_gone_at: Date | null;
  readonly is_leaving: boolean;
}

/** For the transaction in which they live again: whoever is expiring one is waited for, and nobody does from here on. */
export async function holdSources(tx: Queryable, items: readonly string[]): Promise<HeldSource[]> {
  return await tx.query<HeldSource>(HOLD_SOURCES, [items]);
}

/** What came of a document. */
export interface Came {
  readonly item: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly pages: number | null;
}

const COMPLETE: Statement = {
  name: "documents-complete",
  text: `
update documents.document d
set result = v.sha256, result_bytes = v.bytes, pages = v.pages, completed_at = sluice.now(), expired_at = null
from unnest($1::bigint[], $2::text[], $3::bigint[], $4::int[]) v (item_id, sha256, bytes, pages)
where d.item_id = v.item_id`,
};

/** In the transaction that ends them. */
export async function completeDocuments(tx: Queryable, all: readonly Came[]): Promise<void> {
  const columns = [all.map((one) => one.item), all.map((one) => one.sha256), all.map((one) => one.bytes)];
  await tx.query(COMPLETE, [...columns, all.map((one) => one.pages)]);
}

// With the item's row: one that is being reopened is passed over, and one that was since this began is looked at again and stays.
const EXPIRE_SOURCES: Statement = {
  name: "documents-expire-sources",
  text: `
with due as (
  select d.item_id from documents.document d
  join sluice.item i on i.id = d.item_id
  where d.source is not null and i.state <> 0
    and i.finished_at < sluice.now() - $1::float8 * interval '1 millisecond'
  order by d.item_id
  limit $2
  for no key update of d, i skip locked)
update documents.document d set source = null, source_gone_at = sluice.now()
from due where d.item_id = due.item_id
returning d.item_id`,
};

const EXPIRE_RESULTS: Statement = {
  name: "documents-expire-results",
  text: `
with due as (
  select d.item_id from documents.document d
  join sluice.item i on i.id = d.item_id
  where d.result is not null and i.state <> 0 and d.completed_at < sluice.now() - $1::float8 * interval '1 millisecond'
  order by d.completed_at
  limit $2
  for no key update of d, i skip locked)
update documents.document d set result = null, expired_at = sluice.now()
from due where d.item_id = due.item_id
returning d.item_id`,
};

/** Those whose time is over: what is still to be worked with stays. */
export async function expireSources(db: Queryable, keepMs: number, most: number): Promise<string[]> {
  return (await db.query<{ item_id: string }>(EXPIRE_SOURCES, [keepMs, most])).map((row) => row.item_id);
}

export async function expireResults(db: Queryable, keepMs: number, most: number): Promise<string[]> {
  return (await db.query<{ item_id: string }>(EXPIRE_RESULTS, [keepMs, most])).map((row) => row.item_id);
}

const DROP: Statement = {
  name: "documents-drop",
  text: `
update documents.document
set is_current = false, source = null, source_gone_at = coalesce(source_gone_at, sluice.now()),
  result = null, expired_at = case when completed_at is not null then coalesce(expired_at, sluice.now()) end
where item_id = $1`,
};

/** Its files are nobody's any more; the row goes with its item. */
export async function dropDocument(db: Queryable, item: string): Promise<void> {
  await db.query(DROP, [item]);
}
