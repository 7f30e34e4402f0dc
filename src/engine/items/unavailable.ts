// What happens to an item when the other side is down or busy: it waits and spends nothing, behind the service where it is
// known which one. Pure.

import { notAtOnce, unavailableDelayMs } from "../pipeline/backoff.ts";
import type { Fault } from "../pipeline/fault.ts";
import { RATE_LIMITED, SERVICE_DOWN } from "../services/verdict.ts";
import type { Transition } from "./transition.ts";

/** Services as far as they matter for one item. */
export interface ServiceView {
  /** `held`: nothing of it is to be had right now but through its lane. `unknown`: only somebody's word for it. */
  standing(service: string): "unknown" | "well" | "held";
  /** It did for others what it does not do for this item, between its last two tries. */
  isWellForOthers(service: string): boolean;
}

export const NO_SERVICES: ServiceView = { standing: () => "unknown", isWellForOthers: () => false };

/** So many in a row, while others are served, are the item's own doing. */
const WAITS_MOST = 5;

const PARKED_MS = 1_000;
const PARKED_MOST_MS = 5_000;

/** These are the item's to wait for, wherever it stands in line: room on a disk, and somebody who can do what it needs. */
const OWN_WAITS: Readonly<Record<string, string>> = { DISK_FULL: "disk_low", NO_WORKER: "no_worker" };

/** Whether the item goes behind the service: into its lane, where valve, ramp and rate hold it and let it go. */
export function isParked(fault: Fault, view: ServiceView): boolean {
  if (fault.kind !== "unavailable" || fault.service === undefined || fault.code in OWN_WAITS) return false;
  const standing = view.standing(fault.service);
  if (standing === "unknown") return false;
  return standing === "held" || fault.code === SERVICE_DOWN || fault.code === RATE_LIMITED;
}

/** A refusal of our own, or of a limit that all share, says nothing about the item. */
export function isItsOwnDoing(fault: Fault, waits: number, view: ServiceView): boolean {
  if (fault.service === undefined || fault.code in OWN_WAITS || isShared(fault)) return false;
  return waits + 1 >= WAITS_MOST && view.isWellForOthers(fault.service);
}

function isShared(fault: Fault): boolean {
  return fault.code === SERVICE_DOWN || fault.code === RATE_LIMITED || fault.code === "NO_CLIENT";
}

export function waitFor(
  fault: Fault,
  standing: { readonly waits: number; readonly reason: string | null },
  fraction: number,
  view: ServiceView,
): Partial<Transition> & { readonly reason: string } {
  const waits = isShared(fault) ? standing.waits : Math.min(standing.waits + 1, 1_000);
  const reason = reasonFor(fault);
  const isHeld = isParked(fault, view);
  // Nothing to wait for but the service itself: its lane lets it go.
  const told = fault.retryAfterMs === undefined ? undefined : notAtOnce(fault.retryAfterMs);
  const delayMs = told ?? (isHeld ? parkedDelayMs(fault, waits) : unavailableDelayMs(waits, fraction));
  const service = isHeld ? { service: fault.service } : {};
  return { reason, waits, delayMs, keepBegun: true, journal: standing.reason !== reason, ...service };
}

/** While it comes back slowly its lane holds nobody, and who asked in vain would ask again at once, and again. */
function parkedDelayMs(fault: Fault, waits: number): number {
  return isShared(fault) || waits < 2 ? 0 : Math.min(PARKED_MOST_MS, PARKED_MS * 2 ** Math.min(waits - 2, 10));
}

function reasonFor(fault: Fault): string {
  return OWN_WAITS[fault.code] ?? (fault.retryAfterMs === undefined ? "service_down" : "rate_limited");
}
