// How the process of a conversion is called.

import { fileURLToPath } from "node:url";
import type { RunnerJob } from "./job.ts";

export const NODE = process.execPath;

const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
const MAIN = fileURLToPath(new URL(`./main${extension}`, import.meta.url));

export function runnerCommand(job: RunnerJob, memoryBytes: number): string[] {
  const heap = `--max-old-space-size=${Math.floor(memoryBytes / 1024 / 1024)}`;
  return [NODE, heap, "--disable-warning=ExperimentalWarning", MAIN, JSON.stringify(job)];
}
