// An encoder, its disk and its processes, in memory, with its own ground truth. Time in it passes by `tick()` alone.

import { Fault } from "../../engine/index.ts";
import type { EncodeOrder, EncodeOutcome, SeenEncode } from "./encoder.ts";
import type { Failure } from "./exits.ts";
import { partOf } from "./job.ts";

export type EncodeLie =
  /** Runs and runs, and nothing moves. */
  | "stalls"
  /** Its program is killed halfway. */
  | "dies"
  /** Its program says that all went well, and half of the film is missing. */
  | "cut-output"
  /** What it makes is larger than the source. */
  | "grows"
  /** Frames that are told, and no time. */
  | "no-time";

export interface WorldFilm {
  readonly bytes: number;
  readonly durationMs: number;
  /** What it is: a film, one whose end is missing, or something else. */
  readonly is?: "whole" | "cut" | "rubbish";
}

interface WorldJob extends EncodeOrder {
  readonly part: string;
  ticks: number;
  isStopped: boolean;
  seen: Pick<SeenEncode, "output" | "fault"> & { readonly state: "queued" | "running" | "done" | "failed" };
}

export interface EncoderTruth {
  /** Calls to start, by key. */
  readonly starts: ReadonlyMap<string, number>;
  /** Programs that were started, by key. */
  readonly programs: ReadonlyMap<string, number>;
  /** Keys of jobs that neither ended nor were cancelled. */
  readonly alive: readonly string[];
  /** What is half written, and by nobody's final name. */
  readonly parts: readonly string[];
  /** Films that were made, by their final name, and the job they are of. */
  readonly films: ReadonlyMap<string, string>;
  readonly cancelled: readonly string[];
}

export class EncoderWorld {
  readonly #wholeTicks: number;
  readonly #sources = new Map<string, WorldFilm>();
  readonly #jobs = new Map<string, WorldJob>();
  readonly #lies = new Map<string, EncodeLie>();
  readonly #starts = new Map<string, number>();
  readonly #programs = new Map<string, number>();
  readonly #films = new Map<string, string>();
  readonly #cancelled: string[] = [];
  isDiskFull = false;

  constructor({ ticks = 4 }: { readonly ticks?: number } = {}) {
    this.#wholeTicks = ticks;
  }

  /** There is such a file; without facts there no longer is. */
  put(path: string, film: WorldFilm | null): void {
    if (film === null) this.#sources.delete(path);
    else this.#sources.set(path, film);
  }

  /** What the job of this key will do, or does from now on. */
  lie(key: string, lie: EncodeLie): void {
    this.#lies.set(key, lie);
  }

