import type { Clock } from "../clock.ts";
import { invariant } from "../errors.ts";

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time on, waking sleepers in order of their deadlines and letting each run until it waits again. */
  advance(ms: number): Promise<void>;
  /** Lets everything that can run without time passing run until it waits. */
  settle(): Promise<void>;
  /** How many are asleep. */
  sleepers(): number;
}

export function manualClock(startMs = 0): ManualClock {
  let now = startMs;
  const asleep = new Set<{ readonly deadline: number; readonly finish: () => void }>();
  // One turn of the event loop drains all promise callbacks, however long their chain.
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

  return {
    monotonic: () => now,
    async sleep(ms, signal) {
      invariant(!Number.isNaN(ms), "sleep(NaN)");
      if (signal?.aborted) return;
      await new Promise<void>((resolve) => {
        const sleeper = {
          deadline: now + Math.max(ms, 0),
          finish: () => {
            asleep.delete(sleeper);
            signal?.removeEventListener("abort", sleeper.finish);
            resolve();
          },
        };
        asleep.add(sleeper);
        signal?.addEventListener("abort", sleeper.finish);
      });
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = [...asleep].sort((a, b) => a.deadline - b.deadline)[0];
        if (next === undefined || next.deadline > end) break;
        now = Math.max(now, next.deadline);
        next.finish();
        await settle();
      }
      now = end;
    },
    settle,
    sleepers: () => asleep.size,
  };
}
