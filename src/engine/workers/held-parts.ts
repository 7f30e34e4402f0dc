// What an item in hand knows of its parts, and a part of its item.

import { endStateName, JOURNAL_KIND } from "../items/codes.ts";
import type { ContextRow } from "../items/context.sql.ts";
import type { PartRow } from "../items/parts.sql.ts";
import type { PartStanding } from "../items/parts.ts";
import type { Place } from "./registry.ts";

/** The item a part belongs to. */
export interface Parent {
  readonly id: string;
  /** That the item belongs to; its parts have one of their own. */
  readonly request: string;
  readonly input: unknown;
}

export interface HeldParts {
  readonly request: string;
  /** All or nothing. */
  readonly isWhole: boolean;
  readonly list: readonly PartRow[];
}

export function partsOf(request: string | undefined, rows: readonly PartRow[]): HeldParts | undefined {
  const list = rows.filter((row) => row.request_id === request);
  const [first] = list;
  return first === undefined ? undefined : { request: first.request_id, isWhole: first.is_whole, list };
}

export function standingOf(row: PartRow): PartStanding {
  const { name, code, message, output } = row;
  return { name, status: endStateName(row.state) ?? "pending", code, message, output };
}

/** What a part's item had when it came into the stage. Later stages may have been passed since: they are not the part's. */
export function outputsBefore(
  { parent, place }: { readonly parent: Parent | undefined; readonly place: Place },
  context: readonly ContextRow[],
): Map<string, unknown> {
  const { index, pipeline } = place;
  const outputs = new Map<string, unknown>();
  for (const row of context) {
    if (parent === undefined || row.item_id !== parent.id || row.stage === null) continue;
    if (row.kind === JOURNAL_KIND.back)
      for (const stage of pipeline.stages.slice(row.to_stage ?? 0)) outputs.delete(stage.name);
    const isOutput = row.kind === JOURNAL_KIND.done || row.kind === JOURNAL_KIND.skip;
    const name = pipeline.stages[row.stage]?.name;
    if (isOutput && row.stage < index && name !== undefined) outputs.set(name, row.output);
  }
  return outputs;
}
