// An outside job as its watcher remembers it, and what of it is news for the run row.

import type { OddNote } from "../items/seen.sql.ts";
import { hasMoved, type Job, watchedReason } from "../items/stall.ts";
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
  /** How steadily it moves: one more for a look that saw it, one less for one that did not. */
  pace: number;
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
  if (isPoint(saved.progress, job.progress)) return age >= POINT_EVERY_MS;
  const { progress, marks, activeAt } = toSave(one, now);
  const isNews = progress !== saved.progress || marks !== saved.marks || activeAt !== saved.activeAt;
  return isNews && age >= NEWS_EVERY_MS;
}

function isPoint(before: number | null, now: number | null): boolean {
  if (before === null || now === null) return before !== now;
  return Math.abs(now - before) >= 1;
}

const STEADY = 2;
const STEADIEST = 3;

/** Looks and what they look at are not in step: a look may fall between two moves of a job that does not stand still. */
export function paceAfter(pace: number, isActive: boolean): number {
  return isActive ? Math.min(STEADIEST, pace + 1) : Math.max(0, pace - 1);
}

/**
 * It moves from look to look, and its row knows that it ever did. Then only points are written, and now and then that it lives:
 * marks are what it has to exceed once it stands still, and when it is seen to do so they are news. Whoever takes over before
 * finds it higher than its row says, and so alive, as it was. The log gets all that lies between the first change in a row and
 * the last: with marks each time it was a sixth more.
 */
function goesOn({ job, saved, pace }: WatchedJob): boolean {
  return pace >= STEADY && saved.state === job.state && hasMoved(saved.marks);
}

/** What the row is to say of it. */
function toSave(one: WatchedJob, now: number): Job {
  const { job, saved } = one;
  if (!goesOn(one)) return job;
  return {
    ...saved,
    progress: isPoint(saved.progress, job.progress) ? job.progress : saved.progress,
    activeAt: now - saved.activeAt >= NEWS_EVERY_MS ? job.activeAt : saved.activeAt,
  };
}

export function changeOf(one: WatchedJob, now: number): JobChange {
  const { id, version, saved } = one;
  const { state, marks, progress, activeAt } = toSave(one, now);
  return {
    id,
    version,
    progress,
    marks: goesOn(one) ? null : JSON.stringify(marks),
    reason: watchedReason(state),
    activeMsAgo: activeAt === saved.activeAt ? null : Math.max(0, now - activeAt),
  };
}

/** After it was written, and not before: what was not written is still news. */
export function wasSaved(one: WatchedJob, now: number): void {
  one.saved = toSave(one, now);
  one.savedAt = now;
}

export function newlyOdd({ id, version, odd }: WatchedJob): OddNote[] {
  return [...odd].filter(([, isTold]) => !isTold).map(([message]) => ({ id, version, message }));
}

/** After it was written, as above. */
export function wasTold({ odd }: WatchedJob): void {
  for (const message of odd.keys()) odd.set(message, true);
}
