// What an item in hand knows of its parts, and a part of its item.

import { endStateName } from "../items/codes.ts";
import type { ContextRow } from "../items/context.sql.ts";
import { outputsUpTo } from "../items/outputs.ts";
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
  const rows = parent === undefined ? [] : context.filter((row) => row.item_id === parent.id);
  const outputs = new Map<string, unknown>();
  for (const [stage, output] of outputsUpTo(index, rows)) {
    const name = pipeline.stages[stage]?.name;
    if (name !== undefined) outputs.set(name, output);
  }
  return outputs;
}
