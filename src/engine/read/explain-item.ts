// Why does this item stand where it stands? Reads the facts and has them explained, those of its parts with them.

import { parseId, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { findAllFacts, findFacts } from "../explain/explain.sql.ts";
import { type ExplainOptions, explain } from "../explain/explain.ts";
import type { Explanation } from "../explain/explanation.ts";
import { toFacts } from "../explain/facts.ts";
import { PARTS_TOLD, type PartFacts, withParts } from "../explain/parts-words.ts";
import type { StageLookup } from "../explain/state.ts";
import { timeWords } from "../explain/time-words.ts";
import { endStateName } from "../items/codes.ts";
import { PARTS_FAILED } from "../items/parts.ts";
import { findItemParts, type ItemPartRow } from "./parts.sql.ts";

export async function explainItem(
  db: Queryable,
  stagesOf: StageLookup,
  item: string,
  options: ExplainOptions = {},
): Promise<Explanation> {
  const id = parseId("item", item, "item");
  const row = await findFacts(db, id);
  if (row === undefined) throw new SluiceError("NOT_FOUND", `there is no item ${item}`, { field: "item" });
  const stages = stagesOf({ name: row.pipeline, version: row.pipeline_version });
  const explanation = explain(toFacts(row, stages), options);
  if (!PARTS_MATTER.has(explanation.reason)) return explanation;
  const parts = (await findItemParts(db, id)).filter((part) => row.run_state === null || part.stage === row.stage);
  const told = await explainParts(db, stagesOf, parts, options);
  const whole = withParts(explanation, told, timeWords(row.now, options.timeZone));
  // With its parts it would have to live again, and cannot.
  const isOver = row.key_taken && row.end_code === PARTS_FAILED;
  return isOver ? { ...whole, actions: whole.actions.filter((action) => action !== "retry-parts") } : whole;
}

/** Of each that is there, by its number; of parts no more than that they are waited for. */
export async function explainItems(
  db: Queryable,
  stagesOf: StageLookup,
  ids: readonly string[],
  options: ExplainOptions = {},
): Promise<Map<string, Explanation>> {
  const rows = await findAllFacts(db, ids);
  return new Map(
    rows.map((row) => {
      const stages = stagesOf({ name: row.pipeline, version: row.pipeline_version });
      return [row.id, explain(toFacts(row, stages), options)];
    }),
  );
}

const PARTS_MATTER: ReadonlySet<string> = new Set(["parts", "withdrawing", "done", "failed"]);

/** The first pending ones with their own sentence: those that wait longest are in nobody's way there. */
async function explainParts(
  db: Queryable,
  stagesOf: StageLookup,
  parts: readonly ItemPartRow[],
  options: ExplainOptions,
): Promise<PartFacts[]> {
  const pending = parts.filter(({ state }) => endStateName(state) === undefined).slice(0, PARTS_TOLD);
  const why = await explainItems(
    db,
    stagesOf,
    pending.map(({ id }) => id),
    options,
  );
  return parts.map(({ id, name, state, code, message, is_whole }) => ({
    ...{ name, code, message, isWhole: is_whole },
    status: endStateName(state) ?? "pending",
    sentence: why.get(id)?.sentence ?? null,
    discreetSentence: why.get(id)?.discreetSentence ?? null,
  }));
}
