// Starts the process of a job, and tells it who it is: what it writes down first is how it is found again.

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { errnoFault, processState } from "../../kit/index.ts";

const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
const MAIN = fileURLToPath(new URL(`./main${extension}`, import.meta.url));

/** Resolves when it knows who it is; whether it is the one to do the job is settled in the folder. */
export async function startRunner(folder: string): Promise<void> {
  const { PATH, TMPDIR } = process.env;
  const child = spawn(process.execPath, [MAIN, folder], {
    cwd: folder,
    // A session and a group of its own; and nothing of ours, where secrets may be.
    detached: true,
    env: { PATH, TMPDIR },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const state = child.pid === undefined ? undefined : processState(child.pid);
  if (state === undefined) throw errnoFault(await errorOf(child), "starting the encoder's runner");
  child.unref();
  await new Promise<void>((resolve) => {
    child.stdin?.once("close", resolve);
    // It ended before it was told: the job has no runner, and whoever asks for it next starts another.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(JSON.stringify({ pid: child.pid, started: state.started }));
  });
}

const errorOf = (child: ChildProcess) => new Promise<unknown>((resolve) => child.once("error", resolve));
