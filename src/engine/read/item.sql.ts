// One item with all that a page about it shows.

import { sql } from "kysely";
import type { Queryable } from "../db/database.ts";
import { read, tables } from "../db/kysely.ts";
import { ITEM_STATE, JOURNAL_KIND } from "../items/codes.ts";

export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>;

/** Of `owner` alone, where one is named. */
export async function findItem(db: Queryable, id: string, owner?: string) {
  const query = tables
    .selectFrom("sluice.item as i")
    .innerJoin("sluice.pipeline as p", "p.id", "i.pipeline_id")
    .leftJoin("sluice.run as r", "r.id", "i.id")
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("sluice.journal as j")
          .select(["j.stage", "j.attempt", "j.series", "j.code", "j.message"])
          .whereRef("j.item_id", "=", "i.id")
          .where("j.ended", "<>", 0)
          .orderBy("j.version", "desc")
          .limit(1)
          .as("last"),
      (join) => join.on("i.state", "<>", ITEM_STATE.live),
    )
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
    .select(["i.part", "i.priority", "p.name as pipeline", "p.version as pipeline_version", "p.stages"])
    .select(["r.state as run_state", "r.reason", "r.ready_at", "r.since", "r.stage as run_stage"])
    .select(["r.attempts", "r.series", "r.progress"])
    .select(sql<boolean>`r.begun_at is not null`.as("has_begun"))
    .select(sql<boolean>`coalesce(r.ready_at <= sluice.now(), false)`.as("is_due"))
    .select(["last.stage as last_stage", "last.attempt as last_attempt", "last.series as last_series"])
    .select(["last.code", "last.message"])
    .where("i.id", "=", id)
    .$if(owner !== undefined, (all) => all.where("i.owner", "=", owner ?? null));
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
