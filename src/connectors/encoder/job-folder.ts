// The folders of jobs, as whoever looks sees them. What is in the files was written by processes of ours; it is checked all the same, as a
// full disk or a hand may have been there.

import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../../kit/index.ts";
import type { ProcessIdentity } from "../kit/index.ts";
import { syncFolderOf, writeOnce } from "./files.ts";
import { FILES, type Job, type JobResult, type JobState } from "./job.ts";

const COMING = ".new-";
const LONGEST_NAME = 200;
const PROGRESS_BYTES = 2_048;

const kinds = z.enum(["permanent", "transient", "unavailable"]);
const counted = z.number().nonnegative();
const sizes = { bytes: counted, sourceBytes: counted };
const made = { kind: z.literal("made"), file: z.string(), durationMs: counted, width: counted, height: counted };
const resultFile = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("done"),
    output: z.discriminatedUnion("kind", [
      z.object({ ...made, ...sizes, isLarger: z.boolean() }),
      z.object({ kind: z.literal("larger"), ...sizes, reason: z.string() }),
    ]),
  }),
  z.object({
    state: z.literal("failed"),
    failure: z.object({ kind: kinds, code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/), message: z.string() }),
  }),
]) satisfies z.ZodType<JobResult>;
const stateFile = z.object({
  phase: z.enum(["probing", "encoding", "checking"]),
  ffmpeg: z.number().nullable(),
  durationMs: z.number().nullable(),
  frameRate: z.number().nullable(),
}) satisfies z.ZodType<JobState>;
const runnerFile = z.union([
  z.object({ pid: z.int().positive(), started: z.string() }),
  z.object({ isCancelled: z.literal(true) }),
]);
const jobFile = z.object({ key: z.string(), part: z.string() });

export type Runner = ProcessIdentity | { readonly isCancelled: true };

export class JobFolders {
  readonly #work: string;

  constructor(work: string) {
    this.#work = work;
  }

  /** Throws where there can be no such key. */
  of(key: string): JobFolder {
    return new JobFolder(key, join(this.#work, nameOf(key)));
  }

  /** The keys of all jobs. */
  keys(): readonly string[] {
    // Those with a dot are on their way in.
    return this.#names().flatMap((name) => (name.startsWith(".") ? [] : keyOf(name)));
  }

  /** Takes away what somebody began to add before this moment, and never did. */
  sweep(before: number): void {
    for (const name of this.#names().filter((one) => one.startsWith(COMING))) {
      const path = join(this.#work, name);
      if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before)
        rmSync(path, { recursive: true, force: true });
    }
  }

  #names(): readonly string[] {
    return readOrUndefined(() => readdirSync(this.#work)) ?? [];
  }

  /** False where there is a job of this key. Of many who try, one succeeds. */
  add(job: Job): boolean {
    mkdirSync(this.#work, { recursive: true, mode: 0o700 });
    const coming = mkdtempSync(join(this.#work, COMING));
    try {
      writeOnce(join(coming, FILES.job), job);
      renameSync(coming, this.of(job.key).path);
      syncFolderOf(this.of(job.key).path);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOTEMPTY" || code === "EEXIST") return false;
      throw error;
    } finally {
      rmSync(coming, { recursive: true, force: true });
    }
  }
}

export class JobFolder {
  readonly key: string;
  readonly path: string;

  constructor(key: string, path: string) {
    this.key = key;
    this.path = path;
  }

  job(): z.output<typeof jobFile> | undefined {
    const job = this.#read(FILES.job, jobFile);
    return job?.key === this.key ? job : undefined;
  }

  runner(): Runner | undefined {
    return this.#read(FILES.runner, runnerFile);
  }

  state(): JobState | undefined {
    return this.#read(FILES.state, stateFile);
  }

  result(): JobResult | undefined {
    return this.#read(FILES.result, resultFile);
  }

  /** The end of what ffmpeg wrote. */
  progress(): string {
    return readOrUndefined(() => tailOf(join(this.path, FILES.progress))) ?? "";
  }

  /** When it ended, in milliseconds since 1970; undefined where it has not. */
  endedAt(): number | undefined {
    return statSync(join(this.path, FILES.result), { throwIfNoEntry: false })?.mtimeMs;
  }

  /** No runner will take it after this; false where one has. */
  close(): boolean {
    return writeOnce(join(this.path, FILES.runner), { isCancelled: true });
  }

  conclude(result: JobResult): void {
    readOrUndefined(() => writeOnce(join(this.path, FILES.result), result));
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  #read<T>(name: string, shape: z.ZodType<T>): T | undefined {
    const text = readOrUndefined(() => readFileSync(join(this.path, name), "utf8"));
    if (text === undefined) return undefined;
    try {
      return shape.safeParse(JSON.parse(text)).data;
    } catch {
      // Not JSON: as good as not there.
      return undefined;
    }
  }
}

/** A name for a folder; keys may hold anything. */
function nameOf(key: string): string {
  if (key === "" || !key.isWellFormed()) throw new InputError("key", "a key is some text");
  const name = encodeURIComponent(key).replace(/^\./, "%2E");
  if (name.length > LONGEST_NAME)
    throw new InputError("key", `a key is too long for a folder's name: ${key.slice(0, 40)}…`);
  return name;
}

/** Nothing for a folder that is none of ours. */
function keyOf(name: string): readonly string[] {
  try {
    return [decodeURIComponent(name)];
  } catch {
    return [];
  }
}

function tailOf(file: string): string {
  const handle = openSync(file, "r");
  try {
    const { size } = statSync(file);
    const bytes = Buffer.alloc(Math.min(size, PROGRESS_BYTES));
    return bytes.toString("latin1", 0, readSync(handle, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(handle);
  }
}

function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
