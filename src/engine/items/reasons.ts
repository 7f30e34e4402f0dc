// Why an item is not being worked on, or how it ended: the engine's own words, all of them. A stage's `wait()` may bring any
// other. Whoever adds one here is asked by the compiler for its sentence and for whether its end can be foretold.

import type { EndState } from "./codes.ts";

/** What keeps an item whose time has come. It follows from its lane, and is not stored with the item. */
export const DUE_REASONS = [
  "queued",
  "capped",
  "key_capped",
  "at_capacity",
  "ramping",
  "rate_limited",
  "service_down",
  "stage_off",
  "paused",
  "held",
  "no_worker",
] as const;

export type DueReason = (typeof DUE_REASONS)[number];

export const OWN_REASONS = [
  "done",
  "failed",
  "cancelled",
  "running",
  "outside",
  ...DUE_REASONS,
  "scheduled",
  "again",
  "backoff",
  "disk_low",
  "question",
  "children",
  "parts",
  "withdrawing",
  "undecodable",
  "unknown",
] as const;

export type OwnReason = (typeof OWN_REASONS)[number];

/** Told as well of items that were turned away and wait until they try again; then it is stored with them. */
const STORED_TOO: readonly DueReason[] = ["rate_limited", "service_down", "no_worker"];

export function isDueReason(reason: string): reason is DueReason {
  return (DUE_REASONS as readonly string[]).includes(reason);
}

/** No item has it stored: whoever is told so is due. */
export function isOfDueOnly(reason: string): boolean {
  return isDueReason(reason) && !STORED_TOO.includes(reason);
}

// Every end is a reason, too: this fails to compile where one is missing.
type Missing = Exclude<EndState, OwnReason>;
const complete: [Missing] extends [never] ? true : never = true;

const own: ReadonlySet<string> = new Set(complete ? OWN_REASONS : []);

export function isOwnReason(reason: string): reason is OwnReason {
  return own.has(reason);
}
