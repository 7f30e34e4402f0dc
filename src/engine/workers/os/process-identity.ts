// Which process a worker's row speaks of, and whether that process has ended for certain. A pid alone says little: it is
// reused, and means something else in every container. Host name, boot and namespace say whose pids are meant; the
// moment the process started says which of those that had the pid it was.

import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { parseStat } from "../../db/embedded/process-identity.ts";

export interface ProcessIdentity {
  /** Two processes with the same text here see the same pids. */
  readonly host: string;
  readonly pid: number;
  /** Compared, never computed with. */
  readonly pidStarted: string;
}

/** Where nothing certain can be said (no /proc): such a worker is only ever found dead by its silence. */
const UNKNOWN = "unknown";

export function ownProcess(): ProcessIdentity {
  const boot = read(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const pids = read(() => readlinkSync("/proc/self/ns/pid"));
  // Start times are shifted by the time namespace. Kernels before 5.6 have none.
  const times = read(() => readlinkSync("/proc/self/ns/time")) ?? "";
  const started = read(() => parseStat(readFileSync(`/proc/${process.pid}/stat`, "utf8")));
  const isCertain = boot !== undefined && pids !== undefined && started !== undefined;
  return {
    host: isCertain ? [hostname(), boot, pids, times].join(" ").trim() : hostname(),
    pid: process.pid,
    pidStarted: isCertain ? started : UNKNOWN,
  };
}

/** True only when it is certain that this worker's process has ended. A zombie has: it runs no code any more. */
export function isGone(
  worker: { readonly host: string; readonly pid: number; readonly pid_started: string },
  self: { readonly host: string; readonly pidStarted: string },
): boolean {
  if (worker.host !== self.host || worker.pid_started === UNKNOWN || self.pidStarted === UNKNOWN) return false;
  let stat: string;
  try {
    stat = readFileSync(`/proc/${worker.pid}/stat`, "utf8");
  } catch {
    // Mounted with hidepid, /proc shows no processes of other users. A signal that is not sent sees them all.
    return !exists(worker.pid);
  }
  return parseStat(stat) !== worker.pid_started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Undefined where this machine does not offer it. */
function read<T>(source: () => T): T | undefined {
  try {
    return source();
  } catch {
    return undefined;
  }
}
