// Reads what claimed items bring along, for those that bring anything.

import type { Queryable } from "../db/database.ts";
import { JOURNAL_KIND, RUN_FLAG } from "../items/codes.ts";
import { type ContextRow, readCheckpoints, readChildren, readContext } from "../items/context.sql.ts";
import { readParents, readParts } from "../items/parts.sql.ts";
import { type Held, joinedRequest, unpack } from "./held.ts";

export async function bringContext(db: Queryable, claimed: readonly Held[]): Promise<void> {
  const laden = claimed.filter((held) => held.row.flags !== 0 || held.row.part !== null);
  if (laden.length === 0) return;
  await bringParents(db, laden);
  const parents = laden.map((held) => held.parent?.id).filter((id) => id !== undefined);
  const context = await readContext(db, [...laden.map((held) => held.row.id), ...new Set(parents)]);
  const saved = laden.filter((held) => (held.row.flags & RUN_FLAG.hasCheckpoint) !== 0).map((held) => held.row.id);
  const checkpoints = saved.length > 0 ? await readCheckpoints(db, saved) : [];
  const joined = joinedBy(laden, context);
  const children = joined.children.length > 0 ? await readChildren(db, joined.children) : [];
  const parts = await readParts(db, joined.parts);
  const byItem = Map.groupBy(context, (row) => row.item_id);
  for (const held of laden) {
    // Its own and its parent's alone: looking through those of all others would grow with the square of the batch.
    const own = [held.row.id, held.parent?.id ?? ""].flatMap((id) => byItem.get(id) ?? []);
    unpack(held, { context: own, checkpoints, children, parts });
  }
}

/** A part works with its item's input and outputs: copies would be as large as the item, for each of a thousand parts. */
async function bringParents(db: Queryable, claimed: readonly Held[]): Promise<void> {
  const parts = claimed.filter((held) => held.row.part !== null);
  const rows = await readParents(db, [...new Set(parts.map((held) => held.row.request_id))]);
  const byRequest = new Map(rows.map((row) => [row.request_id, row]));
  for (const held of parts) {
    const row = byRequest.get(held.row.request_id);
    if (row !== undefined) held.parent = { id: row.id, request: row.parent_request, input: row.input };
  }
}

/** Requests that these items waited for: of children they spawned, and of their own parts, as far as they still matter. */
function joinedBy(claimed: readonly Held[], context: readonly ContextRow[]): { children: string[]; parts: string[] } {
  const holders = new Map(claimed.map((held) => [held.row.id, held]));
  const joined = { children: [] as string[], parts: [] as string[] };
  for (const row of context) {
    const held = holders.get(row.item_id);
    const request = joinedRequest(row.output);
    if (held === undefined || request === undefined || row.kind !== JOURNAL_KIND.joined) continue;
    const hasParts = held.row.part === null && held.place.pipeline.stages[row.stage ?? -1]?.parts !== undefined;
    if (!hasParts) joined.children.push(request);
    else if (row.stage === held.place.index && row.series === held.series) joined.parts.push(request);
  }
  return joined;
}
