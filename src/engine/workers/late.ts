// Results of visits whose item was cancelled or taken away meanwhile. They are written like any other: the fence refuses
// them, and the row that records the refusal is all that shows later that two have acted on one item.

import type { VisitResult } from "../items/standing.ts";
import { Fault } from "../pipeline/fault.ts";
import type { Held } from "./held.ts";
import type { Crash } from "./suspects.ts";

const TAKEN = "TAKEN";

/** What a visit is stopped with when its item is no longer this worker's. */
export function taken(message: string): Fault {
  return new Fault("transient", TAKEN, message);
}

/** Whether somebody else has the item and the visit came to something all the same. One that obeyed has no result. */
export function isRefusable(held: Held, result: VisitResult | Crash): boolean {
  if (!isTaken(held.abort.reason) || "crashed" in result) return false;
  return !("fault" in result) || !isTaken(result.fault);
}

function isTaken(reason: unknown): boolean {
  return reason instanceof Fault && reason.code === TAKEN;
}
