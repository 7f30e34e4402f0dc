// `npm run bench`: the engine beside its peers and beside hand-written SQL, interleaved in one run on throw-away servers,
// as ratios. Figures of different runs or machines say nothing about each other; ratios of one run do.
//
//   npm run bench                     everything; regenerates docs/performance.md and docs/performance.json
//   npm run bench -- --only chain     one workload, or several with commas; regenerates its part
//   npm run bench -- --quick          fewer items and rounds, within three minutes; regenerates nothing
//   npm run bench -- --rounds 2       as many rounds; regenerates nothing
//   npm run bench -- --who sluice     those whose label contains it, or one of several; regenerates nothing
//
// The raw numbers of every run are left in bench/last.json.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { benchPackages, providePackages } from "../scripts/system-packages.ts";
import { judge } from "./bars.ts";
import { turnsPerMs } from "./compute.ts";
import { type Measured, tableOf } from "./figures.ts";
import { machine } from "./machine.ts";
import { asText, type Run, regenerate } from "./report.ts";
import { type Servers, startServers } from "./servers.ts";
import { type Assignment, chosenAmong, type Entrant, type Sample, type Workload } from "./workload.ts";
import { quick, workloads } from "./workloads/index.ts";

/** Nothing takes this long that works. */
const LIMIT_MS = 600_000;

/** The raw numbers of the last run, quick or not. */
const LAST = path.join(import.meta.dirname, "last.json");

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string" },
    who: { type: "string" },
  },
});
const chosen = values.only?.split(",") ?? (values.quick ? quick : Object.keys(workloads));
for (const name of chosen)
  if (!Object.hasOwn(workloads, name))
    throw new Error(`no workload is called ${name}: ${Object.keys(workloads).join(", ")}`);
const entrantsOf = (workload: Workload): readonly Entrant[] => {
  const entrants = workload.entrants(values.quick);
  return values.who === undefined ? entrants : chosenAmong(entrants, values.who.split(","));
};
if (chosen.every((name) => entrantsOf(workloads[name] as Workload).length === 0))
  // names were checked
  throw new Error(`nobody is called ${values.who}`);
const problem = providePackages("The benchmark needs", benchPackages);
if (problem !== undefined) throw new Error(problem);
const failures: string[] = [];
const numbers: Record<string, Run> = {};
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());
const turns = turnsPerMs();
const servers = await startServers();
try {
  for (const name of chosen) await runWorkload(name, servers);
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  console.log("\ninterrupted; of workloads that were whole by then the numbers are in bench/last.json");
} finally {
  await servers.stop();
}
for (const failure of failures) console.log(`FAILED ${failure}`);
process.exitCode = interrupted.signal.aborted ? 130 : failures.length === 0 ? 0 : 1;

async function runWorkload(name: string, servers: Servers): Promise<void> {
  const workload = workloads[name] as Workload; // its name was checked
  const rounds = values.rounds === undefined ? workload.rounds(values.quick) : Number(values.rounds);
  console.log(`\n${workload.title}`);
  const measured = await measureRounds(name, workload, rounds, servers);
  const verdicts = judge(name, measured);
  console.log(`\n${asText(tableOf(workload, measured))}\n`);
  for (const { word, sentence } of verdicts)
    console.log(`${(word === "missed" ? "MISSED" : word).padEnd(6)} ${sentence}`);
  failures.push(...verdicts.filter(({ bar, isMet }) => bar.isBinding && !isMet).map(({ sentence }) => sentence));
  const run = { machine: machine(), measured };
  numbers[name] = run;
  writeFileSync(LAST, `${JSON.stringify(numbers)}\n`);
  if (!values.quick && values.rounds === undefined && values.who === undefined) regenerate(name, run);
}

async function measureRounds(name: string, workload: Workload, rounds: number, servers: Servers): Promise<Measured[]> {
  const measured: Measured[] = [];
  const entrants = entrantsOf(workload);
  for (let round = 0; round < rounds; round += 1) {
    // Every other round backwards, so that nobody always runs on a warm or a tired machine.
    for (const entrant of round % 2 === 0 ? entrants : entrants.toReversed()) {
      if (round % (entrant.everyNth ?? 1) !== 0) continue;
      const { label, contender, items } = entrant;
      const sample = await measure(name, entrant, servers);
      if (sample === undefined) continue;
      measured.push({ label, contender, items, round, sample });
      console.log(`${String(round + 1).padStart(2)}  ${label.padEnd(36)}${brief(workload, sample)}`);
    }
  }
  return measured;
}

async function measure(workload: string, entrant: Entrant, { postgres, redis }: Servers): Promise<Sample | undefined> {
  const assignment: Assignment = { workload, entrant, servers: { postgres, redis }, turns };
  const program = path.join(import.meta.dirname, "measure.ts");
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(assignment)], {
      timeout: LIMIT_MS,
      signal: interrupted.signal,
      killSignal: "SIGKILL",
      env: { ...process.env, NODE_ENV: "production" },
    });
    // Some contenders talk; the last line is ours.
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Sample;
  } catch (error) {
    if (interrupted.signal.aborted) throw error;
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).slice(-2_000) : "";
    failures.push(`${workload}, ${entrant.label}: ${String(error).split("\n")[0]?.slice(0, 200)}\n${said}`);
    console.log(`    ${entrant.label}: failed\n${said}`);
    return undefined;
  }
}

function brief(workload: Workload, sample: Sample): string {
  return workload.columns
    .filter(({ figure }) => sample[figure] !== undefined)
    .map(({ figure, title, digits }) => `${(sample[figure] ?? 0).toFixed(digits)} ${title}`)
    .join(", ");
}
