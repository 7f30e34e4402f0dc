// What went wrong in an HTTP exchange → a fault. By status and error code, never by text.
//
//   never reached (refused, DNS, unroutable, TLS)        unavailable             breaker: failure
//   503 without a wait                                   unavailable             failure
//   429, Retry-After                                     unavailable until then  none
//   401, 403                                             unavailable AUTH        open
//   507 (the other side's disk)                          unavailable DISK_FULL   none
//   500, 502, 504, timeout or reset after sending        transient               failure
//   other 4xx                                            permanent               success
//   anything else                                        transient UNKNOWN       failure

import { Fault, permanent, transient, unavailable } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import { EgressError, type EgressPolicy } from "./egress.ts";
import { codeOf, DISK_FULL_CODES } from "./errno-faults.ts";
import { retryAfterMs, type WaitHeaders } from "./retry-after.ts";

/** How far an exchange had come: nothing was sent, or the other side may have acted. */
export type Phase = "connect" | "exchange" | "body";

export interface Whom {
  readonly service: string;
  /** Method and path, without the query: keys tend to live there. */
  readonly what: string;
}

export interface StatusFacts extends Whom {
  readonly status: number;
  readonly headers: WaitHeaders;
  readonly nowMs: number;
  /** How long to wait after a 503 of a service for which that is normal ("no engine free"). */
  readonly busyWaitMs?: number | undefined;
  /** What the service said, for people; cut and cleaned here. */
  readonly said?: string | undefined;
}

/** A 429 always means "slow down", also where it does not say for how long. */
const UNSTATED_WAIT_MS = 60_000;

const SAID_BYTES = 200;

/** Only for statuses of 400 and above. */
export function statusFault(facts: StatusFacts): Fault {
  const { service, what, status } = facts;
  const text = `${service} answered ${status} to ${what}${saidBy(facts)}`;
  if (status === 401 || status === 403)
    return unavailable("AUTH", `${service} answered ${status} to ${what}`, { service });
  const stated = retryAfterMs(facts.headers, facts.nowMs);
  if (status === 429) return unavailable("RATE_LIMITED", text, { service, retryAfter: stated ?? UNSTATED_WAIT_MS });
  if (stated !== undefined) return unavailable("BUSY", text, { service, retryAfter: stated });
  switch (status) {
    case 503:
      if (facts.busyWaitMs !== undefined) return unavailable("BUSY", text, { service, retryAfter: facts.busyWaitMs });
      return unavailable("HTTP_503", text, { service });
    case 507:
      return unavailable("DISK_FULL", text, { service });
    case 408:
      // Our request did not arrive in time. No judgement of it, unlike its neighbours.
      return transient("TIMEOUT", text, { service });
  }
  if (status >= 400 && status < 500) return permanent(`HTTP_${status}`, text, { service });
  if (status >= 500 && status < 600) return transient(`HTTP_${status}`, text, { service });
  return transient("UNKNOWN", text, { service });
}

function saidBy({ said }: StatusFacts): string {
  // Control characters must reach neither a terminal nor a log.
  const line = (said ?? "").slice(0, 4 * SAID_BYTES).replaceAll(/[\p{Cc}\s]+/gu, " ");
  const text = safeText(line.trim(), SAID_BYTES);
  return text === "" ? "" : `: ${text}`;
}

const NEVER_REACHED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"]);
const CUT_OFF = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "ERR_STREAM_PREMATURE_CLOSE"]);

/** An error of the connection. Whatever happens before the first byte is sent was "never reached". */
export function connectionFault(error: unknown, phase: Phase, whom: Whom, egress: EgressPolicy): Fault {
  if (error instanceof Fault) return error;
  const { service, what } = whom;
  const code = codeOf(error);
  const options = { service, cause: error };
  const text = `${what} of ${service}: ${safeText(error, 300)}`;
  if (error instanceof EgressError) return egressFault(error, whom, egress);
  if (code === undefined) return transient("UNKNOWN", text, options);
  if (DISK_FULL_CODES.has(code)) return unavailable("DISK_FULL", text, options);
  // Node refused to send what we asked for: a line break in a header, for example.
  if (/^ERR_(INVALID|HTTP_INVALID|UNESCAPED)/.test(code)) {
    return permanent("BAD_REQUEST", text, { ...options, breaker: "none" });
  }
  if (NEVER_REACHED.has(code)) return unavailable("NOT_REACHED", text, options);
  // Certificates and handshakes have dozens of codes; what they share is that nothing was sent yet.
  if (phase === "connect") return unavailable(isTls(code) ? "TLS" : "NOT_REACHED", text, options);
  if (code === "ETIMEDOUT") return transient("TIMEOUT", text, options);
  if (CUT_OFF.has(code)) return transient(phase === "body" ? "TRUNCATED" : "RESET", text, options);
  // What the parser could not read: somebody there speaks something else.
  if (code.startsWith("HPE_")) return transient("BAD_ANSWER", text, options);
  return transient("UNKNOWN", text, options);
}

/** A configured service that suddenly lives at a forbidden address is misconfigured: no item is to blame for that. */
function egressFault(error: EgressError, { service }: Whom, egress: EgressPolicy): Fault {
  const message = `${service}: ${error.message}`;
  if (egress === "lan") return unavailable("EGRESS_REFUSED", message, { service, cause: error });
  return permanent("EGRESS_REFUSED", message, { service, cause: error, breaker: "none" });
}

function isTls(code: string): boolean {
  return /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$)/.test(code);
}
