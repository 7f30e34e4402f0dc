// What a look answered, checked: it comes from somebody else's program through somebody else's code.

import { safeText } from "../../kit/index.ts";
import { transient } from "../pipeline/fault.ts";
import type { Seen, SeenState } from "../pipeline/outside.ts";

const STATES: ReadonlySet<SeenState> = new Set(["queued", "running", "paused", "done", "failed", "missing"]);

/**
 * By ref. An answer that leaves one out says nothing about it: that is a bad look and the service's fault, never a job that
 * vanished, because taking silence for an end would start everything again.
 */
export function checkSeen(refs: readonly string[], answer: unknown): ReadonlyMap<string, Seen> {
  if (!Array.isArray(answer)) throw nonsense(`a look has to answer with a list, got ${safeText(answer, 80)}`);
  const seen = new Map<string, Seen>();
  for (const one of answer as readonly Partial<Seen>[]) {
    if (typeof one?.ref !== "string" || !STATES.has(one.state as SeenState)) {
      throw nonsense(`a look answered with something that is no state of a job: ${safeText(JSON.stringify(one), 200)}`);
    }
    seen.set(one.ref, one as Seen);
  }
  const left = refs.filter((ref) => !seen.has(ref));
  if (left.length > 0)
    throw nonsense(`a look did not answer for ${left.length} of ${refs.length} jobs, the first ${left[0]}`);
  return seen;
}

function nonsense(message: string) {
  return transient("BAD_LOOK", message);
}
