// The other side, in memory, with its own ground truth: what was asked, what was made, what really happened. Behind the
// fake it is called directly, behind the test server over HTTP. Time in it passes by `tick()` alone.

import { type Random, seededRandom } from "../../kit/index.ts";
import type { JobStatus, WireJob } from "./wire.ts";

export type JobLie =
  /** Gone from the service, as if it had never been. */
  | "vanishes"
  /** Says done a tick before its effect is there. */
  | "done-too-early"
  /** Progress and counters that make no sense. */
  | "nonsense"
  /** Runs and runs, and nothing moves. */
  | "stalls"
  | "fails"
  | "fails-for-good";

export interface JobWorldOptions {
  readonly seed?: number;
  /** Ticks from start to done. */
  readonly ticks?: number;
  /** Whether a second start with one key is the first job again; as the API promises. */
  readonly isIdempotent?: boolean;
}

interface Job {
  readonly id: string;
  readonly key: string;
  readonly input: unknown;
  status: JobStatus;
  ticks: number;
  bytes: number;
  lie: JobLie | undefined;
}

export interface GroundTruth {
  /** Calls to start, by key. */
  readonly starts: ReadonlyMap<string, number>;
  /** Jobs made, by key. */
  readonly made: ReadonlyMap<string, number>;
  /** Times the work was really done, by key. */
  readonly effects: ReadonlyMap<string, number>;
  /** Keys whose effect happened more than once. */
  readonly duplicates: readonly string[];
  /** Keys of jobs that neither ended nor were cancelled. */
  readonly alive: readonly string[];
  readonly cancelled: readonly string[];
}

export class JobWorld {
  readonly #random: Random;
  readonly #ticks: number;
  readonly #isIdempotent: boolean;
  readonly #jobs = new Map<string, Job>();
  readonly #lies = new Map<string, JobLie>();
  readonly #starts = new Map<string, number>();
  readonly #made = new Map<string, number>();
  readonly #effects = new Map<string, number>();
  readonly #cancelled: string[] = [];
  #lastId = 0;

  constructor({ seed = 1, ticks = 3, isIdempotent = true }: JobWorldOptions = {}) {
    this.#random = seededRandom(seed);
    this.#ticks = ticks;
    this.#isIdempotent = isIdempotent;
  }

  /** What the next job of this key will do; told before or while it runs. */
  lie(key: string, lie: JobLie): void {
    this.#lies.set(key, lie);
    for (const job of this.#jobs.values()) if (job.key === key) job.lie = lie;
  }

  start(key: string, input: unknown): { readonly id: string; readonly isNew: boolean } {
    count(this.#starts, key);
    const same = this.#isIdempotent ? this.byKey(key)[0] : undefined;
    if (same !== undefined) return { id: same.id, isNew: false };
    count(this.#made, key);
    this.#lastId += 1;
    const id = `job-${this.#lastId}`;
    this.#jobs.set(id, { id, key, input, status: "queued", ticks: 0, bytes: 0, lie: this.#lies.get(key) });
    return { id, isNew: true };
  }

  byIds(ids: readonly string[]): readonly WireJob[] {
    return ids.flatMap((id) => {
      const job = this.#jobs.get(id);
      return job === undefined ? [] : [this.#shown(job)];
    });
  }

  byKey(key: string): readonly WireJob[] {
    return this.byPrefix(key).filter((job) => job.key === key);
  }

  byPrefix(prefix: string): readonly WireJob[] {
    return [...this.#jobs.values()].filter((job) => job.key.startsWith(prefix)).map((job) => this.#shown(job));
  }

  /** False when there is no such job. */
  cancel(id: string): boolean {
    const job = this.#jobs.get(id);
    if (job === undefined) return false;
    this.#cancelled.push(job.key);
    return this.#jobs.delete(id);
  }

  /** A person at the service presses a button. */
  pause(id: string, isPaused = true): void {
    const job = this.#jobs.get(id);
    if (job !== undefined && !isOver(job.status)) job.status = isPaused ? "paused" : "running";
  }

  /** One step of the work of every job that runs. */
  tick(times = 1): void {
    for (let i = 0; i < times; i += 1) for (const job of [...this.#jobs.values()]) this.#step(job);
  }

  truth(): GroundTruth {
    return {
      starts: this.#starts,
      made: this.#made,
      effects: this.#effects,
      duplicates: [...this.#effects].filter(([, times]) => times > 1).map(([key]) => key),
      alive: [...this.#jobs.values()].filter(({ status }) => !isOver(status)).map(({ key }) => key),
      cancelled: this.#cancelled,
    };
  }

  #step(job: Job): void {
    if (isOver(job.status) || job.status === "paused") return;
    if (job.status === "queued") {
      job.status = "running";
      return;
    }
    if (job.lie === "vanishes") {
      this.#jobs.delete(job.id);
      return;
    }
    if (job.lie === "stalls") return;
    job.ticks += 1;
    job.bytes += 1 + Math.floor(this.#random.fraction() * 1_000_000);
    if (job.ticks < this.#ticks) return;
    if (job.lie === "fails" || job.lie === "fails-for-good") {
      job.status = "failed";
      return;
    }
    job.status = "done";
    count(this.#effects, job.key);
  }

  #shown(job: Job): WireJob {
    const { id, key, bytes, lie } = job;
    const isEarly = lie === "done-too-early" && job.ticks === this.#ticks - 1;
    const status = isEarly ? "done" : job.status;
    const isNonsense = lie === "nonsense" && !isOver(status);
    return {
      id,
      key,
      status,
      progress: isNonsense ? this.#nonsense() : Math.round((100 * job.ticks) / this.#ticks),
      bytes: isNonsense ? this.#nonsense() : bytes,
      activity: { ticks: isNonsense ? this.#nonsense() : job.ticks },
      ...(status === "done" ? { result: { echo: job.input } } : {}),
      ...(status === "failed"
        ? { error: { code: "BROKEN", message: "it broke", permanent: lie === "fails-for-good" } }
        : {}),
    };
  }

  #nonsense(): unknown {
    const odd = [-7, 250, null, "half", Number.NaN, Number.POSITIVE_INFINITY, {}, 1e300];
    return odd[Math.floor(this.#random.fraction() * odd.length)];
  }
}

function isOver(status: JobStatus): boolean {
  return status === "done" || status === "failed";
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
