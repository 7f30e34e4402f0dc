// One call, and what ends it: its own end, the visit's, or the clock.

import type { Clock } from "../../kit/index.ts";
import { transient } from "../pipeline/fault.ts";
import type { MeasuredPlace } from "./measures.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** How long it may take where there is no signal to say so. Default 60 s. */
  readonly timeoutMs?: number;
  /** It comes from the service's own lane, which has counted it to its ramp. */
  readonly isInside?: boolean;
  /** The claim has taken its place in the rate already. */
  readonly isPaid?: boolean;
  /** The epoch under which the service's probe is held, where this is the probe. */
  readonly probe?: string | undefined;
  /** Whose work it is for, where it is a stage's. */
  readonly place?: MeasuredPlace | undefined;
}

const TIMEOUT_MS = 60_000;

/** What is still going on after that is left to itself. `took` is told how long it was, however it ended. */
export async function within<Result>(
  work: Promise<Result>,
  options: CallOptions,
  clock: Clock,
  took: (ms: number) => void,
): Promise<Result> {
  const { signal, timeoutMs = TIMEOUT_MS } = options;
  const began = clock.monotonic();
  const over = new AbortController();
  const late = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { signal: over.signal });
    if (signal !== undefined) return;
    void clock.sleep(timeoutMs, over.signal).then(() => {
      reject(transient("TIMEOUT", `no answer within ${timeoutMs} ms`));
    });
  });
  // Whichever comes first counts; the other one must not be an unhandled rejection.
  work.catch(() => undefined);
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    took(clock.monotonic() - began);
  }
}
