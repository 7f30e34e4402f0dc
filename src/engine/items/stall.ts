// Is an outside job alive? Pure. Activity is a mark that reaches a new height: bytes, frames, seconds of film, whichever the
// service tells. A percentage alone may stand for an hour while a large file arrives, and a job that swings between 40 % and
// 60 % for ever is as dead as one that stands still.

import type { Seen, StallRules } from "../pipeline/outside.ts";

/** What the watcher remembers of a job. Times are the database's, in milliseconds. */
export interface Job {
  readonly state: "queued" | "running" | "paused";
  /** The highest each mark has been. */
  readonly marks: Readonly<Record<string, number>>;
  /** As last told, within 0 and 100; null when nothing sensible was told yet. */
  readonly progress: number | null;
  /** When it was last alive, was started, or was let go on by its owner. */
  readonly activeAt: number;
}

export interface Observed {
  readonly job: Job;
  readonly isActive: boolean;
  /** What made no sense, in words; recorded once per job and sentence. */
  readonly odd: readonly string[];
}

type Alive = Seen & { readonly state: Job["state"] };

export function observe(before: Job, seen: Alive, now: number): Observed {
  const odd: string[] = [];
  const progress = sensibleProgress(before.progress, seen.progress, odd);
  const marks = higher(before.marks, toldMarks(seen), odd);
  const isActive = marks !== before.marks;
  // Whoever held it back has let it go: what stood still until now was not its doing.
  const letGo = before.state !== "running" && seen.state === "running";
  const activeAt = isActive || letGo ? now : before.activeAt;
  return { job: { state: seen.state, marks, progress, activeAt }, isActive, odd };
}

/** Where a service tells no marks, the percentage has to do. */
function toldMarks(seen: Seen): Readonly<Record<string, number>> {
  const { marks, progress } = seen;
  if (marks !== undefined && Object.keys(marks).length > 0) return marks;
  return progress === undefined ? {} : { progress };
}

/** The same object when none is higher. */
function higher(
  known: Readonly<Record<string, number>>,
  told: Readonly<Record<string, number>>,
  odd: string[],
): Readonly<Record<string, number>> {
  const risen: [string, number][] = [];
  for (const [name, value] of Object.entries(told).slice(0, MARKS_MOST)) {
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) odd.push(`${name} is ${String(value)}`);
    else if (value > (known[name] ?? 0)) risen.push([name.slice(0, 40), value]);
  }
  return risen.length === 0 ? known : { ...known, ...Object.fromEntries(risen) };
}

const MARKS_MOST = 8;

function sensibleProgress(before: number | null, told: number | undefined, odd: string[]): number | null {
  if (told === undefined || told === null) return before;
  if (typeof told !== "number" || Number.isNaN(told)) {
    odd.push(`progress is ${String(told)}`);
    return before;
  }
  if (told < 0 || told > 100) odd.push(told < 0 ? "progress is below 0" : "progress is above 100");
  const within = Math.min(100, Math.max(0, told));
  if (before !== null && within < before) odd.push("progress went backwards");
  return within;
}

/** Whether anything ever moved decides which limit holds. */
export function hasMoved(marks: Readonly<Record<string, number>>): boolean {
  return Object.values(marks).some((value) => value > 0);
}

/**
 * When it counts as stalled if nothing moves before; null while no clock runs: it is paused or queued by its owner, or the
 * service itself is down. `resumedAt`: the service came back, or nobody had been looking.
 */
export function stallsAt(job: Job, rules: StallRules, service: { isDown: boolean; resumedAt: number }): number | null {
  if (job.state !== "running" || service.isDown) return null;
  const limit = hasMoved(job.marks) ? rules.stoppedMs : rules.neverMs;
  return Math.max(job.activeAt, service.resumedAt) + limit;
}

// What the run row says while it is watched. Nothing for a job that runs.
const QUEUED = "queued_outside";
const PAUSED = "paused_outside";

export function watchedReason(state: Job["state"]): string | null {
  if (state === "running") return null;
  return state === "queued" ? QUEUED : PAUSED;
}

/** `standsInLine`: nothing was seen of it yet, and what is started there stands in line first. */
export function watchedState(reason: string | null, standsInLine: boolean): Job["state"] {
  if (reason === QUEUED || (reason === null && standsInLine)) return "queued";
  return reason === PAUSED ? "paused" : "running";
}
