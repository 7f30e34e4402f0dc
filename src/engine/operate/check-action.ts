// An action as it was given, before anything is looked up for it.

import { checkText, InputError } from "../../kit/index.ts";
import { PRIORITY_BEST, PRIORITY_WORST } from "../intake/limits.ts";
import type { Action, ActionType } from "./plan.ts";

const REASON_BYTES = 2_000;
const NAME_BYTES = 200;

const FIELDS: { readonly [Type in ActionType]: readonly string[] } = {
  cancel: [],
  retry: [],
  replay: ["from", "as", "onto"],
  skip: ["reason", "stage"],
  "take-back": [],
  "set-priority": ["priority"],
  "run-once": [],
};

/** Throws for what no item could be done to. The answer has the fields of its type and no others. */
export function checkAction(given: Action): Action {
  const type: unknown = given?.type;
  if (typeof type !== "string" || !Object.hasOwn(FIELDS, type)) {
    throw new InputError("action", `action is one of ${Object.keys(FIELDS).join(", ")}, got ${JSON.stringify(type)}`);
  }
  for (const name of Object.keys(given)) {
    if (name !== "type" && !FIELDS[given.type].includes(name))
      throw new InputError(name, `${given.type} has no ${JSON.stringify(name)}`);
  }
  switch (given.type) {
    case "cancel":
    case "retry":
    case "take-back":
    case "run-once":
      return { type: given.type };
    case "replay":
      return checkReplay(given);
    case "skip": {
      const stage = given.stage === undefined ? {} : { stage: checkText(given.stage, "stage", NAME_BYTES) };
      return { type: "skip", reason: checkText(given.reason, "reason", REASON_BYTES), ...stage };
    }
    case "set-priority":
      return { type: "set-priority", priority: wholeNumber(given.priority, "priority", PRIORITY_BEST, PRIORITY_WORST) };
  }
}

function checkReplay(given: Extract<Action, { type: "replay" }>): Action {
  const as: unknown = given.as ?? "same";
  if (as !== "same" && as !== "copy") throw new InputError("as", `as is "same" or "copy", got ${JSON.stringify(as)}`);
  const onto = given.onto === undefined ? {} : { onto: wholeNumber(given.onto, "onto", 1, 1_000_000) };
  return { type: "replay", from: checkText(given.from, "from", NAME_BYTES), as, ...onto };
}

function wholeNumber(value: unknown, field: string, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
    throw new InputError(field, `${field} is a whole number from ${least} to ${most}, got ${String(value)}`);
  return value;
}
