// The heart: where an item stands + what its visit came to → what happens to it. Pure; the only place where attempts
// are counted and where "failed" is decided.
//
//   outcome      stage       attempt  waits with       journal row
//   done, skip   next/end    success  –                always
//   again        same        –        again            when the reason changes
//   wait         same        –        its reason       when the reason changes
//   ask          same        –        question         always
//   spawn        same        –        children         always
//   back         earlier     –        –                always; the next series begins; bounded by the stage's attempts
//   permanent    end failed  counted  –                always
//   transient    same        counted  backoff          always; the last one ends it
//   unavailable  same        –        service_down, rate_limited, disk_low    when the reason changes

import { BugError, parseId, safeText, toMilliseconds } from "../../kit/index.ts";
import { type BackoffRule, backoffDelayMs, notAtOnce } from "../pipeline/backoff.ts";
import { type Fault, MESSAGE_BYTES, permanent, toFault, transient } from "../pipeline/fault.ts";
import { type Ask, type Back, type Outcome, type Wait, wait } from "../pipeline/outcome.ts";
import {
  checkChildren,
  checkForPart,
  checkKey,
  checkOptions,
  checkReason,
  checkText,
  describe,
} from "./outcome-checks.ts";
import { type PartsStep, takePartsStep } from "./parts-step.ts";
import type { Beside, Transition } from "./transition.ts";
import { isItsOwnDoing, NO_SERVICES, type ServiceView, waitFor } from "./unavailable.ts";

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

/** What a worker says of a stored value that it cannot read. By identity: the word is no stage's to use. */
export const UNDECODABLE: Wait = wait("undecodable", { again: "1h" });

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

/** `fraction` is chance in [0, 1), for jitter. An outcome that makes no sense is a bug of the stage, and decided as one. */
export function decide(
  rules: Rules,
  standing: Standing,
  result: VisitResult,
  fraction: number,
  view: ServiceView = NO_SERVICES,
): Transition {
  if (rules.stages[standing.stage] === undefined) return fail(standing, "BUG", `no stage number ${standing.stage}`);
  const fate = decideFate(rules, standing, result, fraction, view);
  return rules.stages[standing.stage]?.outside === undefined ? fate : withOutside(standing, fate, result);
}

function decideFate(
  rules: Rules,
  standing: Standing,
  result: VisitResult,
  fraction: number,
  view: ServiceView,
): Transition {
  if ("fault" in result) return onFault(rules, standing, result.fault, fraction, view);
  if ("started" in result) {
    const { ref } = result.started;
    return stay(standing, null, { kind: "started", keepBegun: true, message: ref, outside: { watch: result.started } });
  }
  if ("chosen" in result) {
    return stay(standing, null, { kind: "chosen", delayMs: 0, message: result.chosen, service: result.chosen });
  }
  if ("parts" in result) {
    const { reason, change } = takePartsStep(result.parts, standing.reason);
    return stay(standing, reason, change);
  }
  try {
    if (standing.isPart) checkForPart(result.outcome);
    return onOutcome(rules, standing, result.outcome);
  } catch (error) {
    // Not as toFault classifies it: a TypeError here comes from reading a malformed outcome, and trying again would
    // spend every attempt on the same one.
    return onFault(rules, standing, permanent("BUG", toFault(error).message, { cause: error }), fraction, view);
  }
}

/**
 * What happens to the work outside follows from what happens to the item. Going on: it is over. Going back or starting
 * anew: it is left behind, under another series, so that the next key is another one and the old job is not adopted.
 */
function withOutside(standing: Standing, fate: Transition, result: VisitResult): Transition {
  if ("end" in fate.to || fate.outside !== null) return fate;
  if (fate.to.stage > standing.stage) return standing.finishing ? { ...fate, outside: { leave: "over" } } : fate;
  if (fate.to.stage < standing.stage) return { ...fate, outside: { leave: result.gaveUp?.leave ?? "owed" } };
  if (result.gaveUp !== undefined) {
    const { leave, atOnce } = result.gaveUp;
    const delayMs = atOnce ? 0 : fate.delayMs;
    return { ...fate, delayMs, series: fate.series + 1, entersAnew: true, keepBegun: false, outside: { leave } };
  }
  return standing.finishing ? { ...fate, outside: { keep: true } } : fate;
}

function onOutcome(rules: Rules, standing: Standing, outcome: Outcome): Transition {
  switch (outcome?.type) {
    case "done": {
      const children = checkChildren(outcome.spawn);
      const beside: Beside | null = children.length > 0 ? { type: "children", children, join: false } : null;
      return {
        ...advance(rules, standing),
        kind: "done",
        attempt: standing.attempts + 1,
        output: outcome.output,
        beside,
      };
    }
    case "skip":
      return {
        ...advance(rules, standing),
        kind: "skip",
        attempt: standing.attempts + 1,
        output: outcome.output,
        message: checkText(outcome.reason, "skip"),
      };
    case "again":
      return stay(standing, "again", {
        kind: "again",
        delayMs: notAtOnce(toMilliseconds(outcome.after, "again")),
        keepBegun: true,
        journal: standing.reason !== "again",
      });
    case "wait":
      return onWait(standing, outcome);
    case "back":
      return onBack(rules, standing, outcome);
    case "ask":
      return onAsk(standing, outcome);
    case "spawn": {
      const children = checkChildren(outcome.children);
      if (children.length === 0) throw new BugError("spawn() needs at least one child");
      const beside: Beside = { type: "children", children, join: true };
      return stay(standing, "children", { kind: "spawn", beside, keepBegun: true });
    }
    default:
      throw new BugError(
        `a visit has to return done(), skip(), again(), wait(), back(), ask() or spawn(), got ${describe(outcome)}`,
      );
  }
}

