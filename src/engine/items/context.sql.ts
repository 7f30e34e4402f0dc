// What a claimed item brings along from earlier visits: outputs, answers, signals, notes, children, its checkpoint.
// Read only for rows whose flags say that there is something; an item handed on in memory needs none of it.

import type { Queryable, Statement } from "../db/database.ts";

export interface ContextRow {
  readonly item_id: string;
  readonly kind: number;
  readonly stage: number | null;
  readonly to_stage: number | null;
  readonly series: number;
  readonly output: unknown;
}

export interface CheckpointRow {
  readonly run_id: string;
  readonly stage: number;
  readonly value: unknown;
}

export interface ChildRow {
  readonly request_id: string;
  readonly id: string;
  readonly state: number;
  readonly output: unknown;
}

/** Of one item; far beyond what attempts and returns allow. */
const ROWS_MOST = 10_000;

// Item by item, whatever the statistics say: with all of them at once, a partition that was never counted was read as a whole.
const CONTEXT: Statement = {
  name: "context",
  text: `
select c.item_id, c.kind, c.stage, c.to_stage, c.series, c.output
from unnest($1::bigint[]) asked (id)
cross join lateral (
  select item_id, version, kind, stage, to_stage, series, output
  from sluice.journal
  where item_id = asked.id and output is not null
  order by version
  limit ${ROWS_MOST}) c
order by c.item_id, c.version`,
};

const CHECKPOINTS: Statement = {
  name: "checkpoints",
  text: `select run_id, stage, value from sluice.checkpoint where run_id = any ($1::bigint[])`,
};

/** Of one parent, which is as many as it may spawn at once. */
const CHILDREN_MOST = 10_000;

const CHILDREN: Statement = {
  name: "children",
  text: `
select i.request_id, i.id, i.state, last.output
from unnest($1::bigint[]) joined (request_id)
cross join lateral (
  select one.request_id, one.id, one.state from sluice.item one
  where one.request_id = joined.request_id
  order by one.id
  limit ${CHILDREN_MOST}) i
left join lateral (
  select j.output from sluice.journal j
  where j.item_id = i.id and j.ended = 1
  order by j.version desc
  limit 1) last on true
order by i.id`,
};

export async function readContext(db: Queryable, ids: readonly string[]): Promise<ContextRow[]> {
  return await db.query<ContextRow>(CONTEXT, [ids]);
}

export async function readCheckpoints(db: Queryable, ids: readonly string[]): Promise<CheckpointRow[]> {
  return await db.query<CheckpointRow>(CHECKPOINTS, [ids]);
}

export async function readChildren(db: Queryable, requests: readonly string[]): Promise<ChildRow[]> {
  return await db.query<ChildRow>(CHILDREN, [requests]);
}
