import type { Clock } from "./clock.ts";
import { type Loop, loop } from "./start-stop.ts";

const AGAIN_SHORTEST_MS = 50;
const AGAIN_LONGEST_MS = 250;

/**
 * A loop for which a failed step is no step: it is tried again soon, not after the whole pause. One lost reply would
 * otherwise cost whoever waits for the step a second, and the end of an outage be noticed that much later. The pause
 * grows only a little: one try in a quarter of a second is no burden to what has to be reached.
 */
export function insistentLoop(
  clock: Clock,
  everyMs: number,
  step: (stopping: AbortSignal) => Promise<void> | void,
  onError: (error: unknown) => void,
): Loop {
  const over = new AbortController();
  let failures = 0;
  const inner = loop(
    clock,
    everyMs,
    async (stopping) => {
      await step(stopping);
      failures = 0;
    },
    (error) => {
      onError(error);
      const delay = Math.min(AGAIN_LONGEST_MS, AGAIN_SHORTEST_MS * 2 ** Math.min(failures, 10));
      failures += 1;
      if (delay < everyMs) void clock.sleep(delay, over.signal).then(() => inner.wake());
    },
  );
  return {
    start: () => inner.start(),
    wake: () => inner.wake(),
    async stop() {
      over.abort();
      await inner.stop();
    },
  };
}
