// Why do items stand where they stand? Reads the facts and has them explained, those of their parts with them.

import { formatId, type ItemId, parseId, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type FactsRow, findAllFacts } from "../explain/explain.sql.ts";
import { type ExplainOptions, explain } from "../explain/explain.ts";
import type { Explanation } from "../explain/explanation.ts";
import { toFacts } from "../explain/facts.ts";
import { type PartsFacts, withParts } from "../explain/parts-words.ts";
import type { StageLookup } from "../explain/state.ts";
import { timeWords } from "../explain/time-words.ts";
import { ITEM_STATE } from "../items/codes.ts";
import { PARTS_FAILED } from "../items/parts.ts";
import { findToldParts } from "./told-parts.sql.ts";
import { partsFacts } from "./told-parts.ts";

export async function explainItem(
  db: Queryable,
  stagesOf: StageLookup,
  item: string,
  options: ExplainOptions = {},
): Promise<Explanation> {
  const id = parseId("item", item, "item");
  const explanation = (await explainItems(db, stagesOf, [id], options)).get(id);
  if (explanation === undefined) throw new SluiceError("NOT_FOUND", `there is no item ${item}`, { field: "item" });
  return explanation;
}

/** Of each that is there. */
export async function explainEach(
  db: Queryable,
  stagesOf: StageLookup,
  items: readonly ItemId[],
  options: ExplainOptions = {},
): Promise<Map<ItemId, Explanation>> {
  const ids = items.map((item) => parseId("item", item, "items"));
  const why = await explainItems(db, stagesOf, ids, options);
  return new Map([...why].map(([id, explanation]) => [formatId("item", id), explanation]));
}

/** Of each that is there, by its number. */
export async function explainItems(
  db: Queryable,
  stagesOf: StageLookup,
  ids: readonly string[],
  options: ExplainOptions = {},
): Promise<Map<string, Explanation>> {
  const rows = await findAllFacts(db, ids);
  const alone = explainAlone(rows, stagesOf, options);
  const whole = rows.filter(({ id }) => PARTS_MATTER.has(alone.get(id)?.reason ?? ""));
  const told = await findToldParts(
    db,
    whole.map(({ id }) => id),
  );
  const pending = told.flatMap(({ id, state }) => (id !== null && state === ITEM_STATE.live ? [id] : []));
  const why = explainAlone(await findAllFacts(db, pending), stagesOf, options);
  const explained = new Map(alone);
  for (const row of whole) {
    const explanation = alone.get(row.id);
    const own = told.filter(({ item }) => item === row.id);
    if (explanation !== undefined && own.length > 0)
      explained.set(row.id, withItsParts(row, explanation, partsFacts(own, why), options));
  }
  return explained;
}

const PARTS_MATTER: ReadonlySet<string> = new Set(["parts", "withdrawing", "done", "failed"]);

function explainAlone(
  rows: readonly FactsRow[],
  stagesOf: StageLookup,
  options: ExplainOptions,
): Map<string, Explanation> {
  return new Map(
    rows.map((row) => {
      const stages = stagesOf({ name: row.pipeline, version: row.pipeline_version });
      return [row.id, explain(toFacts(row, stages), options)];
    }),
  );
}

function withItsParts(
  row: FactsRow,
  explanation: Explanation,
  parts: PartsFacts,
  options: ExplainOptions,
): Explanation {
  const whole = withParts(explanation, parts, timeWords(row.now, options.timeZone));
  // With its parts it would have to live again, and cannot.
  const isOver = row.key_taken && row.end_code === PARTS_FAILED;
  return isOver ? { ...whole, actions: whole.actions.filter((action) => action !== "retry-parts") } : whole;
}
