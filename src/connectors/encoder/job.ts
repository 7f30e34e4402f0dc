// What lies in the folder of a job. Its runner alone writes there, but for the order itself; whoever looks only reads.
//
//   job.json      the order, there before anything else
//   runner.json   which process does it: whoever makes this file first, and nobody after
//   state.json    how far the runner is with it
//   progress      what ffmpeg writes
//   stderr.txt    the last of what ffmpeg complained about
//   result.json   how it ended; nothing is written after it
//
// Nothing here may import what is large: a runner is a process of its own for each job.

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { EncodeOrder, EncodeOutcome } from "./encoder.ts";
import type { Failure } from "./exits.ts";

export const FILES = {
  job: "job.json",
  runner: "runner.json",
  state: "state.json",
  progress: "progress",
  complaints: "stderr.txt",
  result: "result.json",
} as const;

export interface EncodeLimits {
  readonly wallMs: number;
  readonly outputBytes: number;
  /** How far it stands back for others, from 0 to 19. */
  readonly niceness: number;
  /** ffmpeg's own choice without it. */
  readonly threads: number | null;
}

export interface Job extends EncodeOrder {
  /** Where the film grows, beside its final name. */
  readonly part: string;
  readonly ffmpeg: string;
  readonly ffprobe: string;
  /** What stands before each program, to run it confined. */
  readonly confined: readonly string[];
  /** And behind that, to bound the memory of those that do the work. */
  readonly memory: readonly string[];
  readonly limits: EncodeLimits;
  readonly progressMs: number;
}

export type Phase = "probing" | "encoding" | "checking";

export interface JobState {
  readonly phase: Phase;
  readonly ffmpeg: number | null;
  readonly durationMs: number | null;
  readonly frameRate: number | null;
}

export type JobResult =
  | { readonly state: "done"; readonly output: EncodeOutcome }
  | { readonly state: "failed"; readonly failure: Failure };

/** Dotted, so that no media server takes it for a film; short, as the final name may be as long as names can be. */
export function partOf({ key, output, profile }: Pick<EncodeOrder, "key" | "output" | "profile">): string {
  const name = createHash("sha256").update(key).digest("hex").slice(0, 24);
  return join(dirname(output), `.sluice-${name}.part.${profile.container}`);
}
