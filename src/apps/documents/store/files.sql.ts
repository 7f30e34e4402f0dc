// Files by their hash. Whoever puts one there touches its row first; whoever removes one holds its row until the file is gone.

import type { Queryable, Statement } from "../../../engine/index.ts";
import type { FileKind } from "../files/places.ts";

const touchText = (table: FileKind) => `
insert into documents.${table} as f (sha256, bytes, touched_at) values ($1, $2, sluice.now())
on conflict (sha256) do update set touched_at = excluded.touched_at`;

const TOUCH: { readonly [Kind in FileKind]: Statement } = {
  source: { name: "documents-touch-source", text: touchText("source") },
  result: { name: "documents-touch-result", text: touchText("result") },
};

/** Waits for whoever is removing the same file, and keeps it for an hour, referred to or not. */
export async function touchFile(db: Queryable, kind: FileKind, sha256: string, bytes: number): Promise<void> {
  await db.query(TOUCH[kind], [sha256, bytes]);
}

const forgetText = (table: FileKind) => `
delete from documents.${table} f
where f.sha256 = (
  select x.sha256 from documents.${table} x
  where x.touched_at < sluice.now() - interval '1 hour'
    and not exists (select from documents.document d where d.${table} = x.sha256)
  order by x.touched_at
  limit 1
  for update skip locked)
returning f.sha256`;

const FORGET: { readonly [Kind in FileKind]: Statement } = {
  source: { name: "documents-forget-source", text: forgetText("source") },
  result: { name: "documents-forget-result", text: forgetText("result") },
};

/** One that nobody refers to; its row is held until the transaction ends. */
export async function forgetFile(tx: Queryable, kind: FileKind): Promise<string | undefined> {
  const [row] = await tx.query<{ sha256: string }>(FORGET[kind], []);
  return row?.sha256;
}
