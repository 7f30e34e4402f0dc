// A request and where its items stand, in two statements however many items it has.

import { sql } from "kysely";
import type { Queryable } from "../db/database.ts";
import { read, tables } from "../db/kysely.ts";
import { ITEM_STATE } from "../items/codes.ts";

export type RequestRow = NonNullable<Awaited<ReturnType<typeof findRequest>>>;

/** Of `owner`, among others, where one is named. */
export async function findRequest(db: Queryable, id: string, owner?: string) {
  const query = tables
    .selectFrom("sluice.request as q")
    .select(["q.id", "q.parent_id", "q.key", "q.created_at"])
    .select(["q.total", "q.completed", "q.partly", "q.failed", "q.cancelled"])
    .select((from) =>
      from
        .selectFrom("sluice.request_owner as o")
        .select(sql<string[]>`coalesce(array_agg(o.owner order by o.joined_at, o.owner), '{}')`.as("owners"))
        .whereRef("o.request_id", "=", "q.id")
        .as("owners"),
    )
    .where("q.id", "=", id)
    .$if(owner !== undefined, (all) =>
      all.where(sql<boolean>`exists (
        select from sluice.request_owner o where o.request_id = q.id and o.owner = ${owner ?? ""})`),
    );
  const [row] = await read(db, owner === undefined ? "read-request" : "read-request-of", query);
  return row;
}

/** How many items of a request are in one stage, alive or failed there. */
export interface Standing {
  readonly pipeline: string;
  readonly pipeline_version: number;
  readonly stages: readonly string[];
  readonly stage: number | null;
  readonly items: number;
  /** Of their stage, all added up. */
  readonly progress: number;
  /** Whether any of these has begun its work and is not over. */
  readonly has_begun: boolean;
}

/** Progress is linear within a stage, so a sum for each stage is all that the mean over the items needs. */
export async function findStandings(db: Queryable, request: string): Promise<Standing[]> {
  const stage = sql<number | null>`coalesce(r.stage, failed_in.stage)`;
  const query = tables
    .selectFrom("sluice.item as i")
    .innerJoin("sluice.pipeline as p", "p.id", "i.pipeline_id")
    .leftJoin("sluice.run as r", "r.id", "i.id")
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("sluice.journal as j")
          .select("j.stage")
          .whereRef("j.item_id", "=", "i.id")
          .where("j.ended", "=", ITEM_STATE.failed)
          .orderBy("j.version", "desc")
          .limit(1)
          .as("failed_in"),
      (join) => join.on("i.state", "=", ITEM_STATE.failed),
    )
    .select(["p.name as pipeline", "p.version as pipeline_version", "p.stages", stage.as("stage")])
    .select(sql<number>`count(*)::int`.as("items"))
    .select(sql<number>`coalesce(sum(r.progress), 0)::float8`.as("progress"))
    .select(
      sql<boolean>`coalesce(bool_or(r.begun_at is not null or r.stage > 0 or r.series > 1), false)`.as("has_begun"),
    )
    .where("i.request_id", "=", request)
    .where("i.state", "in", [ITEM_STATE.live, ITEM_STATE.failed])
    .groupBy(["p.id", stage]);
  return await read<Standing>(db, "read-standings", query);
}
