// How busy others kept the machine: times measured on a machine that is busy with something else say nothing about us.

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

export interface Usage {
  /** Seconds of processor time used on the whole machine. */
  readonly machine: number;
  /** Of that, used by this process and by those it started, as far as it can be known. */
  readonly own: number;
  readonly at: number;
}

const TICKS_PER_SECOND = 100;

/** `servers`: processes of ours that are still running, with all that they started. Undefined where there is no /proc. */
export function usage(servers: readonly number[]): Usage | undefined {
  try {
    const [user = 0, nice = 0, system = 0] = readFileSync("/proc/stat", "utf8").split(/\s+/).slice(1, 4).map(Number);
    const own = [process.pid, ...servers].reduce((sum, pid) => sum + ticksOf(pid), 0);
    return { machine: (user + nice + system) / TICKS_PER_SECOND, own: own / TICKS_PER_SECOND, at: performance.now() };
  } catch {
    return undefined;
  }
}

/** A process and its ended children. */
function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may hold spaces; fields 14 to 17 are the times.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields
    .slice(11, 15)
    .map(Number)
    .reduce((sum, ticks) => sum + ticks, 0);
}

/** The share of the machine that others used between the two. */
export function shareOfOthers(before: Usage | undefined, after: Usage | undefined): number {
  if (before === undefined || after === undefined) return 0;
  const capacity = ((after.at - before.at) / 1_000) * availableParallelism();
  return Math.max(0, (after.machine - before.machine - (after.own - before.own)) / capacity);
}
