// Waits and what ends them.

import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import type { Counts } from "./counts.ts";
import type { Snapshot } from "./snapshot.sql.ts";
import { Violation } from "./violation.ts";

/** Whoever waits without an end has something that ends it, and nothing waits for the dead. */
export function checkWaits(next: Snapshot, counts: Counts): void {
  const waiters = new Map(next.waiters.map((waiter) => [waiter[0], waiter]));
  const asking = new Map(next.questions.map(([, run]) => [run, true]));
  const runs = new Map(next.runs.map((run) => [run[0], run]));
  for (const run of next.runs) {
    const [id, , , , , , state, , , flags, reason, isForever] = run;
    const hasEnd = waiters.has(id) || asking.has(id);
    if (state === 0 && isForever && !hasEnd)
      throw new Violation("waits", `item ${id} waits for ever (${reason}) and nothing ends it`);
    if (((flags & 4) !== 0) !== waiters.has(id))
      throw new Violation("waits", `item ${id} and its row of waiting disagree`);
    if (state === 0 && hasEnd) counts.add("checked: waits");
  }
  for (const [, item, , , kind] of next.journal) {
    // It has entered another stage: what it waited for before is over.
    const { done, skip, back, replayed } = JOURNAL_KIND;
    const hasMoved = kind === done || kind === skip || kind === back || kind === replayed;
    if (item !== null && hasMoved && waiters.has(item))
      throw new Violation("waits", `item ${item} went on and still waits for ${waiters.get(item)?.[2]}`);
  }
  for (const [id] of waiters)
    if (asking.has(id)) throw new Violation("waits", `item ${id} asks, and waits for ${waiters.get(id)?.[2]} as well`);
  for (const [id] of waiters) if (!runs.has(id)) throw new Violation("waits", `item ${id} has ended and still waits`);
  for (const [id] of asking) {
    const run = runs.get(id);
    if (run === undefined || run[6] !== 0 || run[10] !== "question")
      throw new Violation("waits", `item ${id} no longer waits with its question, which is open`);
  }
}
