// One guard, taken away and tried: first the scenarios whose statements contain it, then the simulator.

import { spawn } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./files.ts";
import type { Guard } from "./guards.ts";
import type { Order, Verdict } from "./kill.ts";

export type Outcome =
  | { readonly is: "killed"; readonly by: string }
  | { readonly is: "survived"; readonly why: string }
  | { readonly is: "nonsense"; readonly why: string };

const SCENARIOS_LIMIT_MS = 600_000;
/** All scenarios, none of which turns red and ends it, beside others on a machine that may have more to do. */
const CONTROL_LIMIT_MS = 1_800_000;
const SIMULATION_LIMIT_MS = 300_000;

const plantUrl = pathToFileURL(path.join(import.meta.dirname, "plant.ts")).href;

/** `seeds` of the simulator at most; none: the scenarios alone. Without a guard: everything as it is. */
export async function tryWithout(guard: Guard | undefined, order: Order, seeds: number): Promise<Outcome> {
  const script = path.join(import.meta.dirname, "kill.ts");
  const limitMs = guard === undefined ? CONTROL_LIMIT_MS : SCENARIOS_LIMIT_MS;
  const run = await runPlanted(guard, [script], limitMs, { SLUICE_ORDER: JSON.stringify(order) });
  if (run.isLate) return { is: "killed", by: "no end" };
  const verdict = readVerdict(run.output);
  if (verdict === undefined) return { is: "nonsense", why: run.output.slice(-400) };
  if (verdict.isNonsense) return { is: "nonsense", why: verdict.how ?? "" };
  if (verdict.by !== undefined) return { is: "killed", by: `${verdict.by}${shorten(verdict)}` };
  return await simulate(guard, verdict.isReached, seeds);
}

async function simulate(guard: Guard | undefined, isReached: boolean, seeds: number): Promise<Outcome> {
  if (seeds > 0) {
    const run = await runPlanted(guard, ["test/simulation/cli.ts", "--seeds", String(seeds)], SIMULATION_LIMIT_MS, {});
    if (run.code !== 0 && !run.isLate) return { is: "killed", by: `simulator: ${lastLine(run.output)}` };
  }
  const why = isReached ? "every scenario and seed stayed green" : "no scenario sends this statement";
  return { is: "survived", why };
}

interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly isLate: boolean;
}

function runPlanted(
  guard: Guard | undefined,
  args: readonly string[],
  limitMs: number,
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  const plant = guard === undefined ? undefined : { ...guard, path: path.join(root, guard.file) };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", plantUrl, ...args], {
      cwd: root,
      env: { ...process.env, ...env, ...(plant === undefined ? {} : { SLUICE_PLANT: JSON.stringify(plant) }) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let isLate = false;
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const limit = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, limitMs);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(limit);
      resolve({ code, output, isLate });
    });
  });
}

function readVerdict(output: string): Verdict | undefined {
  const line = output.split("\n").findLast((one) => one.startsWith("{"));
  return line === undefined ? undefined : (JSON.parse(line) as Verdict);
}

function shorten(verdict: Verdict): string {
  const how = (verdict.how ?? "").replace(`${verdict.by}: `, "");
  return how === "" ? "" : ` (${how.slice(0, 120)})`;
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
}
