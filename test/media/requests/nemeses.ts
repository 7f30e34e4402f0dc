// Carries out what was planned to be broken, and notes what really was.

import { setTimeout as sleep } from "node:timers/promises";
import type { Things } from "../../../sandbox/things.ts";
import type { Broken } from "./evidence.ts";
import type { Outage } from "./plan.ts";

export class Nemeses {
  readonly broken: Broken[] = [];
  readonly #things: Things;
  readonly #say: (line: string) => void;

  constructor(things: Things, say: (line: string) => void) {
    this.#things = things;
    this.#say = say;
  }

  /** Each thing for itself: several are broken at a time. Resolves when all of them are mended again. */
  async carryOut(plan: readonly Outage[], over: AbortSignal): Promise<void> {
    const began = performance.now();
    const byThing = Map.groupBy(plan, ({ thing }) => thing);
    await Promise.all(
      [...byThing.values()].map(async (outages) => {
        for (const outage of outages) {
          await until(began + outage.atMs, over);
          if (!over.aborted) await this.#one(outage, over);
        }
      }),
    );
  }

  async #one(outage: Outage, over: AbortSignal): Promise<void> {
    const { thing, fault, ms } = outage;
    const from = new Date();
    await this.#things.break(thing, fault);
    await until(performance.now() + ms, over);
    await this.#mend(thing, fault);
    this.broken.push({ ...outage, from, to: new Date() });
  }

  /** A process that does not come up is started again: whoever runs one would do that. */
  async #mend(thing: string, fault: string): Promise<void> {
    await this.#things.mend(thing, fault).catch(async (error: unknown) => {
      this.#say(`${thing} did not come back at once: ${String(error).slice(0, 2_000)}`);
      await this.#things.mend(thing, fault);
    });
  }

  fired(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { thing, fault } of this.broken) {
      const name = `${thing} ${fault}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }
}

export async function until(atMs: number, over: AbortSignal): Promise<void> {
  const ms = atMs - performance.now();
  if (ms > 0) await sleep(ms, undefined, { signal: over }).catch(() => undefined);
}
