// Documents as they are listed: a page of them, with how their items stand. So many statements for a page, however many there are.

import type { Queryable, Statement } from "../../../engine/index.ts";

export interface DocumentRow {
  readonly id: string;
  readonly request_id: string;
  readonly owner: string;
  readonly name: string;
  readonly mapping: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly source_gone_at: Date | null;
  readonly result: string | null;
  readonly result_bytes: number | null;
  readonly pages: number | null;
  readonly completed_at: Date | null;
  readonly expired_at: Date | null;
  readonly status: DocumentStatus;
  readonly version: number;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly stage: number | null;
  readonly progress: number | null;
  /** When a wait of its own ends; null where it has none. */
  readonly due_at: Date | null;
  /** Its failure; of what lives, its last fault in this series. */
  readonly code: string | null;
  readonly message: string | null;
  readonly queued_at: Date;
  readonly started_at: Date | null;
  /** Counted tries at converting since it was queued, and when the last of them ended. */
  readonly attempts: number;
  readonly attempted_at: Date | null;
}

export const STATUSES = ["queued", "processing", "complete", "failed", "expired", "cancelled"] as const;
export type DocumentStatus = (typeof STATUSES)[number];

/** For one page so many are looked at. */
const LOOKED_MOST = 2_000;

/** By the row of the document d, of its item i and of its run r. */
const STATUS = `case i.state
    when 0 then case when r.state in (1, 2) then 'processing' else 'queued' end
    when 1 then case when d.result is null and d.expired_at is not null then 'expired' else 'complete' end
    when 2 then 'failed'
    else 'cancelled' end`;

/** What is being removed is there no more. */
const ISLEAVING = "exists (select from sluice.removal m where m.request_id = i.request_id)";

const looks = {
  all: `select d.item_id as id from documents.document d where d.item_id < $1::bigint order by d.item_id desc limit ${LOOKED_MOST}`,
  // One's own list looks at nothing of others: where it stopped would tell of them.
  own: `select d.item_id as id from documents.document d where d.owner = $5 and d.item_id < $1::bigint order by d.item_id desc limit ${LOOKED_MOST}`,
  some: `select u.id from unnest($1::bigint[]) u (id)`,
};

/** Journal kinds: accepted 0, done 1, fault 8, retried 12, replayed 22. The stage converted in is the second. */
const DETAILS = `
cross join lateral (
  select j.at, j.version from sluice.journal j where j.item_id = m.id and j.kind in (0, 12, 22) order by j.version desc limit 1) queued
left join lateral (
  select count(*)::int as attempts, max(j.at) as at from sluice.journal j
  where j.item_id = m.id and j.stage = 1 and j.version > queued.version and j.attempt is not null and j.kind in (1, 8)) tried on true
left join lateral (
  select min(j.at - j.took_ms * interval '1 millisecond') as at from sluice.journal j where j.item_id = m.id and j.took_ms is not null) first on true
left join lateral (
  select j.code, j.message from sluice.journal j
  where j.item_id = m.id and j.version >= queued.version and case when m.end_state = 0 then j.kind = 8 else j.ended <> 0 end
  order by j.version desc limit 1) last on true`;

const textOf = (source: keyof typeof looks) => `
with looked as materialized (${looks[source]}),
matching as materialized (
  select d.item_id as id, i.request_id, i.pipeline_id, i.state as end_state, i.created_at, i.finished_at, d.owner, d.name, d.mapping,
    d.bytes::float8 as bytes, d.sha256, d.source_gone_at, d.result, d.result_bytes::float8 as result_bytes, d.pages, d.completed_at,
    d.expired_at, ${STATUS} as status, r.stage, r.progress, r.begun_at,
    case when r.state = 0 and r.ready_at > sluice.now() and r.ready_at < 'infinity' then r.ready_at end as due_at
  from (select id from looked order by id desc) l
  cross join lateral (select x.* from documents.document x where x.item_id = l.id limit 1) d
  cross join lateral (select x.* from sluice.item x where x.id = l.id limit 1) i
  left join lateral (select x.* from sluice.run x where x.id = l.id limit 1) r on true
  where not ${ISLEAVING} and ($5::text is null or d.owner = $5)
    and ($3::text[] is null or ${STATUS} = any ($3)) and ($4::text is null or position(lower($4) in lower(d.name)) > 0)
  order by l.id desc
  limit $2
)
select m.*, p.version, coalesce(first.at, m.begun_at) as started_at, queued.at as queued_at, tried.attempts, tried.at as attempted_at,
  last.code, last.message, range.looked, range.low
from (select count(*)::int as looked, min(id) as low from looked) range
left join (matching m join sluice.pipeline p on p.id = m.pipeline_id ${DETAILS}) on true
order by m.id desc`;

const PAGES = {
  all: { name: "documents-page", text: textOf("all") },
  own: { name: "documents-page-own", text: textOf("own") },
  some: { name: "documents-some", text: textOf("some") },
} satisfies Record<string, Statement>;

export interface PageAsked {
  readonly before: string;
  readonly limit: number;
  readonly statuses: readonly DocumentStatus[] | null;
  readonly name: string | null;
  /** Only this one's, where one is named. */
  readonly owner: string | null;
}

type Looked = { readonly looked: number; readonly low: string | null } & (DocumentRow | { readonly id: null });

const rowsIn = (found: readonly Looked[]) => found.filter((row): row is Looked & DocumentRow => row.id !== null);

export async function findPage(
  db: Queryable,
  { before, limit, statuses, name, owner }: PageAsked,
): Promise<{ readonly rows: readonly DocumentRow[]; readonly stoppedAt: string | null }> {
  const found = await db.query<Looked>(owner === null ? PAGES.all : PAGES.own, [before, limit, statuses, name, owner]);
  const rows = rowsIn(found);
  const last = rows.at(-1);
  if (rows.length === limit && last !== undefined) return { rows, stoppedAt: last.id };
  const [first] = found;
  return { rows, stoppedAt: first !== undefined && first.looked >= LOOKED_MOST ? first.low : null };
}

/** Those of them that are there, newest first; to an owner that is named, another's are not. */
export async function findSome(db: Queryable, items: readonly string[], owner: string | null): Promise<DocumentRow[]> {
  if (items.length === 0) return [];
  return rowsIn(await db.query<Looked>(PAGES.some, [items, items.length, null, null, owner]));
}

/** The newest ten thousand are counted. */
const COUNTS: Statement = {
  name: "documents-counts",
  text: `
select x.status, count(*)::int as documents from (
  select ${STATUS} as status
  from documents.document d
  join sluice.item i on i.id = d.item_id
  left join sluice.run r on r.id = d.item_id
  where ($1::text is null or d.owner = $1) and not ${ISLEAVING}
  order by d.item_id desc
  limit 10000) x
group by x.status`,
};

export async function countDocuments(
  db: Queryable,
  owner: string | null,
): Promise<{ readonly status: DocumentStatus; readonly documents: number }[]> {
  return await db.query(COUNTS, [owner]);
}
