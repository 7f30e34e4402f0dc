// What is printed: a failure that can be read and repeated, and the line at the end.

import type { Counts } from "./counts.ts";
import { type Decision, FAULTS, type FaultKind } from "./faults.ts";
import type { SeedResult } from "./run-seed.ts";

const LINES_MOST = 120;

export function failureText(first: SeedResult, small: SeedResult): string {
  const faults = small.decisions.filter((decision) => decision.step <= small.steps);
  const lines = small.lines.slice(-LINES_MOST);
  return [
    `seed ${first.seed} broke "${first.violation?.invariant}" at step ${first.steps}: ${first.violation?.message}`,
    `smallest found: ${small.steps} steps, ${faults.length} of ${first.decisions.length} faults: ${small.violation?.message}`,
    ...(small.lines.length > lines.length ? [`  … ${small.lines.length - lines.length} lines before`] : []),
    ...lines.map((line) => `  ${line}`),
    `repeat it:   npm run sim -- --seed ${first.seed}`,
    `the small one: npm run sim -- --seed ${small.seed} --faults "${faultsText(faults)}"`,
  ].join("\n");
}

export function faultsText(decisions: readonly Decision[]): string {
  return decisions.map(({ step, kind, detail }) => `${step}:${kind}:${detail}`).join(",");
}

export function parseFaults(text: string): Decision[] {
  return text
    .split(",")
    .filter(Boolean)
    .map((one) => {
      const [step, kind = "", detail] = one.split(":");
      if (!(kind in FAULTS)) throw new Error(`no such fault: ${kind}`);
      return { step: Number(step), kind: kind as FaultKind, detail: Number(detail) };
    });
}

export function summary(seeds: number, counts: Counts, violations: number): string {
  return [
    `${seeds} seeds`,
    `${counts.of("steps")} steps`,
    `${counts.of("crashes")} crashes`,
    `${counts.of("pauses")} pauses`,
    `${counts.of("stale write refused")} stale writes refused`,
    `${violations} violations`,
  ].join(", ");
}

/** Rare things that some seed has to reach, or the simulation no longer shows what it is there to show. */
const SOMETIMES = [
  ...Object.keys(FAULTS).map((kind) => `fault: ${kind}`),
  "fault: lost wake-up",
  "stale write refused",
  "reclaimed",
  "marked dead",
  "unknown commit: it had",
  "unknown commit: it had not",
  "cancel won",
  "cancel lost",
  "retry",
  "answer",
  "handed on",
  "handed over",
  "offered in vain",
  ...["handed over afar", "nobody invited", "fault: lost letter"],
  "queued",
  "closed",
  "outside: adopted",
  "outside: answer lost",
  "outside: probe",
  "orphans found",
  "callback: news",
  "callback: in vain",
  ...["bulk: done", "bulk: not done", "bulk: in several batches", "bulk: stopped", "bulk: copied"],
  ...["found", "scheduled: often", "scheduled: sundays", "schedule: missed", "checked: deadlines of children"],
  "claimed by turns",
  "claimed by age",
  ...["queued", "paused", "no_worker", "capped", "key_capped", "question", "children", "backoff", "service_down"].map(
    (reason) => `explained: ${reason}`,
  ),
];
const CHECKED = [
  "nothing forgotten",
  "one owner",
  "legal path",
  "attempts",
  "one success",
  "no gap",
  "closed means closed",
  "capacity",
  "key limit",
  "starvation",
  "counts",
  "waits",
  "keys",
  "acknowledged",
  "effects",
  "feed",
  "bounds",
  "explained",
  "rows and sizes",
  "version",
  ...["bulk", "finders", "schedules", "deadlines", "removal", "retention"],
  ...[
    "watched",
    "seen",
    "owed",
    "starts",
    "breaker",
    "one probe",
    "service capacity",
    "rate",
    "full windows",
    "outages",
  ],
];

export function neverSeen(counts: Counts): string[] {
  return [...SOMETIMES, ...CHECKED.map((name) => `checked: ${name}`)].filter((name) => counts.of(name) === 0);
}
