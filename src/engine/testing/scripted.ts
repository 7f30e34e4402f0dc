// A service of jobs for tests, in memory, with its own ground truth: what was started, how often, and what is still there.
// It plays a script per look, so a test needs no clock of its own to make a job stall at 40 %.

import { type Fault, transient, unavailable } from "../pipeline/fault.ts";
import type { Listed, Seen, SeenState } from "../pipeline/outside.ts";

interface ScriptedJob {
  readonly ref: string;
  readonly key: string;
  readonly input: unknown;
  state: SeenState;
  progress: number;
  looks: number;
}

/** What a job does at its n-th look, counted from 1; undefined: it goes on as it was. */
type Turn = (job: {
  readonly progress: number;
  readonly looks: number;
}) => Partial<Pick<Seen, "state" | "progress" | "fault">>;

export class Scripted {
  /** Every start that arrived, by key: more than one of a key is an effect that was repeated. */
  readonly starts = new Map<string, number>();
  readonly cancelled: string[] = [];
  readonly jobs = new Map<string, ScriptedJob>();
  /** How many jobs each look asked about. */
  readonly looks: number[] = [];
  #turns: Turn[] = [];
  #down: Fault | undefined;
  #loseNextStart = false;
  #count = 0;

  /** Every job stops moving when it gets there. Once this many have, others run through. */
  stallsAt(percent: number, times = Number.POSITIVE_INFINITY): this {
    const stalled = new Set<string>();
    return this.#also((job) => {
      const { ref } = job as ScriptedJob;
      if (!stalled.has(ref) && stalled.size >= times) return {};
      if (job.progress < percent) return {};
      stalled.add(ref);
      return { progress: percent, state: "running" };
    });
  }

  /** The first jobs fail when they get there. */
  failsAt(percent: number, times = 1, fault: Fault = transient("BROKEN", "it broke")): this {
    let left = times;
    return this.#also((job) => {
      if (left === 0 || job.progress < percent) return {};
      left -= 1;
      return { state: "failed", fault };
    });
  }

  /** The first jobs are gone when they get there. */
  vanishesAt(percent: number, times = 1): this {
    let left = times;
    return this.#also((job) => {
      if (left === 0 || job.progress < percent) return {};
      left -= 1;
      this.jobs.delete((job as ScriptedJob).ref);
      return { state: "missing" };
    });
  }

  /** Says something else than it knows. */
  tells(turn: Turn): this {
    return this.#also(turn);
  }

  /** Every call fails until `recovers`. */
  goesDown(fault: Fault = unavailable("REFUSED", "connection refused")): this {
    this.#down = fault;
    return this;
  }

  recovers(): this {
    this.#down = undefined;
    return this;
  }

  /** The next start arrives and works, and its answer is lost. */
  losesNextStart(): this {
    this.#loseNextStart = true;
    return this;
  }

  #also(turn: Turn): this {
    this.#turns.push(turn);
    return this;
  }

  async start(key: string, input: unknown): Promise<string> {
    this.#answer();
    this.starts.set(key, (this.starts.get(key) ?? 0) + 1);
    this.#count += 1;
    const ref = `job-${this.#count}`;
    this.jobs.set(ref, { ref, key, input, state: "running", progress: 0, looks: 0 });
    if (!this.#loseNextStart) return ref;
    this.#loseNextStart = false;
    throw transient("TIMEOUT", "no answer in time");
  }

  async adopt(key: string): Promise<string | null> {
    this.#answer();
    for (const job of this.jobs.values()) if (job.key === key) return job.ref;
    return null;
  }

  async look(refs: readonly string[]): Promise<Seen[]> {
    this.#answer();
    this.looks.push(refs.length);
    return refs.map((ref) => this.#turn(ref));
  }

  async cancel(ref: string): Promise<void> {
    this.#answer();
    this.cancelled.push(ref);
    this.jobs.delete(ref);
  }

  async list(prefix: string): Promise<Listed[]> {
    this.#answer();
    return [...this.jobs.values()]
      .filter((job) => job.key.startsWith(prefix))
      .map(({ ref, key, state }) => ({ ref, key, state }));
  }

  #answer(): void {
    if (this.#down !== undefined) throw this.#down;
  }

  #turn(ref: string): Seen {
    const job = this.jobs.get(ref);
    if (job === undefined) return { ref, state: "missing" };
    job.looks += 1;
    if (job.state === "running") job.progress = Math.min(100, job.progress + 20);
    const played = this.#turns.map((turn) => turn(job)).find((turn) => Object.keys(turn).length > 0) ?? {};
    if (typeof played.progress === "number" && played.progress >= 0 && played.progress <= 100)
      job.progress = played.progress;
    job.state = played.state ?? (job.progress >= 100 ? "done" : "running");
    const progress = played.progress ?? job.progress;
    const marks = { bytes: job.progress * 1_000 };
    const seen: Seen = { ref, state: job.state, progress, marks };
    if (job.state === "done") return { ...seen, output: { ref, input: job.input } };
    return played.fault === undefined ? seen : { ...seen, fault: played.fault };
  }
}

export function scripted(): Scripted {
  return new Scripted();
}
