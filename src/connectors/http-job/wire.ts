// The HTTP job API as it travels, and how its answers are read.
//
//   POST   jobs              Idempotency-Key: <key>, {"input": …}   → 200 or 201 {"id": "…"}; the same key, the same job
//   GET    jobs?ids=a,b,c                                           → {"jobs": [job, …]}; unknown ids are left out
//   GET    jobs?key=<key>                                           → {"jobs": [job, …]}
//   GET    jobs?prefix=<p>&limit=100&after=<cursor>                 → {"jobs": [{"id", "key", "status"}, …], "next": cursor or null}
//   DELETE jobs/<id>                                                → 2xx; 404 when it is gone already

import { permanent, transient } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import type { Listed, Seen } from "../kit/index.ts";

export type JobStatus = Exclude<Seen["state"], "missing">;

export interface WireJob {
  readonly id: string;
  readonly key: string;
  readonly status: JobStatus;
  /** In percent. */
  readonly progress?: unknown;
  readonly bytes?: unknown;
  /** Further counters that move while there is activity. */
  readonly activity?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

const STATUSES: ReadonlySet<unknown> = new Set<JobStatus>(["queued", "running", "paused", "done", "failed"]);
const MOST_MARKS = 20;

/** Ids end up in paths and, with commas between them, in queries. */
export function isJobId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9_~:-][A-Za-z0-9_.~:-]{0,199}$/.test(id);
}

export function readStarted(answer: unknown): string {
  const { id } = record(answer, "the answer");
  if (!isJobId(id)) throw new Error(`id is ${safeText(id, 80)}`);
  return id;
}

export function readJobs(answer: unknown): readonly WireJob[] {
  return list(answer).map((entry) => {
    const job = record(entry, "a job");
    const { id, key, status, progress, bytes, activity, result, error } = job;
    if (!isJobId(id)) throw new Error(`a job's id is ${safeText(id, 80)}`);
    if (typeof key !== "string") throw new Error(`job ${id} has no key`);
    if (!isStatus(status)) throw new Error(`job ${id} has the status ${safeText(status, 80)}`);
    return { id, key, status, progress, bytes, activity, result, error };
  });
}

function isStatus(status: unknown): status is JobStatus {
  return STATUSES.has(status);
}

export interface ListPage {
  readonly jobs: readonly Listed[];
  readonly next: string | undefined;
}

export function readPage(answer: unknown): ListPage {
  const { next } = record(answer, "the answer");
  if (next !== undefined && next !== null && typeof next !== "string") throw new Error(`next is ${safeText(next, 80)}`);
  const jobs = list(answer).map((entry) => {
    const { id, key, status } = record(entry, "a job");
    if (!isJobId(id) || typeof key !== "string" || !isStatus(status))
      throw new Error(`a listed job is ${safeText(entry, 200)}`);
    return { ref: id, key, state: status };
  });
  return { jobs, next: next === null || next === "" ? undefined : next };
}

function list(answer: unknown): readonly unknown[] {
  const { jobs } = record(answer, "the answer");
  if (!Array.isArray(jobs)) throw new Error("jobs is no list");
  return jobs;
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what} is no object`);
  return value as Readonly<Record<string, unknown>>; // an object's properties are unknown until looked at
}

/**
 * What a service says of a job → what the engine is told. What is no number is left out; a number that makes no sense, such
 * as 130 %, is passed on, because the engine writes down what it was told.
 */
export function toSeen(job: WireJob, service: string): Seen {
  const { status } = job;
  const percent = number(job.progress);
  const progress = percent === undefined ? {} : { progress: percent };
  const base = { ref: job.id, state: status, marks: marksOf(job), ...progress };
  switch (status) {
    case "queued":
    case "running":
    case "paused":
      return base;
    case "done":
      return { ...base, output: job.result ?? null };
    case "failed":
      return { ...base, fault: jobFault(job.error, service) };
  }
}

function marksOf(job: WireJob): Record<string, number> {
  const bytes = number(job.bytes);
  const said = typeof job.activity === "object" && job.activity !== null ? Object.entries(job.activity) : [];
  const usable = said.flatMap(([name, value]): [string, number][] => {
    const count = number(value);
    return count === undefined || name.length > 64 ? [] : [[name, count]];
  });
  const first = bytes === undefined ? [] : [["bytes", bytes] as const];
  return Object.fromEntries([...first, ...usable.slice(0, MOST_MARKS)]);
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A job that failed is a service that answered. Whether trying again can help only the service can know. */
function jobFault(error: unknown, service: string) {
  const said = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {}; // see `record`
  const code = typeof said.code === "string" && /^[A-Z][A-Z0-9_]{0,63}$/.test(said.code) ? said.code : "JOB_FAILED";
  const message = `${service}: ${typeof said.message === "string" ? safeText(said.message, 500) : "the job failed"}`;
  const make = said.permanent === true ? permanent : transient;
  return make(code, message, { service, breaker: "success" });
}
