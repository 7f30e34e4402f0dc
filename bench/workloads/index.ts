import type { Workload } from "../workload.ts";
import { backlog } from "./backlog.ts";
import { chain } from "./chain.ts";
import { embedded } from "./embedded.ts";
import { latencyAcrossProcesses, latencyEmbedded, latencyInProcess } from "./latency.ts";
import { memory } from "./memory.ts";
import { oneStage } from "./one-stage.ts";
import { processes } from "./processes.ts";
import { recovery } from "./recovery.ts";
import { valves } from "./valves.ts";
import { watching } from "./watching.ts";

/** In the order in which they are run and shown. */
export const workloads: Readonly<Record<string, Workload>> = {
  "one-stage": oneStage,
  chain,
  latency: latencyInProcess,
  "latency-across": latencyAcrossProcesses,
  backlog,
  valves,
  recovery: recovery(true),
  "recovery-restart": recovery(false),
  watching,
  memory,
  embedded,
  "latency-embedded": latencyEmbedded,
  processes: processes("nothing"),
  "processes-compute": processes("compute"),
};

/** What a quick run consists of. */
export const quick: readonly string[] = ["one-stage", "chain", "latency", "latency-across"];
