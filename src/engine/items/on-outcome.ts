// What happens to an item whose visit returned an outcome. Pure; throws for an outcome that makes no sense.

import { BugError, parseId, toMilliseconds } from "../../kit/index.ts";
import { notAtOnce } from "../pipeline/backoff.ts";
import { type Ask, type Back, type Outcome, type Wait, wait } from "../pipeline/outcome.ts";
import { checkChildren, checkKey, checkOptions, checkReason, checkText, describe } from "./outcome-checks.ts";
import { fail, type Rules, type Standing, stageOf, stay, unchanged } from "./standing.ts";
import type { Beside, Transition } from "./transition.ts";

/** What a worker says of a stored value that it cannot read. By identity: the word is no stage's to use. */
export const UNDECODABLE: Wait = wait("undecodable", { again: "1h" });

export function onOutcome(rules: Rules, standing: Standing, outcome: Outcome): Transition {
  switch (outcome?.type) {
    case "done": {
      const children = checkChildren(outcome.spawn);
      const beside: Beside | null = children.length > 0 ? { type: "children", children, join: false } : null;
      return advance(rules, standing, "done", outcome.output, null, beside);
    }
    case "skip":
      return advance(rules, standing, "skip", outcome.output, checkText(outcome.reason, "skip"), null);
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

const DONE = { end: "done" } as const;

/** Written out: this is how nearly all visits end, and putting it together from pieces took longer than deciding it. */
function advance(
  rules: Rules,
  standing: Standing,
  kind: "done" | "skip",
  output: unknown,
  message: string | null,
  beside: Beside | null,
): Transition {
  const isLast = standing.isPart === true || standing.stage === rules.stages.length - 1;
  return {
    kind,
    to: isLast ? DONE : { stage: standing.stage + 1 },
    attempt: standing.attempts + 1,
    attempts: 0,
    waits: 0,
    backs: standing.backs,
    series: standing.series,
    delayMs: 0,
    reason: null,
    code: null,
    message,
    output,
    journal: true,
    keepBegun: false,
    beside,
    entersAnew: false,
    service: undefined,
    outside: null,
  };
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
    message: outcome.note === undefined ? null : checkText(outcome.note, "wait.note"),
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
    message: outcome.gate === undefined ? null : `gate ${outcome.gate}: sent it back to ${outcome.stage}`,
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
