import type { Clock } from "./clock.ts";
import { invariant } from "./errors.ts";

/**
 * Something that runs in the background.
 *
 *     new ──start──▶ running ──stop──▶ stopped          new ──stop──▶ stopped
 *
 * Both may be called twice. A stopped service stays stopped: when shutdown races start-up, shutdown wins.
 */
export interface Service {
  /** Resolves when it is running. */
  start(): Promise<void>;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

export interface Loop extends Service {
  /** Run the step again as soon as possible: now if it sleeps, else right after the step in hand. */
  wake(): void;
}

// Reasons of our own: an abort without one makes an exception with a stack, and loops are woken thousands of times a second.
const WOKEN = "woken";
const STOPPED = "stopped";

/**
 * Runs `step`, sleeps `everyMs`, and so on until stopped. `stop()` waits for the step in hand, whose signal tells it to
 * hurry (so a step must not await its own loop's stop). An error of a step goes to `onError` and the loop goes on;
 * an error of `onError` itself ends the loop and is left unhandled, for a loop must not die in silence.
 */
export function loop(
  clock: Clock,
  everyMs: number,
  step: (stopping: AbortSignal) => Promise<void> | void,
  onError: (error: unknown) => void,
): Loop {
  invariant(everyMs > 0, `a loop needs a pause above zero, got ${everyMs} ms`);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let nap: AbortController | undefined;
  let woken = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      woken = false;
      try {
        await step(stopping.signal);
      } catch (error) {
        onError(error);
        // Otherwise a step that wakes its own loop and then fails would spin.
        woken = false;
      }
      if (woken || stopping.signal.aborted) continue;
      nap = new AbortController();
      await clock.sleep(everyMs, nap.signal);
      nap = undefined;
    }
  }

  return {
    async start() {
      // Not awaited: the first step may take as long as it likes. Not called directly: a stop() from within the first
      // step would find `running` unset and return with the step still in hand.
      if (!stopping.signal.aborted) running ??= Promise.resolve().then(run);
    },
    async stop() {
      stopping.abort(STOPPED);
      nap?.abort(WOKEN);
      await running;
    },
    wake() {
      woken = true;
      nap?.abort(WOKEN);
    },
  };
}
