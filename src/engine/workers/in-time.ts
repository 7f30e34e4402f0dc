// A call on nobody's behalf, with an end: no visit's deadline covers it.

import type { Clock } from "../../kit/index.ts";
import { transient } from "../pipeline/fault.ts";

/** What is still going on after that is left to itself; nobody waits for it. */
export async function inTime<Result>(
  clock: Clock,
  what: string,
  limitMs: number,
  work: Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const late = clock.sleep(limitMs, over.signal).then(() => {
    if (!over.signal.aborted) throw transient("TIMEOUT", `${what} took longer than ${limitMs} ms`);
    return undefined as never;
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
