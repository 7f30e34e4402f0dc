// What a decision starts from: where the item stands, what its pipeline says, what its visit came to; and the transition that
// changes nothing, which every decision varies. Pure.

import { BugError } from "../../kit/index.ts";
import type { BackoffRule } from "../pipeline/backoff.ts";
import type { Fault } from "../pipeline/fault.ts";
import type { Outcome } from "../pipeline/outcome.ts";
import type { PartsStep } from "./parts-step.ts";
import type { Transition } from "./transition.ts";

/** Where an item stands while it is visited. */
export interface Standing {
  readonly stage: number;
  readonly attempts: number;
  readonly series: number;
  readonly backs: number;
  readonly waits: number;
  /** Why it waited before this visit. */
  readonly reason: string | null;
  /** The visit was to finish what has ended outside. */
  readonly finishing?: boolean;
  /** It lives in this stage only, and ends with it. */
  readonly isPart?: boolean;
}

/** What `decide` needs to know of a pipeline. */
export interface Rules {
  readonly stages: readonly {
    readonly name: string;
    readonly attemptsMax: number;
    readonly backoff: BackoffRule;
    /** Its work happens elsewhere. */
    readonly outside?: unknown;
  }[];
}

export type VisitResult = (
  | { readonly outcome: Outcome }
  | { readonly fault: Fault }
  | { readonly started: { readonly ref: string; readonly key: string } }
  | { readonly chosen: string }
  | { readonly parts: PartsStep }
) &
  OutsideResult;

/** Only where the stage's work happens elsewhere. */
export interface OutsideResult {
  /** What ended outside is given up: it vanished, or failed or stalled and is to be cleaned up. The next try starts anew. */
  readonly gaveUp?: { readonly leave: "over" | "owed"; readonly atOnce: boolean };
}

export function fail(standing: Standing, code: string, message: string): Transition {
  return {
    ...unchanged(standing),
    kind: "fault",
    to: { end: "failed" },
    attempt: standing.attempts + 1,
    code,
    message,
  };
}

export function stay(standing: Standing, reason: string | null, change: Partial<Transition>): Transition {
  return { ...unchanged(standing), reason, delayMs: null, ...change };
}

export function unchanged(standing: Standing): Transition {
  return {
    kind: "done",
    to: { stage: standing.stage },
    attempt: null,
    attempts: standing.attempts,
    // Consecutive means consecutive: whatever else comes of a visit ends the row of waits for something unavailable.
    waits: 0,
    backs: standing.backs,
    series: standing.series,
    delayMs: 0,
    reason: null,
    code: null,
    message: null,
    output: undefined,
    journal: true,
    keepBegun: false,
    beside: null,
    entersAnew: false,
    service: undefined,
    outside: null,
  };
}

export function stageOf(rules: Rules, standing: Standing): Rules["stages"][number] {
  const stage = rules.stages[standing.stage];
  if (stage === undefined) throw new BugError(`no stage number ${standing.stage}`);
  return stage;
}
