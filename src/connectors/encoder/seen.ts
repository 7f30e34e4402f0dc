// How a job stands, from its folder.

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { Fault } from "../../engine/index.ts";
import { printable, safeText } from "../../kit/index.ts";
import { endLeftovers, findProcess } from "../kit/index.ts";
import type { SeenEncode } from "./encoder.ts";
import type { Failure } from "./exits.ts";
import type { JobResult, Phase } from "./job.ts";
import type { JobFolder } from "./job-folder.ts";
import { readProgress } from "./progress.ts";

const PHASES: readonly Phase[] = ["probing", "encoding", "checking"];
const MESSAGE_BYTES = 1_000;
const LOST: Failure = {
  kind: "transient",
  code: "LOST",
  message: "what ran it is gone without a word: killed, or the machine was started again",
};

export function seenOf(folder: JobFolder, service: string): SeenEncode {
  const { key: ref } = folder;
  const result = folder.result();
  if (result !== undefined) return ended(ref, result, service);
  const runner = folder.runner();
  if (runner === undefined) return { ref, state: folder.job() === undefined ? "missing" : "queued" };
  if ("isCancelled" in runner) return { ref, state: "missing" };
  if (findProcess(runner) === "alive") return running(folder);
  bury(folder);
  // Its last act may have been the result.
  const last = folder.result();
  return last === undefined ? { ref, state: "missing" } : ended(ref, last, service);
}

function running(folder: JobFolder): SeenEncode {
  const { key: ref } = folder;
  const state = folder.state();
  if (state === undefined) return { ref, state: "running" };
  const details = readProgress(folder.progress(), state);
  const marks = {
    phase: PHASES.indexOf(state.phase),
    ...(details === null ? {} : { frames: details.frame, outTimeMs: details.outTimeMs, bytes: details.totalBytes }),
  };
  return {
    ...{ ref, state: "running", marks },
    ...(details === null ? {} : { details }),
    ...(details?.percent == null ? {} : { progress: details.percent }),
  };
}

function ended(ref: string, result: JobResult, service: string): SeenEncode {
  if (result.state === "done") return { ref, state: "done", progress: 100, output: result.output };
  const { kind, code, message } = result.failure;
  // It did answer; and neither a full disk nor whoever stops it is its doing.
  const breaker = kind === "unavailable" ? "none" : "success";
  return { ref, state: "failed", fault: new Fault(kind, code, cleaned(message), { service, breaker }) };
}

function cleaned(text: string): string {
  return safeText(printable(text).trim(), MESSAGE_BYTES);
}

/** For a job whose runner is gone: ends what it left behind, and says that it is lost where it said nothing itself. */
export function bury(folder: JobFolder): void {
  const runner = folder.runner();
  const job = folder.job();
  if (job === undefined || runner === undefined || "isCancelled" in runner) return;
  const pid = folder.state()?.ffmpeg ?? null;
  // By what it was told to write: no other process has that, whatever its number.
  if (pid !== null && commandOf(pid).includes(job.part)) endLeftovers(runner.pid);
  if (folder.result() !== undefined) return;
  rmSync(job.part, { force: true });
  folder.conclude({ state: "failed", failure: LOST });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // Gone, or a system without /proc.
    return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8", timeout: 10_000 }).stdout ?? "";
  }
}
