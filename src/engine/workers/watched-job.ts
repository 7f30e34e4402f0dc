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

/**
 * A bar moves by whole points, and whoever looks at one wants to see it move: a point is written soon. A job has a hundred
 * of them in all its life, so this adds a hundred writes to it at most. Ten thousand jobs of an hour make a point in 36 s
 * each: 280 rows a second for those that tell nothing else, fewer than the 670 of a write every 15 s; for those whose marks
 * move with every look as well, which are written every 15 s anyhow, it is a quarter more, 830.
 */
const POINT_EVERY_MS = 2_000;
/** What is no point of progress: marks, signs of life, the digits behind the comma. */
const NEWS_EVERY_MS = 15_000;

/** A change of state at once: it stops or starts clocks. Progress soon, the rest now and then. */
export function isDue(one: WatchedJob, now: number): boolean {
  const { job, saved } = one;
  if (job.state !== saved.state) return true;
  const age = now - one.savedAt;
  if (hasMoved(saved.progress, job.progress)) return age >= POINT_EVERY_MS;
  const isNews = job.progress !== saved.progress || job.marks !== saved.marks || job.activeAt !== saved.activeAt;
  return isNews && age >= NEWS_EVERY_MS;
}

function hasMoved(before: number | null, now: number | null): boolean {
  if (before === null || now === null) return before !== now;
  return Math.abs(now - before) >= 1;
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
