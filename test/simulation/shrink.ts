// Makes a failure small: takes faults out, half of them at a time, then fewer, as long as the same invariant breaks.

import type { Decision } from "./faults.ts";
import { runSeed, type SeedOptions, type SeedResult } from "./run-seed.ts";

export async function shrink(failed: SeedResult, budgetMs: number, options: SeedOptions = {}): Promise<SeedResult> {
  const until = performance.now() + budgetMs;
  let best = failed;
  // What was decided after the end cannot matter.
  let kept = failed.decisions.filter((decision) => decision.step <= failed.steps);
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length; ) {
      if (performance.now() > until) return best;
      const fewer = [...kept.slice(0, from), ...kept.slice(from + size)];
      const result = await repeat(failed, fewer, options);
      if (result === undefined) from += size;
      else {
        best = result;
        kept = fewer.filter((decision) => decision.step <= result.steps);
      }
    }
  }
  return best;
}

async function repeat(
  failed: SeedResult,
  decisions: readonly Decision[],
  options: SeedOptions,
): Promise<SeedResult | undefined> {
  const last = decisions.at(-1)?.step ?? 0;
  // Healing right after the last fault makes for a short trace.
  for (const steps of [last + 1, undefined]) {
    const result = await runSeed(failed.seed, { ...options, decisions, ...(steps === undefined ? {} : { steps }) });
    if (result.violation?.invariant === failed.violation?.invariant) return result;
  }
  return undefined;
}
