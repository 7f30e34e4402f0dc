// Short scenarios with one item and two workers, each repeated once for every place where something can wait and every
// accident that can happen there.

import type { AnyPipeline } from "../../src/engine/index.ts";
import type { Sluice } from "../../src/engine/sluice.ts";
import type { FaultKind } from "./faults.ts";
import type { Behaviour } from "./handlers.ts";
import { runSeed, type SeedOptions, type SeedResult } from "./run-seed.ts";

const ACCIDENTS: readonly FaultKind[] = ["crashBefore", "crashAfter", "lostReply", "longPause"];
const NOT_OF_STATEMENTS: readonly FaultKind[] = ["crashBefore", "longPause"];

type Script = (stage: string, nth: number) => Behaviour;
const first =
  (stage: string, behaviour: Behaviour): Script =>
  (at, nth) =>
    at === stage && nth === 0 ? behaviour : "done";

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

/** The second thing a stage does after a wait whose time was over before its signal came. */
export const afterOwnWait =
  (second: Behaviour): Script =>
  (stage, nth) => {
    if (stage !== "convert" || nth > 1) return "done";
    return nth === 0 ? "waitOwn" : second;
  };

export const submitOne = (client: Sluice, main: AnyPipeline) =>
  client.submit(main as never, [{ n: 1 }] as never, { key: "only" });

export interface ExhaustiveRun {
  readonly scenario: string;
  readonly options: SeedOptions;
}

/** Every place where something waited between the submission and the last settlement of a run without accidents. */
export async function exhaustiveRuns(): Promise<ExhaustiveRun[]> {
  const runs: ExhaustiveRun[] = [];
  for (const [scenario, script] of Object.entries(SCENARIOS)) {
    const world = { workers: 2, script, begin: submitOne };
    for (const { step, isStatement } of await yieldPoints(world)) {
      for (const kind of isStatement ? ACCIDENTS : NOT_OF_STATEMENTS) {
        runs.push({ scenario, options: { world, steps: step + AFTERWARDS, decisions: [{ step, kind, detail: 0.3 }] } });
      }
    }
  }
  return runs;
}

/** The client and the workers take so many steps to get there; a run is over long before that. */
const STEPS_MOST = 400;
/** Steps with everybody still hostile after the accident, before healing. */
const AFTERWARDS = 5;

async function yieldPoints(world: SeedOptions["world"]): Promise<{ step: number; isStatement: boolean }[]> {
  const { lines, violation } = await runSeed(1, {
    ...(world === undefined ? {} : { world }),
    decisions: [],
    steps: STEPS_MOST,
  });
  if (violation !== undefined) throw violation;
  // "17 203.4 w2@host2 settle": lines that begin otherwise are no steps.
  const steps = lines.map((line) => /^(\d+) \S+ (\S+) (.*)$/.exec(line)).filter((match) => match !== null);
  const [begin, end] = [
    steps.findIndex(([, , , label]) => label?.startsWith("submit")),
    steps.findLastIndex(([, , , label]) => label?.startsWith("settle")),
  ];
  return steps
    .slice(begin, end + AFTERWARDS)
    .filter(([, , party]) => party !== "world" && party !== "client")
    .map(([, step, , label = ""]) => ({
      step: Number(step),
      isStatement: /^[a-z][a-z-]*$/.test(label) && label !== "wakes",
    }));
}

export async function runScenario({ options }: ExhaustiveRun): Promise<SeedResult> {
  return await runSeed(1, options);
}
