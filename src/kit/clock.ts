import { invariant } from "./errors.ts";

/** Time as the code may see it. Durable times come from the database; this one only measures and waits. */
export interface Clock {
  /** Milliseconds since some start; never goes back, whatever happens to the wall clock. */
  monotonic(): number;
  /**
   * Resolves when `ms` have passed, never sooner by `monotonic()`. When the signal aborts it resolves early and does
   * not reject: every caller wakes up to look around, and none of them has use for an AbortError.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

// Node fires a timer over 2^31-1 ms (24.8 days) at once, which would turn a long wait into a hot loop.
const LONGEST_TIMER_MS = 3_600_000;

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  invariant(!Number.isNaN(ms), "sleep(NaN): a timer would fire at once and the caller spin");
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const deadline = performance.now() + ms;
    let timer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      // A signal lives as long as its process: a listener left behind by every sleep would be a leak.
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const arm = () => {
      const left = Math.ceil(deadline - performance.now());
      // Timers may fire a fraction of a millisecond early, hence the second look at the deadline.
      const rung = () => (performance.now() >= deadline ? finish() : arm());
      timer = setTimeout(rung, Math.min(Math.max(left, 0), LONGEST_TIMER_MS));
    };
    signal?.addEventListener("abort", finish);
    arm();
  });
}

/** The machine's clock. Its timers keep the process alive: whoever sleeps is stopped by its signal, not forgotten. */
export const systemClock: Clock = { monotonic: () => performance.now(), sleep };
