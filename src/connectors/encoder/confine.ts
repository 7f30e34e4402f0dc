// What stands before ffmpeg to confine it, as far as this machine lets us: no network, an end with its runner, a bound on its memory.

import { type Fault, unavailable } from "../../engine/index.ts";
import { canRun, confine } from "../kit/index.ts";

export interface Confinement {
  readonly prefix: readonly string[];
  /** Behind the other; apart, as what is short of memory has to be told from what cannot be decoded. */
  readonly memory: readonly string[];
  readonly hasNoNetwork: boolean;
}

export async function confineFfmpeg(
  ffmpeg: string,
  memoryBytes: number | null,
  signal?: AbortSignal,
): Promise<Confinement> {
  const memory = memoryBytes === null ? [] : ["prlimit", `--data=${memoryBytes}`, "--"];
  if (memory.length > 0 && !(await canRun([...memory, ffmpeg, "-version"], signal))) throw noLimit(memoryBytes);
  return { memory, ...(await confine([...memory, ffmpeg, "-version"], signal)) };
}

function noLimit(bytes: number | null): Fault {
  const words = `ffmpeg cannot be kept to ${bytes} bytes of memory here: they are too few, or prlimit is missing or refused`;
  return unavailable("PROGRAM_MISSING", words, { breaker: "none" });
}
