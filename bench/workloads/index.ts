import type { Workload } from "../workload.ts";
import { chain } from "./chain.ts";

/** In the order in which they are run and shown. */
export const workloads: Readonly<Record<string, Workload>> = { chain };

/** What a quick run consists of. */
export const quick: readonly string[] = ["chain"];
