// What becomes of an item whose parts have ended, or one of them. Pure.
//
//   policy           parts                          the item
//   best-effort      some live                      waits on
//                    all ended, at least one done   goes on; what failed is told, and can be tried again alone
//                    all ended, none done           fails
//   all-or-nothing   all done                       goes on
//                    one failed or was cancelled    the rest is cancelled, what was done is undone, then it fails
//                    otherwise                      waits on

import { safeText } from "../../kit/index.ts";
import { VALUE_BYTES } from "../intake/limits.ts";
import { MESSAGE_BYTES } from "../pipeline/fault.ts";
import type { PartsOutput } from "../pipeline/parts.ts";

export type PartStatus = "pending" | "done" | "failed" | "cancelled";

/** How one part stands. */
export interface PartStanding {
  readonly name: string;
  readonly status: PartStatus;
  readonly code: string | null;
  readonly message: string | null;
  readonly output: unknown;
}

export const PARTS_FAILED = "PARTS_FAILED";

export type PartsVerdict = "wait" | "done" | "failed" | "withdraw";

export function judgeParts(parts: readonly Pick<PartStanding, "status">[], isWhole: boolean): PartsVerdict {
  const has = (status: PartStatus) => parts.some((part) => part.status === status);
  if (isWhole && (has("failed") || has("cancelled"))) return "withdraw";
  if (has("pending")) return "wait";
  return has("done") ? "done" : "failed";
}

/** What the stage hands on, small enough to be stored: names always, reasons as far as they fit, outputs if they fit. */
export function sumUpParts(parts: readonly PartStanding[]): PartsOutput<unknown> {
  const named = (status: PartStatus) => parts.filter((part) => part.status === status);
  const outputs = Object.fromEntries(
    named("done")
      .filter((part) => part.output !== undefined && part.output !== null)
      .map((part) => [part.name, part.output]),
  );
  const summary = (reason: { readonly code: number; readonly message: number }) => ({
    delivered: named("done").map((part) => part.name),
    failed: named("failed").map(({ name, code, message }) => ({
      part: name,
      code: safeText(code ?? "UNKNOWN", reason.code),
      message: safeText(message ?? "", reason.message),
    })),
    cancelled: named("cancelled").map((part) => part.name),
    outputs: {},
  });
  const fits = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= VALUE_BYTES;
  const told = REASONS.map(summary).find(fits) ?? summary({ code: 0, message: 0 });
  return fits({ ...told, outputs }) ? { ...told, outputs } : told;
}

/** How much is told of why a part failed: a thousand times the whole story would not fit. Names alone always do. */
const REASONS = [
  { code: 64, message: MESSAGE_BYTES },
  { code: 64, message: 200 },
  { code: 64, message: 20 },
];
const NAMED_MOST = 10;

/** Why an item failed with its parts: which of them, and what became of those that were done. */
export function partsFailure(parts: readonly PartStanding[], withdrawal: Withdrawal = {}): string {
  const failed = parts.filter((part) => part.status === "failed");
  const cancelled = parts.filter((part) => part.status === "cancelled");
  const why = failed.map((part) => `${part.name} (${[part.code, part.message].filter(Boolean).join(", ")})`);
  const [undone, kept] = splitWithdrawal(withdrawal);
  const sentences = [
    failed.length === 0 ? "every part was cancelled" : `failed: ${some(why)}`,
    cancelled.length === 0 || failed.length === 0 ? "" : `cancelled: ${some(cancelled.map((part) => part.name))}`,
    undone.length === 0 ? "" : `undone: ${some(undone)}`,
    kept.length === 0 ? "" : `could not be undone: ${some(kept)}`,
  ];
  return safeText(sentences.filter((sentence) => sentence !== "").join("; "), MESSAGE_BYTES);
}

/** By name of the part: null where it was undone, else why it never can be. */
export type Withdrawal = { readonly [part: string]: string | null };

function splitWithdrawal(withdrawal: Withdrawal): [undone: string[], kept: string[]] {
  const undone: string[] = [];
  const kept: string[] = [];
  for (const [name, refusal] of Object.entries(withdrawal)) {
    if (refusal === null) undone.push(name);
    else kept.push(`${name} (${refusal})`);
  }
  return [undone, kept];
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MOST).join(", ");
  return names.length > NAMED_MOST ? `${shown} and ${names.length - NAMED_MOST} more` : shown;
}

const UNDO_BASE_MS = 10_000;
const UNDO_CAP_MS = 30 * 60_000;

/** Before what could not be undone is tried again; never given up. */
export function undoDelayMs(round: number): number {
  return Math.min(UNDO_CAP_MS, UNDO_BASE_MS * 2 ** Math.min(20, Math.max(0, round - 1)));
}
