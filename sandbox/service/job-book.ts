// The jobs of a service: begun once for each key, worked on a few at a time, remembered when they are over. Time passes by `advance`
// alone; what it remembers can be stored and read again. Pure.

import type { WireJob } from "../../src/connectors/index.ts";
import type { Script } from "./faults.ts";

export interface Job {
  readonly id: string;
  readonly key: string;
  readonly input: unknown;
  /** How long it takes at the usual speed. */
  readonly seconds: number;
  readonly bytes: number;
  readonly file: string;
  /** From 0 to 1. */
  done: number;
  status: "queued" | "running" | "done";
}

export type Asked = Pick<Job, "seconds" | "bytes" | "file">;

export interface Stored {
  readonly lastId: number;
  readonly jobs: readonly Job[];
}

const ENDED_MOST = 300;

export class JobBook {
  readonly #atOnce: number;
  readonly #jobs: Map<string, Job>;
  #lastId: number;

  constructor(atOnce: number, { lastId, jobs }: Stored = { lastId: 0, jobs: [] }) {
    this.#atOnce = atOnce;
    this.#lastId = lastId;
    this.#jobs = new Map(jobs.map((job) => [job.id, { ...job }]));
  }

  stored(): Stored {
    return { lastId: this.#lastId, jobs: [...this.#jobs.values()] };
  }

  byKey(key: string): readonly Job[] {
    return [...this.#jobs.values()].filter((job) => job.key === key);
  }

  byIds(ids: readonly string[]): readonly Job[] {
    return ids.flatMap((id) => this.#jobs.get(id) ?? []);
  }

  byPrefix(prefix: string): readonly Job[] {
    return [...this.#jobs.values()].filter((job) => job.key.startsWith(prefix));
  }

  /** Bytes that those will need who are not done. */
  reserved(): number {
    return [...this.#jobs.values()].reduce((sum, { status, bytes }) => sum + (status === "done" ? 0 : bytes), 0);
  }

  /** For a key that has none yet. */
  start(key: string, input: unknown, asked: Asked): Job {
    this.#lastId += 1;
    const id = `job-${this.#lastId}`;
    const job: Job = { id, key, input, ...asked, file: `${id}-${asked.file}`, done: 0, status: "queued" };
    this.#jobs.set(id, job);
    return job;
  }

  /** False where there is none. */
  cancel(id: string): boolean {
    return this.#jobs.delete(id);
  }

  /** So many seconds pass. Answers with those that are done now, and whether anything began, ended or was forgotten. */
  advance(seconds: number, script: Script): { readonly ended: readonly Job[]; readonly isNews: boolean } {
    let isNews = false;
    const ended: Job[] = [];
    let running = [...this.#jobs.values()].filter(({ status }) => status === "running").length;
    for (const job of [...this.#jobs.values()]) {
      if (job.status === "done") continue;
      if (job.status === "queued" && running >= this.#atOnce) continue;
      if (job.status === "queued") {
        job.status = "running";
        running += 1;
        isNews = true;
      }
      job.done = Math.min(1, job.done + (seconds * script.speed) / job.seconds);
      if (job.done >= script.losesAt) this.#jobs.delete(job.id);
      else if (job.done === 1) {
        job.status = "done";
        ended.push(job);
      } else continue;
      running -= 1;
      isNews = true;
    }
    this.#forgetOld();
    return { ended, isNews };
  }

  #forgetOld(): void {
    const over = [...this.#jobs.values()].filter(({ status }) => status === "done");
    for (const job of over.slice(0, Math.max(0, over.length - ENDED_MOST))) this.#jobs.delete(job.id);
  }
}

/** What the service says of a job, which need not be so. */
export function told(job: Job, script: Script): WireJob {
  const { id, key, bytes, file } = job;
  const isSaidDone = job.status === "done" || job.done >= script.saysDoneAt;
  return {
    ...{ id, key, status: isSaidDone ? "done" : job.status },
    progress: isSaidDone ? 100 : Math.floor(job.done * 1_000) / 10,
    bytes: Math.round(job.done * bytes),
    ...(isSaidDone ? { result: { file, bytes } } : {}),
  };
}
