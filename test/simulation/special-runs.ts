// Runs of their own kind that some seeds have besides: what chance alone would show in one of thousands.

import { hasOutside } from "./outside-pipelines.ts";
import { runSeed, type SeedResult } from "./run-seed.ts";
import { runStarving } from "./starvation.ts";

/** Now and then among the seeds: such a run takes as long as a few others. */
export function specialRuns(seed: number): readonly (() => Promise<SeedResult>)[] {
  if (seed % 25 !== 0) return [];
  return [() => runStarving(seed), ...(hasOutside(seed) ? [() => runForgotten(seed)] : [])];
}

/** No accidents, but services that do not find their jobs: given up and started anew, those go on and nobody owns them. */
function runForgotten(seed: number): Promise<SeedResult> {
  return runSeed(seed, { decisions: [], world: { serviceFaults: { hide: 0.7 } } });
}
