// One item with all that a page about it shows.

import { sql } from "kysely";
import type { Queryable, Statement } from "../db/database.ts";
import { read, tables } from "../db/kysely.ts";
import { ITEM_STATE, JOURNAL_KIND } from "../items/codes.ts";

export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>;

/** Of `owner` alone, where one is named, and of what that one has joined. */
export async function findItem(db: Queryable, id: string, owner?: string) {
  const query = tables
    .selectFrom("sluice.item as i")
    .innerJoin("sluice.pipeline as p", "p.id", "i.pipeline_id")
    .leftJoin("sluice.run as r", "r.id", "i.id")
    // How it ended, or its last fault while it lives.
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("sluice.journal as j")
          .select(["j.stage", "j.attempt", "j.series", "j.code", "j.message", "j.at"])
          .whereRef("j.item_id", "=", "i.id")
          .where(
            sql<boolean>`case when i.state = ${sql.lit(ITEM_STATE.live)} then j.kind = ${sql.lit(JOURNAL_KIND.fault)} else j.ended <> 0 end`,
          )
          .orderBy("j.version", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("sluice.journal as j")
          .select(sql<Date>`j.at - j.took_ms * interval '1 millisecond'`.as("at"))
          .whereRef("j.item_id", "=", "i.id")
          .where("j.took_ms", "is not", null)
          .orderBy("j.version")
          .limit(1)
          .as("first"),
      (join) => join.onTrue(),
    )
    .leftJoin("sluice.checkpoint as c", "c.run_id", "i.id")
    .select([
      "i.id",
      "i.request_id",
      "i.state as end_state",
      "i.created_at",
      "i.finished_at",
      "i.owner",
      "i.key",
      "i.input",
    ])
    .select(
      sql<string | null>`case when i.part is not null then (
        select q.parent_id from sluice.request q where q.id = i.request_id) end`.as("part_of"),
    )
    .select(["i.title", "i.part", "i.priority", "p.name as pipeline", "p.version as pipeline_version", "p.stages"])
    .select(["r.state as run_state", "r.reason", "r.ready_at", "r.since", "r.stage as run_stage"])
    .select(["r.attempts", "r.series", "r.progress"])
    .select(sql<boolean>`r.begun_at is not null`.as("has_begun"))
    .select(sql<boolean>`coalesce(r.ready_at <= sluice.now(), false)`.as("is_due"))
    .select(["last.stage as last_stage", "last.attempt as last_attempt", "last.series as last_series"])
    .select(["last.code", "last.message", "last.at as last_at"])
    .select(sql<Date | null>`coalesce(first.at, r.begun_at)`.as("started_at"))
    .select(["c.stage as checkpoint_stage", "c.written_at as checkpoint_at"])
    .select(sql<string | null>`c.value::text`.as("checkpoint"))
    .where("i.id", "=", id)
    // One's own, or what one has joined.
    .$if(owner !== undefined, (all) =>
      all.where(
        sql<boolean>`(i.owner = ${owner ?? null} or exists (
          select from sluice.request_owner o where o.request_id = i.request_id and o.owner = ${owner ?? null}))`,
      ),
    );
  const [row] = await read(db, owner === undefined ? "read-item" : "read-item-of", query);
  return row;
}

export interface OutputRow {
  readonly stage: number | null;
  readonly output: unknown;
}

/** What each finished stage handed on; of a stage that was done again, the last, and nothing while that is to come. */
export async function findOutputs(db: Queryable, item: string): Promise<OutputRow[]> {
  const query = tables
    .selectFrom("sluice.journal as j")
    .distinctOn("j.stage")
    .select(["j.stage", "j.output"])
    .where("j.item_id", "=", item)
    .where("j.kind", "in", [JOURNAL_KIND.done, JOURNAL_KIND.skip])
    .where("j.output", "is not", null)
    // Sent back or replayed since: it is done again, and may hand on something else or nothing.
    .where(
      sql<boolean>`not exists (
        select from sluice.journal b
        where b.item_id = j.item_id and b.version > j.version and b.to_stage <= j.stage
          and b.kind in (${sql.lit(JOURNAL_KIND.back)}, ${sql.lit(JOURNAL_KIND.replayed)}))`,
    )
    .orderBy("j.stage")
    .orderBy("j.version", "desc");
  return await read<OutputRow>(db, "read-outputs", query);
}

export interface OutsideRow {
  readonly service: string;
  readonly stage: string | null;
  readonly ref: string | null;
  readonly since: Date;
  readonly is_owed: boolean;
}

// What is watched is known by the run's own reference; what was left behind, by what was learnt of it.
const OUTSIDE: Statement = {
  name: "read-outside",
  text: `
select n.service, p.stages[n.stage + 1] as stage, coalesce(n.ref, case when n.owed_at is null and n.stage = r.stage then r.ref end) as ref,
  n.intended_at as since, n.owed_at is not null as is_owed
from sluice.intent n
join sluice.pipeline p on p.id = n.pipeline_id
left join sluice.run r on r.id = n.item_id
where n.item_id = $1 and n.over_at is null
order by n.intended_at, n.key
limit 100`,
};

/** What exists outside for an item, or may. */
export async function findOutside(db: Queryable, item: string): Promise<OutsideRow[]> {
  return await db.query<OutsideRow>(OUTSIDE, [item]);
}
