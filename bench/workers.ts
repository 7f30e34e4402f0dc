// Starting workers in processes of their own, and reading whom they visited.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Work } from "./worker.ts";

export interface RunningWorker {
  readonly process: ChildProcess;
  /** As by `kill -9`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const PROGRAM = path.join(import.meta.dirname, "worker.ts");

/** Resolves when it works. */
export async function startWorker(work: Work, program = PROGRAM): Promise<RunningWorker> {
  const child = fork(program, [JSON.stringify(work)]);
  const gone = once(child, "exit");
  const [word] = await Promise.race([once(child, "message"), gone]);
  if (word !== "working") throw new Error(`a worker of ${work.contender} ended before it worked`);
  return {
    process: child,
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
    async stop() {
      child.disconnect();
      await gone;
    },
  };
}

/** Visits in the order in which they were written: who, and when. */
export function readVisits(file: string): { readonly index: number; readonly at: number }[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [index = Number.NaN, at = Number.NaN] = line.split(" ").map(Number);
      return { index, at };
    });
}

/** Looks until `isEnough` says so, and fails when it takes too long. */
export async function untilVisited(
  file: string,
  isEnough: (visits: ReturnType<typeof readVisits>) => boolean,
  limitMs: number,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!isEnough(readVisits(file))) {
    if (performance.now() > deadline) throw new Error(`not all were visited within ${limitMs / 1000} s`);
    // Seldom: looking takes processor time from those that work, and the times that count stand in the file.
    await sleep(50);
  }
}
