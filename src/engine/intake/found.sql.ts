// The keys of a whole page at once.

import type { Queryable, Statement } from "../db/database.ts";

const KNOWN: Statement = {
  name: "known-keys",
  text: `
select k.key from sluice.unique_key k
where k.pipeline = $1 and k.key = any ($2::text[]) and (k.expires_at is null or k.expires_at > sluice.now())`,
};

export async function knownKeys(db: Queryable, pipeline: string, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(KNOWN, [pipeline, keys]);
  return new Set(rows.map((row) => row.key));
}

const TAKE: Statement = {
  name: "take-keys",
  text: `
insert into sluice.unique_key as k (pipeline, key, request_id, scope)
select $1, u.key, u.request, $4 from unnest($2::text[], $3::bigint[]) u (key, request)
on conflict (pipeline, key) do update
set request_id = excluded.request_id, scope = excluded.scope, expires_at = null
where k.expires_at <= sluice.now()
returning k.key`,
};

/**
 * False when somebody else was faster with one of them; the caller's transaction has to roll back then. Keys come in order:
 * two that take the same ones wait for each other, and not in a circle.
 */
export async function takeKeys(
  tx: Queryable,
  pipeline: string,
  taken: readonly { readonly key: string; readonly request: string }[],
  scope: "live" | "forever",
): Promise<boolean> {
  const values = [pipeline, taken.map((one) => one.key), taken.map((one) => one.request), scope];
  return (await tx.query(TAKE, values)).length === taken.length;
}
