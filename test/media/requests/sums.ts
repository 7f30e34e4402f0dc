// What a run has come to, in numbers that more than one page tells. Pure.

import { isCompleted, isNowhere } from "./check.ts";
import type { Evidence, ItemFacts } from "./evidence.ts";

/** Requests of which all is there that they have asked for, and they have asked for something. */
export function fulfilled({ items }: Evidence): number {
  const films = items.filter(({ asked }) => asked !== null);
  const requests = [...Map.groupBy(films, ({ request }) => request).values()];
  return requests.filter((all) => all.every(isCompleted)).length;
}

export interface Recovery {
  readonly troubles: number;
  readonly recovered: number;
}

/**
 * Everything that went wrong on the way, and how much of that on the way of what has arrived, or waits for nothing but that somebody
 * has it. A part's way is its item's.
 */
export function recovery({ items, unknown }: Evidence): Recovery {
  const isOver = (item: ItemFacts) => item.state === "done" || isNowhere(item, unknown);
  const over = new Set(items.filter(isOver).map(({ id }) => id));
  const isTrouble = ({ outcome, code }: ItemFacts["history"][number]) =>
    outcome === "fault" || outcome === "back" || (outcome === "seen" && code !== "DONE");
  const troubles = items.flatMap(({ id, partOf, history }) =>
    history.filter(isTrouble).map(() => over.has(partOf ?? id)),
  );
  return { troubles: troubles.length, recovered: troubles.filter(Boolean).length };
}
