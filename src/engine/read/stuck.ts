// What is stuck: no activity and no passing reason to wait for an hour, or ready and unclaimed for an hour while its lane
// claimed younger work, or none. A slow download is not stuck, nor is what somebody holds, asks about or will be tried again.

import { formatId, type ItemId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type FactsRow, findAllFacts } from "../explain/explain.sql.ts";
import { explain } from "../explain/explain.ts";
import type { Explanation } from "../explain/explanation.ts";
import { toFacts } from "../explain/facts.ts";
import type { StageLookup } from "../explain/state.ts";
import { type SuspectRow, stuckSuspects } from "./stuck.sql.ts";

export interface StuckItem {
  readonly item: ItemId;
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  readonly explanation: Explanation;
}

/** More than these nobody looks at one by one. */
const STUCK_MOST = 100;

export async function readStuck(db: Queryable, stagesOf: StageLookup, owner?: string): Promise<StuckItem[]> {
  const stuck: StuckItem[] = [];
  const suspects = await stuckSuspects(db, STUCK_MOST, owner);
  const facts = await findAllFacts(
    db,
    suspects.map(({ id }) => id),
  );
  const rows = new Map(facts.map((row) => [row.id, row]));
  for (const suspect of suspects) {
    const row = rows.get(suspect.id);
    const explanation = row === undefined ? undefined : stuckBy(suspect, row, stagesOf);
    if (row === undefined || explanation === undefined) continue;
    stuck.push({
      item: formatId("item", suspect.id),
      pipeline: row.pipeline,
      version: row.pipeline_version,
      stage: row.stages[row.stage ?? 0] ?? "",
      explanation,
    });
  }
  return stuck;
}

/** Reasons that pass neither by themselves nor by what somebody was asked to do. */
const LASTING: ReadonlySet<string> = new Set(["queued", "no_worker", "undecodable", "unknown"]);
/** A stall is acted upon within a round or two; so long after that, nobody does. */
const OVERDUE_MS = 600_000;

function stuckBy(suspect: SuspectRow, row: FactsRow, stagesOf: StageLookup): Explanation | undefined {
  const stages = stagesOf({ name: row.pipeline, version: row.pipeline_version });
  const explanation = explain(toFacts(row, stages));
  const { reason, since, until } = explanation;
  const lasted = since === null ? 0 : row.now.getTime() - since.getTime();
  switch (suspect.kind) {
    case "unclaimed":
    case "unreadable":
      return LASTING.has(reason) ? explanation : undefined;
    case "held":
      // A visit may take as long as its stage allows it to.
      return reason === "running" && lasted > (stages?.[row.stage ?? 0]?.timeoutMs ?? 0) ? explanation : undefined;
    case "watched": {
      const isOverdue = until === null || row.now.getTime() - until.getTime() > OVERDUE_MS;
      return reason === "outside" && !row.service_open && isOverdue ? explanation : undefined;
    }
  }
}
