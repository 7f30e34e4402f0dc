// What the visit of an item with parts may come to beside the usual, and what happens to the item then. Pure.

import { safeText } from "../../kit/index.ts";
import { MESSAGE_BYTES } from "../pipeline/fault.ts";
import type { NewPart } from "../pipeline/parts.ts";
import type { Transition } from "./transition.ts";

export type PartsStep =
  | { readonly make: readonly NewPart[]; readonly isWhole: boolean }
  /** Some of them live again: somebody had them tried once more. */
  | { readonly await: string }
  /** What was done is being undone, and some of it is still to do. */
  | { readonly withdraw: { readonly afterMs: number; readonly code: string | null; readonly message: string | null } };

export function takePartsStep(
  step: PartsStep,
  before: string | null,
): { readonly reason: string; readonly change: Partial<Transition> } {
  if ("make" in step) {
    const { make, isWhole } = step;
    const message = safeText(make.map((one) => one.name).join(", "), MESSAGE_BYTES);
    const beside = { type: "parts", parts: make, isWhole } as const;
    return { reason: "parts", change: { kind: "spawn", keepBegun: true, message, beside } };
  }
  if ("await" in step) {
    const beside = { type: "await-parts", request: step.await } as const;
    return { reason: "parts", change: { kind: "wait", keepBegun: true, beside } };
  }
  const { afterMs, code, message } = step.withdraw;
  const journal = before !== "withdrawing" || code !== null;
  return { reason: "withdrawing", change: { kind: "wait", keepBegun: true, delayMs: afterMs, code, message, journal } };
}
