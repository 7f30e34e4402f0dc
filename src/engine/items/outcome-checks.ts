// What an outcome may carry. Types vouch for most of it, but stages are also written without types and carry values
// that came from outside; whatever passes here can be stored.

import { BugError, InputError, safeText } from "../../kit/index.ts";
import { ITEMS_MOST } from "../intake/limits.ts";
import { MESSAGE_BYTES } from "../pipeline/fault.ts";
import type { Child, Outcome } from "../pipeline/outcome.ts";
import { isOwnReason } from "./reasons.ts";

/** A sentence for people: cut and cleaned where it has to be, because a NUL in a title is no reason to fail an item. */
export function checkText(value: string, field: string): string {
  const cleaned = typeof value === "string" ? safeText(value, MESSAGE_BYTES) : "";
  if (cleaned.trim() !== "") return cleaned;
  throw new InputError(field, `${field} must be text, got ${describe(value)}`);
}

/** Unlike a sentence, a key must not be mended: cut or cleaned, it would never match what it waits for. */
export function checkKey(value: string, field: string): string {
  if (checkText(value, field) === value) return value;
  throw new InputError(field, `${field} must be at most ${MESSAGE_BYTES} bytes of well-formed text without NUL`);
}

/**
 * Words by which the engine says why an item stands still, and some it keeps for later. From a stage they would be told
 * to people as something that is not so. `disk_low` is everybody's.
 */
const KEPT: ReadonlySet<string> = new Set(["busy", "probe", "stalled", "cleanup"]);

export function checkReason(reason: string): string {
  if (typeof reason !== "string" || !/^[a-z][a-z0-9_]{0,63}$/.test(reason)) {
    throw new InputError("reason", `a wait reason is lower-case letters, digits and _, got ${describe(reason)}`);
  }
  if (reason === "disk_low" || !(isOwnReason(reason) || KEPT.has(reason))) return reason;
  throw new InputError("reason", `"${reason}" is a wait reason of the engine's own; wait() needs another word`);
}

/** An empty list would be a question that nobody can answer. */
export function checkOptions(options: readonly string[]): readonly string[] {
  if (!Array.isArray(options) || options.length === 0) {
    throw new InputError("options", `the options of ask() are a list of texts, or left out, got ${describe(options)}`);
  }
  return Array.from(options, (option: string, index) => checkKey(option, `options[${index}]`));
}

export function checkChildren(children: readonly Child[]): readonly Child[] {
  if (!Array.isArray(children)) throw new InputError("children", `children are a list, got ${describe(children)}`);
  if (children.length > ITEMS_MOST) {
    throw new InputError("children", `at most ${ITEMS_MOST} children at once, got ${children.length}`);
  }
  if (children.length === 0) return children;
  // Copied, and not with map(): the author may go on to change the list, and a hole in it has to be seen.
  return Array.from(children, (child: Child | null | undefined, index) => {
    const field = `children[${index}]`;
    if (typeof child?.pipeline?.name !== "string" || !Number.isInteger(child.pipeline.version)) {
      throw new InputError(field, `${field} must be made with child(), got ${describe(child)}`);
    }
    const { priority } = child;
    if (priority !== undefined && !(Number.isInteger(priority) && priority >= 1 && priority <= 5)) {
      const at = `${field}.priority`;
      throw new InputError(at, `${at} must be a whole number from 1 to 5, got ${describe(priority)}`);
    }
    return child;
  });
}

/** What a part may not do: it belongs to one stage, and its request is made of its sisters. */
export function checkForPart(outcome: Outcome): void {
  if (outcome?.type === "back")
    throw new BugError("a part cannot go back(): only its item can, with a gate on leaving");
  if (outcome?.type === "done" && outcome.spawn?.length > 0)
    throw new BugError("a part cannot add items to a request: spawn() makes some of its own");
}

export function describe(value: unknown): string {
  return safeText(value, 120);
}
