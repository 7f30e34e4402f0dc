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
//   unavailable  same        –        service_down, rate_limited, disk_low, no_worker    when the reason changes

import { safeText } from "../../kit/index.ts";
import { backoffDelayMs } from "../pipeline/backoff.ts";
import { type Fault, MESSAGE_BYTES, permanent, toFault, transient } from "../pipeline/fault.ts";
import { onOutcome } from "./on-outcome.ts";
import { checkForPart } from "./outcome-checks.ts";
import { takePartsStep } from "./parts-step.ts";
import { fail, type Rules, type Standing, stageOf, stay, type VisitResult } from "./standing.ts";
import type { Transition } from "./transition.ts";
import { isItsOwnDoing, NO_SERVICES, type ServiceView, waitFor } from "./unavailable.ts";

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
