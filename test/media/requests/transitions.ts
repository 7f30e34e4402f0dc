// Counts what is told of transitions while a run goes on: lines of the log, and events of the feed. What is recorded is in the database.

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger, Sluice } from "../../../src/engine/index.ts";
import type { Transitions } from "./evidence.ts";

const RECORDED = {
  name: "proof-transitions",
  text: "select count(*)::int as count from sluice.journal where item_id is not null",
};
const LOOK_MS = 500;
const TOLD_WITHIN_MS = 30_000;

export class TransitionCount {
  #lines = 0;
  #events = 0;

  /** What the server writes its lines to. */
  get log(): Logger {
    const line = (_: string, facts?: object) => {
      if (facts !== undefined && "itemId" in facts) this.#lines += 1;
    };
    const error = (event: string, facts?: object) => {
      line(event, facts);
      if (facts === undefined || !("itemId" in facts)) console.error(event, facts);
    };
    return { info: line, warn: line, error };
  }

  /** Before the first item comes. Resolves when it is over. */
  async follow(sluice: Pick<Sluice, "feed">, over: AbortSignal): Promise<void> {
    for await (const event of sluice.feed({ signal: over })) if (event.item !== undefined) this.#events += 1;
  }

  /** When all is told that is recorded, or time is up: what happens meanwhile is told a little later. */
  async counted({ tables }: Pick<Sluice, "tables">): Promise<Transitions> {
    const limit = performance.now() + TOLD_WITHIN_MS;
    for (;;) {
      const [row] = await tables.query<{ readonly count: number }>(RECORDED, []);
      const counts = { recorded: row?.count ?? 0, events: this.#events, lines: this.#lines };
      const isTold = counts.events === counts.recorded && counts.lines === counts.recorded;
      if (isTold || performance.now() > limit) return counts;
      await sleep(LOOK_MS);
    }
  }
}
