// Which status means what: one table for all gateways, and what a configured one is known to mean otherwise. Pure.

import { Fault, type FaultKind } from "../../engine/index.ts";
import { InputError, safeText } from "../../kit/index.ts";
import { retryAfterMs } from "../kit/index.ts";
import { GATEWAY_CODES, type GatewayCode, isGatewayCode } from "./codes.ts";

/** By status: the code it stands for, which is of one kind. */
export type StatusRules = Readonly<Record<number, GatewayCode>>;

export interface StatusFacts {
  readonly service: string;
  /** What was asked for, in words: "converting". */
  readonly what: string;
  readonly status: number;
  readonly headers: { readonly "retry-after"?: string | undefined; readonly date?: string | undefined };
  readonly nowMs: number;
  readonly rules: StatusRules;
  /** How long to leave a gateway alone whose 503 is normal. */
  readonly busyWaitMs?: number | undefined;
  /** A code that the gateway itself has declared for this answer. */
  readonly declared?: GatewayCode | undefined;
  /** What it said, for people. */
  readonly said?: string | undefined;
}

export const STATUS_RULES: StatusRules = {
  400: "VALIDATION_ERROR",
  401: "AUTH",
  403: "AUTH",
  408: "GW_TIMEOUT",
  413: "INPUT_TOO_LARGE",
  415: "UNSUPPORTED_TYPE",
  422: "PARSE_ERROR",
  425: "GW_FAILED",
  429: "GW_RATE_LIMITED",
  503: "GW_UNAVAILABLE",
  504: "GW_TIMEOUT",
  507: "DISK_FULL",
};

/** A 429 always means "slow down", also where it does not say for how long. */
const UNSTATED_WAIT_MS = 60_000;
const SAID_BYTES = 300;

/** For any status that is not what was agreed upon. */
export function statusFault(facts: StatusFacts): Fault {
  const { service, status, what, rules } = facts;
  const code = facts.declared ?? rules[status] ?? STATUS_RULES[status] ?? byClass(status);
  const kind: FaultKind = GATEWAY_CODES[code];
  const said = code === "AUTH" ? "" : oneLine(facts.said ?? "");
  const text = `${service} answered ${status} to ${what}${said === "" ? "" : `: ${said}`}`;
  if (kind !== "unavailable" || code === "AUTH") return new Fault(kind, code, text, { service });
  const stated = retryAfterMs(facts.headers, facts.nowMs);
  const wait = stated ?? (code === "GW_RATE_LIMITED" ? UNSTATED_WAIT_MS : facts.busyWaitMs);
  if (wait === undefined) return new Fault(kind, code, text, { service });
  return new Fault(kind, code === "GW_UNAVAILABLE" ? "GW_BUSY" : code, text, { service, retryAfter: wait });
}

function byClass(status: number): GatewayCode {
  if (status >= 400 && status < 500) return "VALIDATION_ERROR";
  return status >= 500 && status < 600 ? "GW_FAILED" : "GW_BAD_ANSWER";
}

/** Control characters must reach neither a terminal nor a log. */
function oneLine(said: string): string {
  return safeText(
    said
      .slice(0, 4 * SAID_BYTES)
      .replaceAll(/[\p{Cc}\s]+/gu, " ")
      .trim(),
    SAID_BYTES,
  );
}

/** As an operator writes them: `{ "502": "PARSE_ERROR" }`. */
export function checkedRules(rules: Readonly<Record<string, string>>): StatusRules {
  const checked = Object.entries(rules).map(([status, code]) => {
    if (!/^[2-5]\d\d$/.test(status))
      throw new InputError("statuses", `statuses has "${status}", which is no HTTP status`);
    if (!isGatewayCode(code))
      throw new InputError(
        `statuses.${status}`,
        `statuses.${status} must be one of ${Object.keys(GATEWAY_CODES).join(", ")}, got "${safeText(code, 80)}"`,
      );
    return [Number(status), code] as const;
  });
  return Object.fromEntries(checked);
}
