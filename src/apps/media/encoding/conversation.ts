// What an encoder and the board say to each other: the encoder who it is, what it can and how its jobs stand; the board what to begin and
// what to let go of.

import { basename, dirname, isAbsolute, normalize } from "node:path";
import { z } from "zod";
import { encodingProfile } from "../../../connectors/index.ts";

/** What it is good for, as it tried it out. */
export interface EncoderSelf {
  readonly program: string;
  /** Of ffmpeg. */
  readonly version: string;
  readonly codecs: readonly string[];
  readonly audioCodecs: readonly string[];
  readonly hasNoNetwork: boolean;
}

export const PHASES = ["fetching", "encoding", "sending"] as const;
export type JobPhase = (typeof PHASES)[number];

/** A job is known by its key and the turn that it was given in: whoever had an earlier one has lost it. */
export interface JobName {
  readonly key: string;
  readonly turn: number;
}

export interface JobProgress {
  readonly phase: JobPhase;
  /** What moves while it is alive. */
  readonly marks: Readonly<Record<string, number>>;
  readonly percent: number | null;
  readonly frames: number | null;
  readonly fps: number | null;
  /** Seconds of film in a second. */
  readonly speed: number | null;
  readonly etaMs: number | null;
  /** Of what has been made so far. */
  readonly outBytes: number | null;
}

/** How files came and went: where both see them, or over HTTP. */
export type Way = "seen" | "sent";

export type JobResult =
  | {
      readonly kind: "made";
      readonly bytes: number;
      readonly durationMs: number;
      readonly width: number;
      readonly height: number;
    }
  | { readonly kind: "larger"; readonly reason: string };

export interface JobFailure {
  readonly kind: "permanent" | "transient" | "unavailable";
  readonly code: string;
  readonly message: string;
}

export interface JobReport extends JobName {
  readonly progress: JobProgress;
  /** How it came to the source, and how it brings back the film, once it knows. */
  readonly reads: Way | null;
  readonly writes: Way | null;
  readonly result: JobResult | null;
  readonly failure: JobFailure | null;
}

export interface TrialReport {
  readonly trial: string;
  readonly self: EncoderSelf | null;
  /** Whether it sees where films are put. */
  readonly sees: boolean;
  /** Why its program could not be tried. */
  readonly failure: string | null;
}

export interface EncoderWord {
  readonly life: string;
  /** The first of its life: it takes the place of an earlier one. */
  readonly isFirst: boolean;
  /** The last: its jobs are others' from now on. */
  readonly isLast: boolean;
  /** Of Sluice. */
  readonly version: string;
  readonly self: EncoderSelf;
  readonly slots: number;
  readonly jobs: readonly JobReport[];
  readonly tried: TrialReport | null;
}

// An encoder makes files by these names, and writes where it is told. So all of it is checked, whoever the server is: a name leads nowhere,
// and outside of its own folder a film is written only beside a marker, under the one name that a film has there.

const plain = z.string().regex(/^[A-Za-z0-9_-]{1,180}$/, "letters, digits, _ and - alone: files are named by it");
const path = z
  .string()
  .max(4_000)
  .refine((text) => isAbsolute(text) && !text.includes("\0"), "a whole path");
const straightPath = path.refine((text) => normalize(text) === text, "a path without detours");
const bytes = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const name = { key: plain, turn: z.int().min(1).max(1_000_000) };

export const MARKER = ".sluice-marker";
/** What a film is called in its job's folder; what another turn makes is called otherwise. */
export const filmName = (turn: number, container: string): string => `${turn}.${container}`;
/** What an encoder looks for when it is tested. */
export const trialName = (trial: string): string => `.sluice-test-${trial}`;

export const encodeTask = z
  .object({
    ...name,
    profile: encodingProfile,
    source: z.object({
      path,
      bytes,
      /** Whoever finds these bytes there sees the same file. */
      at: bytes,
      length: bytes.max(1_048_576),
      sha256,
    }),
    output: z.object({
      path: straightPath,
      /** A file beside it, and what is in it. */
      markerPath: straightPath,
      marker: plain,
    }),
  })
  .refine(
    ({ turn, profile, output }) =>
      basename(output.markerPath) === MARKER &&
      dirname(output.path) === dirname(output.markerPath) &&
      basename(output.path) === filmName(turn, profile.container),
    "a film lies beside its marker, and is called by its turn",
  );
export type EncodeTask = z.output<typeof encodeTask>;

const trial = z
  .object({ trial: plain, path: straightPath, marker: plain })
  .refine((told) => basename(told.path) === trialName(told.trial), "a test looks for a file of its own");

export const boardWord = z.object({
  /** What it has and did not tell of. */
  begin: z.array(encodeTask).max(1_000),
  /** What is no longer its own. */
  drop: z.array(z.object(name)).max(2_000),
  /** What it has ended, and need not tell again. */
  taken: z.array(z.object(name)).max(2_000),
  /** A test that somebody waits for: whether it sees this file. */
  trial: trial.nullable(),
  againMs: z.number().min(1).max(3_600_000),
});
export type BoardWord = z.output<typeof boardWord>;

/** One life of an encoder talks like this, whether to the board itself or over HTTP. */
export interface Speaker {
  say(word: EncoderWord, signal?: AbortSignal): Promise<BoardWord>;
  /** Until there is something for it, or for a while: work, something to let go of, a test. It tells what it has. True where there is. */
  wait(jobs: readonly JobName[], signal?: AbortSignal): Promise<boolean>;
  /** Bytes of the source, from there on; at most so many as are asked for. */
  read(job: JobName, from: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** The hash of so many bytes of the source, from there on. */
  hash(job: JobName, from: number, length: number, signal?: AbortSignal): Promise<string>;
  /** How much of the film has arrived. */
  arrived(job: JobName, signal?: AbortSignal): Promise<number>;
  /** Only where that much has arrived. Answers with how much has now. */
  send(job: JobName, at: number, bytes: Uint8Array, signal?: AbortSignal): Promise<number>;
  /** All has: compared, and given its name. */
  sent(job: JobName, whole: { readonly bytes: number; readonly sha256: string }, signal?: AbortSignal): Promise<void>;
}

export const nameOf = ({ key, turn }: JobName): string => `${key}.${turn}`;
