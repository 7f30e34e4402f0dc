// What stands before ffmpeg to confine it, as far as this machine lets us: no network, an end with its runner, a bound on its memory.

import { type Fault, unavailable } from "../../engine/index.ts";
import { startProcess } from "../kit/index.ts";

export interface Confinement {
  readonly prefix: readonly string[];
  /** Behind the other; apart, as what is short of memory has to be told from what cannot be decoded. */
  readonly memory: readonly string[];
  readonly hasNoNetwork: boolean;
}

/** A network of its own with nobody in it. As root, or where the system lets everybody have one; containers often do not. */
const ALONE = [
  ["unshare", "-n", "--"],
  ["unshare", "--map-current-user", "-n", "--"],
  ["unshare", "-r", "-n", "--"],
];
/** The last before the program: a change of user would undo it. */
const WITH_RUNNER = ["setpriv", "--pdeathsig", "KILL", "--"];
const TRY_MS = 20_000;

export async function confine(ffmpeg: string, memoryBytes: number | null, signal?: AbortSignal): Promise<Confinement> {
  const runs = (prefix: readonly string[]) => canRun([...prefix, ffmpeg, "-version"], signal);
  const memory = memoryBytes === null ? [] : ["prlimit", `--data=${memoryBytes}`, "--"];
  if (memory.length > 0 && !(await runs(memory))) throw noLimit(memoryBytes);
  const tied = (await runs(WITH_RUNNER)) ? WITH_RUNNER : [];
  for (const alone of ALONE)
    if (await runs([...alone, ...tied, ...memory])) return { prefix: [...alone, ...tied], memory, hasNoNetwork: true };
  return { prefix: tied, memory, hasNoNetwork: false };
}

export async function canRun(command: readonly string[], signal?: AbortSignal): Promise<boolean> {
  const [program = "", ...args] = command;
  try {
    const child = await startProcess({ program, args, wallMs: TRY_MS, signal });
    const { fault } = await child.ended;
    signal?.throwIfAborted();
    return fault === undefined;
  } catch (error) {
    signal?.throwIfAborted();
    // Not on this machine.
    if ((error as Partial<Fault>).code === "PROGRAM_MISSING") return false;
    throw error;
  }
}

function noLimit(bytes: number | null): Fault {
  const words = `ffmpeg cannot be kept to ${bytes} bytes of memory here: they are too few, or prlimit is missing or refused`;
  return unavailable("PROGRAM_MISSING", words, { breaker: "none" });
}
