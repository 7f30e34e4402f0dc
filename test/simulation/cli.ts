// npm run sim -- --seeds N [--from S] [--seed S [--faults "…"]] [--exhaustive] [--processes N] [--verbose]

import { parseArgs } from "node:util";
import { runCampaign, runShare, type Share, type Told } from "./campaign.ts";
import { failureText, neverSeen, parseFaults, summary } from "./report.ts";
import { runSeed } from "./run-seed.ts";
import { shrink } from "./shrink.ts";
import { specialRuns } from "./special-runs.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    faults: { type: "string" },
    exhaustive: { type: "boolean", default: false },
    processes: { type: "string", default: "2" },
    verbose: { type: "boolean", default: false },
    share: { type: "string" },
  },
});
/** Below this many seeds a rare thing may well be missing by chance. */
const ENOUGH_SEEDS = 500;
const SHRINK_MS = 60_000;

if (values.share !== undefined) await runAsChild(JSON.parse(values.share) as Share);
else if (values.seed !== undefined) await runOne(Number(values.seed), values.faults);
else await runMany();

async function runAsChild(share: Share): Promise<void> {
  // Whoever asked for this is gone.
  process.on("disconnect", () => process.exit(1));
  await runShare(share, (told) => process.send?.(told));
  // The database in this process would keep it alive. What was told has to be on its way first.
  process.send?.({ counts: [], failure: undefined }, () => process.exit(0));
}

async function runOne(seed: number, faults: string | undefined): Promise<void> {
  const asked = await runSeed(seed, faults === undefined ? {} : { decisions: parseFaults(faults) });
  let result = asked;
  for (const run of faults === undefined ? specialRuns(seed) : []) {
    if (result.violation !== undefined) break;
    result = await run();
  }
  console.log(
    `seed ${seed}: ${result.steps} steps, ${Math.round(result.virtualMs / 1000)} s of virtual time, trace ${result.fingerprint}`,
  );
  if (values.verbose)
    console.log([...result.lines, ...result.counts.map(([name, times]) => `${times}  ${name}`)].join("\n"));
  if (result.violation !== undefined) {
    const small = faults === undefined && result === asked ? await shrink(result, SHRINK_MS) : result;
    console.log(failureText(result, small));
  }
  console.log(`1 seeds, ${result.steps} steps, ${result.violation === undefined ? 0 : 1} violations`);
  process.exit(result.violation === undefined ? 0 : 1);
}

async function runMany(): Promise<void> {
  const kind = values.exhaustive ? "exhaustive" : "seeds";
  const count = Number(values.seeds);
  let violations = 0;
  let runs = 0;
  const tell = ({ counts: told, failure }: Told) => {
    if (told.length === 0) return;
    runs += 1;
    if (failure !== undefined) {
      violations += 1;
      console.log(failure);
    }
    if (runs % 100 === 0) console.log(`${runs} ${values.exhaustive ? "accidents" : "runs"}`);
  };
  const counts = await runCampaign({ kind, from: Number(values.from), count }, Number(values.processes), tell);
  if (values.verbose)
    for (const [name, times] of counts.entries()) console.log(`${String(times).padStart(9)}  ${name}`);
  const missing = !values.exhaustive && count >= ENOUGH_SEEDS ? neverSeen(counts) : [];
  for (const name of missing) console.log(`never seen: ${name}`);
  const line = summary(counts.of("runs"), counts, violations);
  console.log(values.exhaustive ? line.replace(" seeds", " accidents") : line);
  process.exit(violations > 0 || missing.length > 0 ? 1 : 0);
}
