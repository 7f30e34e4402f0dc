// Whether an item's end can be foretold from where it stands, and if not, why not. Pure.

import { isOwnReason, type OwnReason } from "../items/reasons.ts";
import type { NoEstimate } from "./estimate.ts";
import { SAMPLES_LEAST } from "./estimate.ts";
import type { Facts } from "./facts.ts";

/** Null where history can tell. Closed: a new reason has to say. */
const EXPECTATIONS: { readonly [Reason in OwnReason]: NoEstimate | null } = {
  done: "ended",
  failed: "ended",
  cancelled: "ended",
  running: null,
  outside: null,
  queued: null,
  capped: null,
  key_capped: null,
  at_capacity: null,
  ramping: null,
  rate_limited: null,
  service_down: "blocked",
  stage_off: "blocked",
  paused: "blocked",
  held: "blocked",
  no_worker: "blocked",
  scheduled: null,
  again: null,
  backoff: null,
  disk_low: "blocked",
  question: "needs-you",
  children: null,
  parts: null,
  withdrawing: "waiting",
  undecodable: "blocked",
  unknown: "unknown",
};

export function hindranceOf(facts: Facts, reason: string): NoEstimate | null {
  if (reason === "outside") return hindranceOutside(facts);
  // A stage's own wait ends when something comes that only the stage knows.
  return isOwnReason(reason) ? EXPECTATIONS[reason] : "waiting";
}

/** Half of its patience without movement is no pace to go by; where the limits are not known, so long. */
const STILL_MS = 600_000;

function hindranceOutside({ outside, service, now }: Facts): NoEstimate | null {
  if (outside === null) return "unknown";
  if (!outside.isLookedAfter) return "blocked";
  if (service?.isOpen === true || outside.state !== "running") return "blocked";
  const still = now.getTime() - outside.activeAt.getTime();
  const patience = outside.stallsAt === null ? STILL_MS : (outside.stallsAt.getTime() - outside.activeAt.getTime()) / 2;
  return still >= patience ? "stalled" : null;
}

export function noEstimateWords(because: NoEstimate, stage: string | null): string {
  const where = stage ?? "its stage";
  switch (because) {
    case "ended":
      return "It has ended.";
    case "needs-you":
      return "No estimate: it needs your answer first.";
    case "blocked":
      return "No estimate: it is held up, and nobody knows for how long.";
    case "stalled":
      return "No estimate: the work outside does not move.";
    case "waiting":
      return "No estimate: it waits for something whose time nobody knows.";
    case "overdue":
      return `No estimate: it has been in ${where} for longer than any before it.`;
    case "too-few-samples":
      return `No estimate: fewer than ${SAMPLES_LEAST} have been through ${where} in the last 30 days.`;
    case "unknown":
      return "No estimate: nobody knows how it stands.";
  }
}
