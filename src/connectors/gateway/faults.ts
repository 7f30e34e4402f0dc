// Faults of the kit and errors of the disk → those of a gateway.

import { Fault, transient } from "../../engine/index.ts";
import { errnoFault } from "../kit/index.ts";
import type { GatewayCode } from "./codes.ts";

const CODES: Readonly<Record<string, GatewayCode>> = {
  NOT_REACHED: "GW_UNAVAILABLE",
  TLS: "GW_UNAVAILABLE",
  EGRESS_REFUSED: "GW_UNAVAILABLE",
  HTTP_503: "GW_UNAVAILABLE",
  BUSY: "GW_BUSY",
  RATE_LIMITED: "GW_RATE_LIMITED",
  TIMEOUT: "GW_TIMEOUT",
  RESET: "GW_RESET",
  TRUNCATED: "GW_TRUNCATED",
  TOO_LARGE: "GW_ANSWER_TOO_LARGE",
  BAD_ANSWER: "GW_BAD_ANSWER",
  REDIRECTED: "GW_BAD_ANSWER",
  REQUEST_TOO_LARGE: "INPUT_TOO_LARGE",
  BAD_REQUEST: "VALIDATION_ERROR",
};

function codeFor(code: string): GatewayCode | undefined {
  if (/^HTTP_5\d\d$/.test(code) && code !== "HTTP_503") return "GW_FAILED";
  return /^HTTP_4\d\d$/.test(code) ? "VALIDATION_ERROR" : CODES[code];
}

/** The same fault, by its name here. What was given up keeps the reason it was given. */
export function gatewayFault(error: unknown, service: string): Fault {
  if (!(error instanceof Fault))
    return transient("GW_BAD_ANSWER", `${service}: ${String(error)}`, { service, cause: error });
  const code = codeFor(error.code);
  if (code === undefined) return error;
  const { kind, message, breaker, cause, retryAfterMs } = error;
  const wait = retryAfterMs === undefined ? {} : { retryAfter: retryAfterMs };
  return new Fault(kind, code, message, { service, breaker, cause, ...wait });
}

/** Of the PDF on our own disk: nothing the gateway did. */
export function sourceFault(error: unknown): Fault {
  const fault = errnoFault(error, "reading the PDF");
  const code = fault.code === "ENOENT" ? "SOURCE_GONE" : fault.code;
  return new Fault(fault.kind, code, fault.message, { breaker: "none", cause: error });
}

/** Of the disk that the XML is put on. */
export function outputFault(error: unknown): Fault {
  const fault = errnoFault(error, "writing the XML");
  return new Fault(fault.kind, fault.code, fault.message, { breaker: "none", cause: error });
}

export const sourceChanged = (): Fault =>
  transient("SOURCE_CHANGED", "the PDF was changed while it was sent", { breaker: "none" });
