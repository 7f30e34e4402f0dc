// Runs of their own kind that some seeds have besides: what chance alone would show in one of thousands.

import type { AnyPipeline } from "../../src/engine/index.ts";
import type { Sluice } from "../../src/engine/sluice.ts";
import { Dice } from "./dice.ts";
import type { FaultKind } from "./faults.ts";
import { hasOutside } from "./outside-pipelines.ts";
import { runSeed, type SeedResult } from "./run-seed.ts";
import { runStarving } from "./starvation.ts";

/** Now and then among the seeds: such a run takes as long as a few others. */
export function specialRuns(seed: number): readonly (() => Promise<SeedResult>)[] {
  if (seed % 25 !== 0) return [];
  return [() => runStarving(seed), () => runAtLeisure(seed), ...(hasOutside(seed) ? [() => runForgotten(seed)] : [])];
}

const ACCIDENTS: readonly FaultKind[] = ["pause", "lostReply", "crashAfter", "longPause", "conflict", "crashBefore"];
const ACCIDENT_EVERY = 90;

/** An accident now and then, and one item after the other: only workers with nothing to do are handed what enters elsewhere. */
export function runAtLeisure(seed: number): Promise<SeedResult> {
  const dice = new Dice(seed, "leisure");
  const decisions = Array.from({ length: 12 }, (_, n) => ({
    ...{ step: 150 + n * ACCIDENT_EVERY + dice.between(0, 80), kind: dice.pick(ACCIDENTS), detail: dice.fraction() },
  }));
  const world = { workers: 2, notify: true, script: () => "done" as const, begin: oneByOne };
  return runSeed(seed, { decisions, world });
}

async function oneByOne(client: Sluice, main: AnyPipeline): Promise<void> {
  for (let n = 0; n < 30; n += 1) {
    const submitted = await client.submit(main as never, [{ n }] as never).catch(() => undefined);
    await submitted?.result();
  }
}

/** No accidents, but services that do not find their jobs: given up and started anew, those go on and nobody owns them. */
function runForgotten(seed: number): Promise<SeedResult> {
  return runSeed(seed, { decisions: [], world: { serviceFaults: { hide: 0.7 } } });
}
