// An outside job as its watcher remembers it, and what of it is news for the run row.

import type { OddNote } from "../items/seen.sql.ts";
import { type Job, watchedReason } from "../items/stall.ts";
import type { JobChange } from "../items/watch.sql.ts";

export interface WatchedJob {
  readonly id: string;
  readonly version: number;
  readonly ref: string;
  job: Job;
  /** As the run row has it. */
  saved: Job;
  savedAt: number;
  /** Looks in a row that did not find it. */
  missed: number;
  /** Nonsense it told, and whether that was written down. */
  readonly odd: Map<string, boolean>;
}

/** Progress is written this often per job at most. */
const SAVE_EVERY_MS = 15_000;

/** A change of state at once: it stops or starts clocks. Progress now and then. */
export function isDue(one: WatchedJob, now: number): boolean {
  const { job, saved } = one;
  if (job.state !== saved.state) return true;
  const isNews = job.progress !== saved.progress || job.marks !== saved.marks || job.activeAt !== saved.activeAt;
  return isNews && now - one.savedAt >= SAVE_EVERY_MS;
}

export function changeOf(one: WatchedJob, now: number): JobChange {
  const { id, version, job, saved } = one;
  one.saved = job;
  one.savedAt = now;
  return {
    id,
    version,
    progress: job.progress,
    marks: JSON.stringify(job.marks),
    reason: watchedReason(job.state),
    activeMsAgo: job.activeAt === saved.activeAt ? null : Math.max(0, now - job.activeAt),
  };
}

export function newlyOdd(one: WatchedJob): OddNote[] {
  const fresh = [...one.odd].filter(([, isTold]) => !isTold).map(([message]) => message);
  for (const message of fresh) one.odd.set(message, true);
  return fresh.map((message) => ({ id: one.id, version: one.version, message }));
}
