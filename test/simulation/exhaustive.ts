// Short scenarios with one item and two workers, each repeated once for every place where something can wait and every
// accident that can happen there.

import type { AnyPipeline } from "../../src/engine/index.ts";
import type { Sluice } from "../../src/engine/sluice.ts";
import type { FaultKind } from "./faults.ts";
import type { Behaviour } from "./handlers.ts";
import { runSeed, type SeedOptions, type SeedResult } from "./run-seed.ts";

const ACCIDENTS: readonly FaultKind[] = ["crashBefore", "crashAfter", "lostReply", "longPause"];

type Script = (stage: string, nth: number) => Behaviour;
const first = (stage: string, behaviour: Behaviour): Script => (at, nth) => (at === stage && nth === 0 ? behaviour : "done");

const SCENARIOS: Record<string, Script> = {
  plain: () => "done",
  "try again": first("fetch", "transient"),
  children: first("fetch", "spawn"),
  question: first("fetch", "askWithFallback"),
  signal: first("convert", "waitOwn"),
  "back once": first("finish", "back"),
  checkpoint: first("fetch", "checkpoint"),
  "more items": first("finish", "doneWithSpawn"),
};

const submitOne = (client: Sluice, main: AnyPipeline) => client.submit(main as never, [{ n: 1 }] as never, { key: "only" });

export interface ExhaustiveRun {
  readonly scenario: string;
  readonly options: SeedOptions;
}

/** Steps of the run without accidents, up to the item's end. */
const STEPS = 130;

export function exhaustiveRuns(): ExhaustiveRun[] {
  return Object.entries(SCENARIOS).flatMap(([scenario, script]) => {
    const world = { workers: 2, script, begin: submitOne };
    const places = Array.from({ length: STEPS }, (_, index) => index + 1);
    return places.flatMap((step) =>
      ACCIDENTS.map((kind) => ({ scenario, options: { world, steps: step + 5, decisions: [{ step, kind, detail: 0.3 }] } })),
    );
  });
}

export async function runScenario({ options }: ExhaustiveRun): Promise<SeedResult> {
  return await runSeed(1, options);
}

