// Ends a process and all it started. Every child leads a group of its own, and signals go to the group.

import { type Clock, systemClock } from "../../kit/index.ts";
import { codeOf } from "./errno-faults.ts";
import { findProcess, type ProcessIdentity, processState } from "./process-identity.ts";

/** False where nobody was there to hear it. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // ESRCH: nobody left. EPERM: only zombies left (macOS), or programs that became somebody else's.
    if (codeOf(error) === "ESRCH" || codeOf(error) === "EPERM") return false;
    throw error;
  }
}

/**
 * Ends what a leader that has ended left behind in its group. While anybody is in the group the system gives its number
 * to no new process; so if a process has it, the group is gone and the number means somebody else.
 */
export function endLeftovers(pid: number): void {
  const state = processState(pid);
  if (state === undefined || state.isZombie) signalGroup(pid, "SIGKILL");
}

export interface ReapOptions {
  /** Between asking and forcing. */
  readonly graceMs?: number;
  readonly clock?: Clock;
}

const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 20;
const KILL_MS = 5_000;

/** Ends a process of an earlier life with its group, if it is still the same one. Resolves when it is gone. */
export async function reap(identity: ProcessIdentity, options: ReapOptions = {}): Promise<"reaped" | "gone" | "stuck"> {
  const { graceMs = GRACE_MS, clock = systemClock } = options;
  if (findProcess(identity) === "gone") return "gone";
  for (const [signal, patienceMs] of [
    ["SIGTERM", graceMs],
    ["SIGKILL", KILL_MS],
  ] as const) {
    signalGroup(identity.pid, signal);
    if (await isGoneWithin(identity, patienceMs, clock)) {
      endLeftovers(identity.pid);
      return "reaped";
    }
  }
  // In the kernel, on a disk that does not answer: no signal reaches it.
  return "stuck";
}

async function isGoneWithin(identity: ProcessIdentity, ms: number, clock: Clock): Promise<boolean> {
  for (let waited = 0; waited <= ms; waited += LOOK_EVERY_MS) {
    if (findProcess(identity) === "gone") return true;
    // Not our child: nobody tells us of its end.
    await clock.sleep(LOOK_EVERY_MS);
  }
  return false;
}
