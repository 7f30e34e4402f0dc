// Why an item stands where it stands: exactly one reason, decided in the order in which the claim would decide.
//
//   ended?                          done, failed, cancelled
//   watched?                        outside, with the stall's countdown
//   in somebody's hands?            running
//   its own time has not come?      what it waits for: its stored reason
//   a closed valve over its lane?   stage_off, paused, held, service_down
//   nobody has its code?            no_worker
//   its service wants or has room for nobody more right now?   rate_limited, ramping, at_capacity
//   all places of its lane taken?   capped
//   all of its key's places taken?  key_capped
//   otherwise the claim takes it    queued
//
// Pure. The claim asks about the valve before it looks at times; for an item that fails both, its own wait is the reason
// that is told, because opening the valve would change nothing for it.

import { RUN_STATE } from "../items/codes.ts";
import type { DueReason } from "../items/reasons.ts";
import type { Action, Cause, Explanation } from "./explanation.ts";
import type { Facts, LaneStanding, Run } from "./facts.ts";
import { itemState } from "./state.ts";
import { timeWords } from "./time-words.ts";
import { sentenceFor } from "./wording.ts";

export interface ExplainOptions {
  /** In which the sentence tells times; without it they are told in UTC, and say so. */
  readonly timeZone?: string | undefined;
}

export function explain(facts: Facts, options: ExplainOptions = {}): Explanation {
  const cause = causeOf(facts);
  const times = timeWords(facts.now, options.timeZone);
  return {
    state: itemState(facts.end?.state ?? null, facts.run),
    ...cause,
    service: facts.service?.name ?? null,
    actions: actionsFor(facts, cause.reason),
    sentence: sentenceFor(facts, cause, times),
    discreetSentence: sentenceFor(withoutServiceWords(facts), cause, times),
  };
}

/** That it refuses our credentials is the engine's own finding, and quotes nobody. */
function withoutServiceWords(facts: Facts): Facts {
  const { service } = facts;
  if (service === null) return facts;
  return { ...facts, service: { ...service, message: null, code: service.code === "AUTH" ? "AUTH" : null } };
}

function causeOf(facts: Facts): Cause {
  const { end, run } = facts;
  if (end !== null) return { reason: end.state, since: end.at, until: null };
  if (run === null) return { reason: "unknown", since: null, until: null };
  const { outside } = facts;
  if (outside !== null) return { reason: "outside", since: run.since, until: outside.stallsAt };
  if (run.state !== RUN_STATE.idle) return { reason: "running", since: run.since, until: null };
  return run.isDue ? whyUnclaimed(facts, run) : whyNotDue(facts, run);
}

function whyNotDue(facts: Facts, run: Run): Cause {
  const { since, readyAt } = run;
  if (run.reason === "question") return { reason: "question", since, until: facts.question?.fallbackAt ?? readyAt };
  if (run.reason !== null) return { reason: run.reason, since, until: readyAt };
  // Without a reason an item is due at once, unless the clock was set back since.
  return readyAt === null ? { reason: "unknown", since, until: null } : { reason: "scheduled", since, until: readyAt };
}

type DueCause = Cause & { readonly reason: DueReason };

/** Its time has come: what keeps it is not its own. */
export function whyUnclaimed(facts: LaneStanding, run: Pick<Run, "since" | "readyAt">): DueCause {
  const { valve, lane } = facts;
  // What it waited for before is over; it has been in line since then.
  const since = latest(run.since, run.readyAt);
  if (valve !== null) {
    const until = valve.kind === "breaker" ? (facts.service?.probeAt ?? valve.until) : valve.until;
    return { reason: valveReason(valve.kind), since: latest(since, valve.changedAt), until };
  }
  if (lane.liveWorkers === 0) return { reason: "no_worker", since, until: null };
  const behind = behindService(facts);
  if (behind !== undefined) return { ...behind, since };
  if (lane.cap !== null && lane.inside >= lane.cap) return { reason: "capped", since, until: null };
  if (lane.perKey !== null) return { reason: "key_capped", since, until: null };
  return { reason: "queued", since, until: null };
}

/** In the order in which the claim asks. */
function behindService({ service }: LaneStanding): Pick<DueCause, "reason" | "until"> | undefined {
  if (service === null) return undefined;
  if (service.busyUntil !== null) return { reason: "rate_limited", until: service.busyUntil };
  if (service.rate !== null) return { reason: "rate_limited", until: service.rate.until };
  if (service.ramp !== null) return { reason: "ramping", until: null };
  return service.capacity === null ? undefined : { reason: "at_capacity", until: null };
}

const VALVE_REASONS = new Map<string, DueReason>([
  ["switch", "stage_off"],
  ["pause", "paused"],
  ["breaker", "service_down"],
]);

/** A hold, a rollout's hold, and whatever kind a newer release knows. */
function valveReason(kind: string): DueReason {
  return VALVE_REASONS.get(kind) ?? "held";
}

function actionsFor(facts: Facts, reason: string): readonly Action[] {
  const { end, run, waiter, question, valve } = facts;
  if (end !== null) return end.state === "failed" && !end.isKeyTaken ? ["retry"] : [];
  if (run === null) return [];
  if (reason === "question" && question !== null) return ["answer", "cancel"];
  if (run.state === RUN_STATE.idle && !run.isDue) return waiter?.kind === "signal" ? ["signal", "cancel"] : ["cancel"];
  if (run.state !== RUN_STATE.idle || valve === null) return ["cancel"];
  // A breaker opens and closes by itself; what a person can do is to have it looked at sooner.
  if (valve.kind === "breaker") return ["check", "cancel"];
  return valve.isPassable ? ["open", "run-once", "cancel"] : ["open", "cancel"];
}

function latest(a: Date, b: Date | null): Date {
  return b !== null && b > a ? b : a;
}
