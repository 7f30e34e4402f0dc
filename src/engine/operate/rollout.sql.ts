// Which version new requests get. One row per pipeline, read by every submission that names no version, so a change holds for
// all processes at once.

import type { Queryable, Statement } from "../db/database.ts";

/** Percent of the new requests by version. */
export type Shares = Readonly<Record<string, number>>;

const ROLLOUT: Statement = { name: "rollout", text: `select shares from sluice.rollout where pipeline = $1` };

/** Undefined where none was ever set. */
export async function rolloutOf(db: Queryable, pipeline: string): Promise<Shares | undefined> {
  const [row] = await db.query<{ shares: Shares }>(ROLLOUT, [pipeline]);
  return row?.shares;
}

const SET: Statement = {
  name: "set-rollout",
  text: `
with stored as (
  insert into sluice.rollout as r (pipeline, shares, changed_at)
  values ($1, $2::text::jsonb, sluice.now())
  on conflict (pipeline) do update set shares = excluded.shares, changed_at = excluded.changed_at
  returning r.pipeline, r.shares
),
journal as (
  insert into sluice.journal (at, kind, code, reason, message, output)
  select sluice.now(), 33, 'SET', pipeline, $3, jsonb_build_object('pipeline', pipeline, 'shares', shares) from stored
)
insert into sluice.audit (at, actor, action, detail)
select sluice.now(), $4, 'rollout', jsonb_build_object('pipeline', pipeline, 'shares', shares, 'note', $3::text) from stored`,
};

export async function setRollout(
  db: Queryable,
  change: {
    readonly pipeline: string;
    readonly shares: Shares;
    readonly note: string | null;
    readonly actor: string;
  },
): Promise<void> {
  const { pipeline, shares, note, actor } = change;
  await db.query(SET, [pipeline, JSON.stringify(shares), note, actor]);
}