  start(order: EncodeOrder): void {
    count(this.#starts, order.key);
    if (this.#jobs.has(order.key)) return;
    const part = partOf(order);
    this.#jobs.set(order.key, { ...order, part, ticks: 0, isStopped: false, seen: { state: "queued" } });
  }

  get(key: string): WorldJob | undefined {
    return this.#jobs.get(key);
  }

  keys(): readonly string[] {
    return [...this.#jobs.keys()];
  }

  cancel(key: string): void {
    const job = this.#jobs.get(key);
    if (job !== undefined && isAlive(job)) this.#cancelled.push(key);
    this.#jobs.delete(key);
  }

  /** Its program gets a signal: stands still, goes on, or is gone. */
  signal(key: string, signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void {
    const job = this.#jobs.get(key);
    if (job === undefined || !isAlive(job)) return;
    if (signal === "SIGKILL") this.#fail(job, KILLED);
    else job.isStopped = signal === "SIGSTOP";
  }

  tick(times = 1): void {
    for (let i = 0; i < times; i += 1) for (const job of this.#jobs.values()) if (isAlive(job)) this.#step(job);
  }

  seen(key: string): SeenEncode {
    const job = this.#jobs.get(key);
    if (job === undefined) return { ref: key, state: "missing" };
    if (job.seen.state !== "running") return { ref: key, ...job.seen };
    const { durationMs = 0, bytes = 0 } = this.#sources.get(job.input) ?? {};
    const share = job.ticks / this.#wholeTicks;
    const outTimeMs = this.#lies.get(key) === "no-time" ? 0 : Math.round(share * durationMs);
    const details = {
      ...{ frame: job.ticks * 24, fps: 24, outTimeMs, totalBytes: Math.round((share * bytes) / 2), speed: 1 },
      ...{ percent: Math.round(share * 100), etaMs: Math.round((1 - share) * durationMs) },
    };
    const marks = { phase: 1, frames: details.frame, outTimeMs, bytes: details.totalBytes };
    return { ref: key, state: "running", progress: details.percent, marks, details };
  }

  truth(): EncoderTruth {
    const alive = [...this.#jobs.values()].filter(isAlive);
    return {
      starts: this.#starts,
      programs: this.#programs,
      alive: alive.map(({ key }) => key),
      parts: alive.filter(({ seen }) => seen.state === "running").map(({ part }) => part),
      films: this.#films,
      cancelled: this.#cancelled,
    };
  }

  #step(job: WorldJob): void {
    if (job.seen.state === "queued") {
      this.#begin(job);
      return;
    }
    const lie = this.#lies.get(job.key);
    if (job.isStopped || lie === "stalls") return;
    job.ticks += 1;
    if (this.isDiskFull) this.#fail(job, DISK_FULL);
    else if (lie === "dies" && job.ticks >= this.#wholeTicks / 2) this.#fail(job, KILLED);
    else if (job.ticks >= this.#wholeTicks) this.#end(job, lie);
  }

  #begin(job: WorldJob): void {
    const film = this.#sources.get(job.input);
    if (film === undefined) this.#fail(job, { ...GONE, message: `there is no file ${job.input}` });
    else if (film.is === "rubbish") this.#fail(job, { ...RUBBISH, message: "it cannot be read as film" });
    else if (film.is === "cut") this.#fail(job, { ...RUBBISH, message: "it ends before its end" });
    else {
      count(this.#programs, job.key);
      job.seen = { state: "running" };
    }
  }

  #end(job: WorldJob, lie: EncodeLie | undefined): void {
    if (lie === "cut-output") {
      this.#fail(job, { kind: "transient", code: "BAD_OUTPUT", message: "what ffmpeg made is not whole" });
      return;
    }
    const { bytes: sourceBytes = 0, durationMs = 0 } = this.#sources.get(job.input) ?? {};
    const isLarger = lie === "grows";
    const bytes = isLarger ? sourceBytes * 2 : Math.round(sourceBytes / 2);
    if (isLarger && !job.profile.keepLarger) {
      job.seen = { state: "done", output: { kind: "larger", bytes, sourceBytes, reason: "it is larger than before" } };
      return;
    }
    this.#films.set(job.output, job.key);
    const size = { width: 320, height: Math.min(180, job.profile.maxHeight ?? 180) };
    const output: EncodeOutcome = { kind: "made", file: job.output, bytes, sourceBytes, durationMs, ...size, isLarger };
    job.seen = { state: "done", output };
  }

  #fail(job: WorldJob, { kind, code, message }: Failure): void {
    const breaker = kind === "unavailable" ? "none" : "success";
    job.seen = { state: "failed", fault: new Fault(kind, code, message, { breaker }) };
  }
}

const KILLED: Failure = { kind: "transient", code: "KILLED", message: "ffmpeg was ended by SIGKILL" };
const DISK_FULL: Failure = { kind: "unavailable", code: "DISK_FULL", message: "there is no space left for the film" };
const GONE = { kind: "permanent", code: "FILE_NOT_FOUND" } as const;
const RUBBISH = { kind: "permanent", code: "INVALID_FORMAT" } as const;

function isAlive({ seen: { state } }: WorldJob): boolean {
  return state === "queued" || state === "running";
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