function advance(rules: Rules, standing: Standing): Transition {
  const isLast = standing.isPart === true || standing.stage === rules.stages.length - 1;
  return { ...unchanged(standing), to: isLast ? { end: "done" } : { stage: standing.stage + 1 }, attempts: 0 };
}

function onWait(standing: Standing, outcome: Wait): Transition {
  const { again, signal, item } = outcome;
  if (signal !== undefined && item !== undefined) throw new BugError("wait() takes a signal or an item, not both");
  if (again === undefined && signal === undefined && item === undefined) {
    throw new BugError("wait() needs what ends it: again, signal or item");
  }
  let beside: Beside | null = null;
  if (signal !== undefined) beside = { type: "waiter", kind: "signal", key: checkKey(signal, "wait.signal") };
  if (item !== undefined) beside = { type: "waiter", kind: "item", key: parseId("item", item, "wait.item") };
  const reason = outcome === UNDECODABLE ? outcome.reason : checkReason(outcome.reason);
  return stay(standing, reason, {
    kind: "wait",
    delayMs: again === undefined ? null : notAtOnce(toMilliseconds(again, "wait.again")),
    journal: standing.reason !== reason,
    beside,
  });
}

function onBack(rules: Rules, standing: Standing, outcome: Back): Transition {
  const target = rules.stages.findIndex((stage) => stage.name === outcome.stage);
  if (target < 0) throw new BugError(`back() names no stage of this pipeline: ${describe(outcome.stage)}`);
  if (target >= standing.stage)
    throw new BugError(`back() goes to an earlier stage, and "${outcome.stage}" is not earlier`);
  const { name, attemptsMax } = stageOf(rules, standing);
  const backs = standing.backs + 1;
  if (backs >= attemptsMax) {
    return fail(standing, "TOO_MANY_RETURNS", `sent back ${backs} times, the last time by ${name} to ${outcome.stage}`);
  }
  const series = standing.series + 1;
  return {
    ...unchanged(standing),
    kind: "back",
    to: { stage: target },
    attempts: 0,
    backs,
    series,
    output: outcome.note ?? null,
  };
}

function onAsk(standing: Standing, outcome: Ask): Transition {
  const { fallback } = outcome;
  return stay(standing, "question", {
    kind: "ask",
    message: checkText(outcome.question, "question"),
    beside: {
      type: "question",
      text: checkText(outcome.question, "question"),
      options: outcome.options === undefined ? null : checkOptions(outcome.options),
      fallback:
        fallback === undefined
          ? null
          : { answer: fallback.answer, afterMs: toMilliseconds(fallback.after, "fallback.after") },
    },
  });
}

function onFault(rules: Rules, standing: Standing, fault: Fault, fraction: number, view: ServiceView): Transition {
  const { code } = fault;
  const message = safeText(fault.message, MESSAGE_BYTES);
  const attempt = standing.attempts + 1;
  const { attemptsMax, backoff } = stageOf(rules, standing);
  switch (fault.kind) {
    case "permanent":
      return fail(standing, code, message);
    case "transient":
      if (attempt >= attemptsMax) return fail(standing, code, message);
      return stay(standing, "backoff", {
        kind: "fault",
        code,
        message,
        attempt,
        attempts: attempt,
        delayMs: backoffDelayMs(backoff, attempt, fraction),
        keepBegun: true,
      });
    case "unavailable": {
      if (isItsOwnDoing(fault, standing.waits, view)) {
        const counted = transient(code, message, fault.service === undefined ? {} : { service: fault.service });
        return { ...onFault(rules, standing, counted, fraction, view), waits: standing.waits };
      }
      const change = waitFor(fault, standing, fraction, view);
      return stay(standing, change.reason, { ...change, kind: "fault", code, message });
    }
  }
}

function fail(standing: Standing, code: string, message: string): Transition {
  return {
    ...unchanged(standing),
    kind: "fault",
    to: { end: "failed" },
    attempt: standing.attempts + 1,
    code,
    message,
  };
}

function stay(standing: Standing, reason: string | null, change: Partial<Transition>): Transition {
  return { ...unchanged(standing), reason, delayMs: null, ...change };
}

function unchanged(standing: Standing): Transition {
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

function stageOf(rules: Rules, standing: Standing): Rules["stages"][number] {
  const stage = rules.stages[standing.stage];
  if (stage === undefined) throw new BugError(`no stage number ${standing.stage}`);
  return stage;
}
