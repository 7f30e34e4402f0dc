// A fenced write that has to reach the database, tried again while the database is away and the item is still ours. For
// writes that may be repeated: after a lost reply nobody knows whether the first one arrived.

import type { Clock } from "../../kit/index.ts";

const RETRY_SHORTEST_MS = 50;
const RETRY_LONGEST_MS = 2_000;

/** Undefined when the item is no longer ours. `onFailure` may throw what trying again cannot mend. */
export async function untilAnswered<T>(
  write: () => Promise<T>,
  clock: Clock,
  isOurs: () => boolean,
  onFailure: (error: unknown) => void,
): Promise<T | undefined> {
  for (let delay = RETRY_SHORTEST_MS; isOurs(); delay = Math.min(RETRY_LONGEST_MS, delay * 2)) {
    try {
      return await write();
    } catch (error) {
      onFailure(error);
      await clock.sleep(delay);
    }
  }
  return undefined;
}
