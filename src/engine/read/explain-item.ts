// Why does this item stand where it stands? Reads the facts and has them explained.

import { parseId, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { findFacts } from "../explain/explain.sql.ts";
import { type ExplainOptions, explain } from "../explain/explain.ts";
import type { Explanation } from "../explain/explanation.ts";
import { toFacts } from "../explain/facts.ts";
import type { StageLookup } from "../explain/state.ts";

export async function explainItem(
  db: Queryable,
  stagesOf: StageLookup,
  item: string,
  options: ExplainOptions = {},
): Promise<Explanation> {
  const row = await findFacts(db, parseId("item", item, "item"));
  if (row === undefined) throw new SluiceError("NOT_FOUND", `there is no item ${item}`, { field: "item" });
  return explain(toFacts(row, stagesOf({ name: row.pipeline, version: row.pipeline_version })), options);
}
