// What the end of a call says about the health of a service. Pure.

import { type BreakerReport, type Fault, unavailable } from "../pipeline/fault.ts";

/** What waits for the service when a call is refused with one of these; the item is parked behind it. */
export const SERVICE_DOWN = "SERVICE_DOWN";
export const RATE_LIMITED = "RATE_LIMITED";

/** A fault of another service, met on the way, says nothing about this one. */
export function verdictOn(fault: Fault, service: string): BreakerReport {
  return fault.service === undefined || fault.service === service ? fault.breaker : "none";
}

/** The same fault, naming whom it is about; one that names somebody else keeps that. */
export function blamedOn(fault: Fault, service: string): Fault {
  // Read-only for everybody else; here it is completed before anybody has seen it.
  if (fault.service === undefined) (fault as { service?: string }).service = service;
  return fault;
}

/** We did not even ask, so it says nothing about the service. */
export function refusedDown(service: string, why: string): Fault {
  return unavailable(SERVICE_DOWN, why, { service, breaker: "none" });
}

export function refusedByRate(service: string, retryAfterMs: number): Fault {
  const retryAfter = Math.max(1, Math.ceil(retryAfterMs));
  const message = `the limit of ${service} is used up for the moment`;
  return unavailable(RATE_LIMITED, message, { service, retryAfter, breaker: "none" });
}
