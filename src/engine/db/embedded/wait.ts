// Waiting for something in the world outside this process: a server that comes up, a process that ends, a lock that is
// let go. The limit is counted in time slept, not read from a clock, so a clock step cannot cut a wait short.
import { systemClock } from "../../../kit/index.ts";

export type Sleep = (ms: number) => Promise<unknown>;

export const sleep: Sleep = (ms) => systemClock.sleep(ms);

/** Looks again and again until `look` finds something; undefined when the limit has passed without. */
export async function poll<T>(
  look: () => Promise<T | undefined>,
  limit: { everyMs: number; forMs: number; sleep: Sleep },
): Promise<T | undefined> {
  for (let slept = 0; ; slept += limit.everyMs) {
    const found = await look();
    if (found !== undefined) return found;
    if (slept >= limit.forMs) return undefined;
    await limit.sleep(limit.everyMs);
  }
}
