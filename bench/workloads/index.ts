import type { Workload } from "../workload.ts";
import { chain } from "./chain.ts";
import { latencyAcrossProcesses, latencyInProcess } from "./latency.ts";
import { oneStage } from "./one-stage.ts";
import { recovery } from "./recovery.ts";

/** In the order in which they are run and shown. */
export const workloads: Readonly<Record<string, Workload>> = {
  "one-stage": oneStage,
  chain,
  latency: latencyInProcess,
  "latency-across": latencyAcrossProcesses,
  recovery: recovery(true),
  "recovery-restart": recovery(false),
};

/** What a quick run consists of. */
export const quick: readonly string[] = ["one-stage", "chain", "latency", "latency-across"];
