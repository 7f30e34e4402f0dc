// What stands before ffmpeg to confine it, as far as this machine lets us: no network, an end with its runner, a bound on its memory.

import { type Fault, unavailable } from "../../engine/index.ts";
import { startProcess } from "../kit/index.ts";

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
const WITH_RUNNER = ["setpriv", "--pdeathsig", "KILL", "--"];
const TRY_MS = 20_000;

export async function confine(ffmpeg: string, memoryBytes: number | null, signal?: AbortSignal): Promise<Confinement> {
  const runs = (prefix: readonly string[]) => canRun([...prefix, ffmpeg, "-version"], signal);
  const memory = memoryBytes === null ? [] : ["prlimit", `--data=${memoryBytes}`, "--"];
  if (memory.length > 0 && !(await runs(memory))) throw noLimit();
  const tied = [...((await runs(WITH_RUNNER)) ? WITH_RUNNER : []), ...memory];
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
    return fault === undefined;
  } catch (error) {
    signal?.throwIfAborted();
    // Not on this machine.
    if ((error as Partial<Fault>).code === "PROGRAM_MISSING") return false;
    throw error;
  }
}

function noLimit(): Fault {
  const words = "the memory of ffmpeg cannot be limited here: prlimit (util-linux) is missing or refused";
  return unavailable("PROGRAM_MISSING", words, { breaker: "none" });
}
