// What is told of an item's parts, from the rows that were read of them. Pure.

import type { Explanation } from "../explain/explanation.ts";
import { PARTS_TOLD, type PartsFacts, type SomeParts } from "../explain/parts-words.ts";
import { ITEM_STATE } from "../items/codes.ts";
import type { ToldPartRow } from "./told-parts.sql.ts";

/** `rows`: of one item. `why`: of its pending parts, by their numbers. */
export function partsFacts(rows: readonly ToldPartRow[], why: ReadonlyMap<string, Explanation>): PartsFacts {
  const generations = [...new Map(rows.map((row) => [row.stage, row])).values()];
  const sum = (of: (row: ToldPartRow) => number) => generations.reduce((all, row) => all + of(row), 0);
  const some = (state: number, count: number): SomeParts => ({ count, told: toldOf(rows, state, why) });
  const [total, done] = [sum((row) => row.total), sum((row) => row.done)];
  const [failed, cancelled] = [sum((row) => row.failed), sum((row) => row.cancelled)];
  return {
    total,
    done,
    pending: some(ITEM_STATE.live, total - done - failed - cancelled),
    failed: some(ITEM_STATE.failed, failed),
    cancelled: some(ITEM_STATE.cancelled, cancelled),
    canRetry: generations.some((row) => row.failed > 0 && !row.is_whole),
  };
}

function toldOf(rows: readonly ToldPartRow[], state: number, why: ReadonlyMap<string, Explanation>): SomeParts["told"] {
  return rows
    .filter((row) => row.state === state)
    .slice(0, PARTS_TOLD)
    .map(({ id, name, code, message }) => ({
      ...{ name: name ?? "", code, message },
      sentence: why.get(id ?? "")?.sentence ?? null,
      discreetSentence: why.get(id ?? "")?.discreetSentence ?? null,
    }));
}
