// Runs steps one after the other, shows what they say while they say it, and counts.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { providePackages } from "./system-packages.ts";
import { add, lastLine, none, type Tally, tallyOfVitest } from "./tally.ts";

export interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** A step that takes longer is ended, with all its children, and has failed. */
  readonly limitSeconds: number;
  /** Vitest's tests are counted one by one; any other step counts as one. */
  readonly counts?: "vitest";
}

const root = join(import.meta.dirname, "..");
const path = [join(root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter);
/** The tests start hundreds of processes of the same sources: what one has compiled, the next need not (0.3 s of 0.45 each). */
const compiled = join(root, "node_modules/.cache/sluice-compiled");

/** Where the run and its steps speak; the tests of this file keep them quiet. */
export interface Output {
  readonly say: (line: string) => void;
  readonly steps: "inherit" | "ignore";
}

const terminal: Output = { say: (line) => process.stdout.write(`${line}\n`), steps: "inherit" };

/** Ends a whole process group: a step's servers and workers must not outlive it. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    // ESRCH: the group is already gone, which is what was wanted.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function run(command: Step["command"], limitSeconds: number, output: Output): Promise<number> {
  const [program, ...args] = command;
  return new Promise((resolve) => {
    // A group of its own, so that it can be ended as a whole; signals from the terminal are passed on by hand.
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled },
      stdio: ["ignore", output.steps, output.steps],
      detached: true,
    });
    const end = (): void => {
      if (child.pid !== undefined) endGroup(child.pid);
    };
    const interrupt = (): void => {
      end();
      process.exit(130);
    };
    const limit = setTimeout(() => {
      output.say(`  took longer than ${limitSeconds} s: ended`);
      end();
    }, limitSeconds * 1000);
    const settle = (code: number): void => {
      clearTimeout(limit);
      process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
      end();
      resolve(code);
    };
    process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
    child.once("error", (error) => {
      output.say(`  could not start: ${error.message}`);
      settle(1);
    });
    child.once("exit", (code) => settle(code ?? 1));
  });
}

async function runVitest(step: Step, output: Output): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-report-"));
  const file = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const code = await run([...step.command, ...reporters], step.limitSeconds, output);
    return tallyOfVitest(readReport(file, output), code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file: string, output: Output): Parameters<typeof tallyOfVitest>[0] {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    output.say(`  no readable report: ${String(error)}`);
    return undefined;
  }
}

async function runStep(step: Step, output: Output): Promise<Tally> {
  if (step.counts === "vitest") return runVitest(step, output);
  const code = await run(step.command, step.limitSeconds, output);
  return code === 0
    ? { passed: 1, failed: 0, wrong: [] }
    : { passed: 0, failed: 1, wrong: [`${step.name}: ended with ${code}`] };
}

/** Runs every step, also after a failure, so that one run shows all that is wrong. */
export async function countSteps(steps: readonly Step[], output: Output): Promise<Tally> {
  let total = none;
  for (const [index, step] of steps.entries()) {
    const title = `[${index + 1}/${steps.length}] ${step.name}`;
    output.say(`\n${title}: ${step.command.join(" ")}`);
    const start = performance.now();
    const tally = await runStep(step, output);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    output.say(`${title}: ${tally.failed === 0 ? "ok" : "FAILED"} after ${seconds} s`);
    total = add(total, tally);
  }
  return total;
}

/** The whole of a run: what it needs, its steps, and the last line that says how it went. */
export async function runSteps(steps: readonly Step[]): Promise<never> {
  const problem = providePackages();
  if (problem !== undefined) terminal.say(problem);
  const total = problem === undefined ? await countSteps(steps, terminal) : { ...none, failed: 1 };
  for (const one of total.wrong) terminal.say(`\nFAILED ${one}`);
  terminal.say(`\n${lastLine(total)}`);
  process.exit(total.failed === 0 ? 0 : 1);
}
