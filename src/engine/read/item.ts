// One item, read for people and programs. Never for decisions: it is true at the moment it was read.

import { parseId, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import type { StageFacts, StageLookup } from "../explain/state.ts";
import { findItem, findOutputs, type ItemRow, type OutputRow } from "./item.sql.ts";
import { type ItemLine, toLine } from "./item-line.ts";
import { findItemParts, type ItemPartRow } from "./parts.sql.ts";
import { type PartView, toPartView } from "./parts.ts";

export interface ItemView extends ItemLine {
  readonly series: number;
  /** Of its stage, in percent. */
  readonly stageProgress: number | null;
  readonly message: string | null;
  readonly input: unknown;
  /** By stage. */
  readonly outputs: { readonly [stage: string]: unknown };
  /** Of each stage that works in parts, those it made last. */
  readonly parts: readonly PartView[];
}

/** Another's is not there, where an owner is named. */
export async function readItem(db: Queryable, stagesOf: StageLookup, item: string, owner?: string): Promise<ItemView> {
  const id = parseId("item", item, "item");
  const row = await findItem(db, id, owner);
  if (row === undefined) throw new SluiceError("NOT_FOUND", `there is no item ${item}`, { field: "item" });
  const stages = stagesOf({ name: row.pipeline, version: row.pipeline_version });
  return toView(row, await findOutputs(db, id), await findItemParts(db, id), stages);
}

function toView(
  row: ItemRow,
  outputs: readonly OutputRow[],
  parts: readonly ItemPartRow[],
  stages: readonly StageFacts[] | undefined,
): ItemView {
  return {
    ...toLine(row, stages),
    series: row.series ?? row.last_series ?? 1,
    stageProgress: row.progress,
    message: row.message,
    input: row.input,
    outputs: Object.fromEntries(
      outputs.flatMap(({ stage, output }) => {
        const name = stage === null ? undefined : row.stages[stage];
        return name === undefined ? [] : [[name, output]];
      }),
    ),
    parts: parts.map((part) => toPartView(part, row.stages)),
  };
}
