// The process that does one job: detached from whoever started it, and as long as ffmpeg takes. It is told on its input who it is, and
// begins only then; without a word it ends, as nobody could find it again.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { writeOnce } from "../files.ts";
import { FILES, type Job, type JobResult } from "../job.ts";
import { encode } from "./encode.ts";
import { failureOf } from "./failed.ts";

const LOOK_ROUND_MS = 1_000;
const folder = process.argv[2] ?? "";
const stop = new AbortController();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop.abort(signal));

const identity = await text(process.stdin);
if (identity !== "" && isMine()) await run();

function isMine(): boolean {
  try {
    return writeOnce(join(folder, FILES.runner), identity);
  } catch {
    // Cancelled before it began: the folder is gone.
    return false;
  }
}

async function run(): Promise<void> {
  const job = JSON.parse(readFileSync(join(folder, FILES.job), "utf8")) as Job; // written by the one who started us
  const { niceness } = job.limits;
  if (getPriority() < niceness) setPriority(niceness);
  // Nobody would ever ask for what it is doing.
  const watch = setInterval(() => existsSync(join(folder, FILES.job)) || stop.abort("gone"), LOOK_ROUND_MS);
  const result = await resultOf(job);
  clearInterval(watch);
  // First: it may be what fills the disk.
  rmSync(job.part, { force: true });
  rmSync(join(folder, FILES.progress), { force: true });
  if (stop.signal.reason !== "gone") writeOnce(join(folder, FILES.result), result);
}

async function resultOf(job: Job): Promise<JobResult> {
  try {
    return { state: "done", output: await encode(job, folder, stop.signal) };
  } catch (error) {
    if (!stop.signal.aborted) return { state: "failed", failure: failureOf(error) };
    const message = `the encoder was told to stop (${stop.signal.reason})`;
    return { state: "failed", failure: { kind: "unavailable", code: "INTERRUPTED", message } };
  }
}
