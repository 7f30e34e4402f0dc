// What stands before a program to confine it, as far as this machine lets us: no network, and an end with whoever started it.

import { type Fault, unavailable } from "../../engine/index.ts";
import { startProcess } from "./child-process.ts";

export interface Confinement {
  readonly prefix: readonly string[];
  readonly hasNoNetwork: boolean;
}

/** A network of its own with nobody in it. As root, or where the system lets everybody have one; containers often do not. */
const ALONE = [
  ["unshare", "-n", "--"],
  ["unshare", "--map-current-user", "-n", "--"],
  ["unshare", "-r", "-n", "--"],
];
/** The last before the program: a change of user would undo it. */
export const WITH_PARENT = ["setpriv", "--pdeathsig", "KILL", "--"] as const;
const TRY_MS = 20_000;

/** `command` is the program with what else stands before it, and arguments with which it does nothing. */
export async function confine(command: readonly string[], signal?: AbortSignal): Promise<Confinement> {
  const runs = (prefix: readonly string[]) => canRun([...prefix, ...command], signal);
  const tied = (await runs(WITH_PARENT)) ? WITH_PARENT : [];
  for (const alone of ALONE)
    if (await runs([...alone, ...tied])) return { prefix: [...alone, ...tied], hasNoNetwork: true };
  return { prefix: tied, hasNoNetwork: false };
}

export async function canRun(command: readonly string[], signal?: AbortSignal): Promise<boolean> {
  const [program = "", ...args] = command;
  try {
    const child = await startProcess({ program, args, wallMs: TRY_MS, signal });
    const { fault } = await child.ended;
    signal?.throwIfAborted();
    if (fault !== undefined && UNFINISHED.has(fault.code)) throw notTried(program, fault);
    return fault === undefined;
  } catch (error) {
    signal?.throwIfAborted();
    // Not on this machine.
    if ((error as Partial<Fault>).code === "PROGRAM_MISSING") return false;
    throw error;
  }
}

/** What was not let come to its end says nothing of what it can: a machine that is too busy, or stopped, is tried again. */
const UNFINISHED: ReadonlySet<string> = new Set(["TIMEOUT", "INTERRUPTED"]);

const notTried = (program: string, cause: Fault): Fault =>
  unavailable("NOT_TRIED", `${program} could not be tried out: ${cause.message}`, { breaker: "none", cause });
