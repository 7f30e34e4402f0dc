// A classified error. Connectors and gates throw faults; the class decides what happens next, never the text.
//
//   permanent    trying again cannot help: the stage fails
//   transient    try again later: spends an attempt
//   unavailable  the other side is down or busy: waits, spends nothing

import { BugError, type Duration, InputError, SluiceError, safeText, toMilliseconds } from "../../kit/index.ts";

export type FaultKind = "permanent" | "transient" | "unavailable";

const KINDS: ReadonlySet<FaultKind> = new Set(["permanent", "transient", "unavailable"]);

/** What is stored of a message. Longer ones are cut; the full error belongs into a log. */
export const MESSAGE_BYTES = 2_000;

/**
 * What a fault tells the breaker of its service: it failed, it answered, nothing at all, or hold everything at once
 * (refused credentials: the next item would be refused as well).
 */
export type BreakerReport = "failure" | "success" | "none" | "open";

export interface FaultOptions {
  /** Which configured service is to blame, where one is. */
  readonly service?: string;
  /** How long the other side asked us to wait. Only for `unavailable`. */
  readonly retryAfter?: Duration;
  /** Only where kind, code and `retryAfter` do not already say it; see `defaultReport`. */
  readonly breaker?: BreakerReport;
  readonly cause?: unknown;
}

export class Fault extends SluiceError {
  readonly kind: FaultKind;
  readonly service?: string;
  readonly retryAfterMs?: number;
  readonly breaker: BreakerReport;

  constructor(kind: FaultKind, code: string, message: string, options: FaultOptions = {}) {
    super(checkedCode(code), message, { cause: options.cause });
    // Untyped callers: a fault of no known kind could not be decided.
    if (!KINDS.has(kind))
      throw new InputError("kind", `a fault is ${[...KINDS].join(", ")}, got ${safeText(kind, 80)}`);
    this.kind = kind;
    if (options.service !== undefined) this.service = options.service;
    if (options.retryAfter !== undefined) this.retryAfterMs = toMilliseconds(options.retryAfter, "retryAfter");
    this.breaker = options.breaker ?? defaultReport(kind, code, this.retryAfterMs);
  }
}

/** Asking us to wait is how a healthy service protects itself, and a full disk or a bug of ours is not its doing. */
function defaultReport(kind: FaultKind, code: string, retryAfterMs: number | undefined): BreakerReport {
  switch (kind) {
    case "permanent":
      return code === "BUG" ? "none" : "success";
    case "transient":
      return "failure";
    case "unavailable":
      if (code === "AUTH") return "open";
      return code === "DISK_FULL" || retryAfterMs !== undefined ? "none" : "failure";
  }
}

export const permanent = (code: string, message: string, options?: FaultOptions): Fault =>
  new Fault("permanent", code, message, options);

export const transient = (code: string, message: string, options?: FaultOptions): Fault =>
  new Fault("transient", code, message, options);

export const unavailable = (code: string, message: string, options?: FaultOptions): Fault =>
  new Fault("unavailable", code, message, options);

/** Whatever was thrown, as a fault. What nobody classified may be anything, so it is tried again and counted. */
export function toFault(thrown: unknown): Fault {
  try {
    if (thrown instanceof Fault) return thrown;
    if (isBug(thrown)) return new Fault("permanent", "BUG", messageOf(thrown), { cause: thrown });
    return new Fault("transient", "UNKNOWN", messageOf(thrown), { cause: thrown });
  } catch {
    // A proxy or a getter that throws when looked at. Without its cause: whoever logs it would be thrown at as well.
    return new Fault("transient", "UNKNOWN", safeText(thrown, MESSAGE_BYTES));
  }
}

/** A refused connection to a host with two addresses has an empty message; then its code and causes have to speak. */
function messageOf(thrown: unknown): string {
  return safeText(thrown instanceof Error && thrown.message !== "" ? thrown.message : thrown, MESSAGE_BYTES);
}

/** A broken assertion, or a value of ours that cannot be stored: the same code would break the same way again. */
function isBug(thrown: unknown): boolean {
  if (thrown instanceof BugError || thrown instanceof InputError) return true;
  return thrown instanceof Error && thrown.name === "AssertionError";
}

function checkedCode(code: string): string {
  if (typeof code !== "string" || !/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) {
    throw new InputError(
      "code",
      `a fault's code is upper-case letters, digits and _, got ${JSON.stringify(safeText(code, 80))}`,
    );
  }
  return code;
}
