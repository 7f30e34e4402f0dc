// Many seeds over several processes: a database each, so nothing is shared but the list of what to run.

import { fork } from "node:child_process";
import { Counts } from "./counts.ts";
import { exhaustiveRuns, runScenario } from "./exhaustive.ts";
import { failureText } from "./report.ts";
import { runSeed, type SeedResult } from "./run-seed.ts";
import { shrink } from "./shrink.ts";
import { specialRuns } from "./special-runs.ts";

export interface Share {
  readonly kind: "seeds" | "exhaustive";
  readonly from: number;
  readonly count: number;
  /** This process takes every `of`-th, beginning with `which`. */
  readonly which: number;
  readonly of: number;
}

export interface Told {
  readonly counts: [string, number][];
  /** What to print, where something broke. */
  readonly failure: string | undefined;
}

const SHRINK_MS = 25_000;
const SHRUNK_MOST = 3;

/** Does one share of the work in this process. */
export async function runShare(share: Share, tell: (told: Told) => void): Promise<void> {
  let failures = 0;
  const report = async (result: SeedResult, small: () => Promise<SeedResult>, runs = 1) => {
    const counts: [string, number][] = [...result.counts, ["steps", result.steps], ["runs", runs]];
    if (result.violation === undefined) return tell({ counts, failure: undefined });
    failures += 1;
    tell({ counts, failure: failureText(result, failures > SHRUNK_MOST ? result : await small()) });
  };
  if (share.kind === "exhaustive") {
    for (const [index, run] of (await exhaustiveRuns()).entries()) {
      if (index % share.of !== share.which) continue;
      const result = await runScenario(run);
      await report(result, async () => ({ ...result, lines: [`scenario: ${run.scenario}`, ...result.lines] }));
    }
    return;
  }
  for (let seed = share.from + share.which; seed < share.from + share.count; seed += share.of) {
    const result = await runSeed(seed);
    await report(result, () => shrink(result, SHRINK_MS));
    for (const run of specialRuns(seed)) {
      const special = await run();
      // The same seed: it is counted already.
      await report(special, async () => special, 0);
    }
  }
}

/** Spreads the work over processes of their own and adds up what they tell. */
export async function runCampaign(
  work: Pick<Share, "kind" | "from" | "count">,
  processes: number,
  tell: (told: Told) => void,
): Promise<Counts> {
  const counts = new Counts();
  const shares = Array.from({ length: processes }, (_, which): Share => ({ ...work, which, of: processes }));
  await Promise.all(
    shares.map(
      (share) =>
        new Promise<void>((resolve, reject) => {
          const child = fork(new URL("./cli.ts", import.meta.url), ["--share", JSON.stringify(share)]);
          child.on("message", (told: Told) => {
            counts.merge(told.counts);
            tell(told);
          });
          child.on("error", reject);
          child.on("exit", (code, signal) =>
            code === 0 ? resolve() : reject(new Error(`a simulating process ended with ${code ?? signal}`)),
          );
        }),
    ),
  );
  return counts;
}
