// Code of the author's that is asked for work: it has a time limit, is told when to stop, and nobody waits for it longer.

import type { Clock } from "../../kit/index.ts";
import { transient } from "../pipeline/fault.ts";

export interface AnswerPorts {
  readonly clock: Clock;
  readonly stopping: AbortSignal;
}

/** Throws what it throws, TIMEOUT when its time is over, and STOPPING when the worker is. */
export async function answerInTime(
  ports: AnswerPorts,
  who: string,
  limitMs: number,
  ask: (signal: AbortSignal) => unknown,
): Promise<unknown> {
  const { clock, stopping } = ports;
  const over = new AbortController();
  const told = new AbortController();
  const ended = clock.sleep(limitMs, AbortSignal.any([over.signal, stopping])).then(() => {
    if (over.signal.aborted) return undefined;
    const fault = stopping.aborted
      ? transient("STOPPING", "the worker is stopping", { breaker: "none" })
      : transient("TIMEOUT", `${who} did not answer within ${limitMs} ms`);
    told.abort(fault);
    throw fault;
  });
  // What comes second is nobody's business any more.
  ended.catch(() => undefined);
  try {
    // In a function of its own, so that what is thrown at once is caught like what is thrown later.
    return await Promise.race([(async () => await ask(told.signal))(), ended]);
  } finally {
    over.abort();
  }
}
