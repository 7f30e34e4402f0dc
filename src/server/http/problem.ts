// What went wrong, as everybody is told it: RFC 9457, with a code to switch on and a sentence to show. Of what we did not throw
// on purpose only a reference is told; the log has the rest under it.

import { HTTPException } from "hono/http-exception";
import { classifyDatabaseError, SluiceError } from "../../engine/index.ts";
import { TooManyTries } from "../access/access.ts";

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;
  /** The input to blame. */
  readonly field?: string;
  readonly retryAfter?: number;
}

const STATUS: { readonly [code: string]: number } = {
  INVALID_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  REFUSED: 409,
  FEED_RESET: 410,
  SETUP_OVER: 410,
  TOO_LARGE: 413,
  MISDIRECTED: 421,
  UPGRADE_REQUIRED: 426,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

const TITLES: { readonly [status: number]: string } = {
  400: "Bad request",
  401: "Not signed in",
  403: "Not allowed",
  404: "Not found",
  409: "Not possible now",
  410: "Gone",
  413: "Too large",
  421: "Wrong address",
  426: "Another protocol",
  429: "Too many requests",
  500: "Something unexpected happened",
  503: "Not available",
};

/** True for what is said on purpose; anything else is a bug of ours, and belongs in the log. */
export function isExpected(error: unknown): error is SluiceError {
  return error instanceof SluiceError && error.code !== "BUG";
}

/** What the library refuses before a route sees it: a body that is not JSON, or cut short. */
export function meant(error: unknown): unknown {
  if (!(error instanceof HTTPException) || error.status >= 500) return error;
  return new SluiceError("INVALID_INPUT", `the body cannot be read: ${error.message}`, { field: "body", cause: error });
}

/** The database is away or in trouble: nobody's fault here, and gone in a while. */
function isAway(error: unknown): boolean {
  // Whatever has no code of the server's or the system's is a bug of ours.
  if (error instanceof SluiceError || !(error instanceof Error) || !("code" in error)) return false;
  const failure = classifyDatabaseError(error);
  return failure === "lost" || failure === "trouble";
}

export function problemOf(error: unknown, requestId: string): Problem {
  if (isAway(error))
    return problem(503, "UNAVAILABLE", "The database does not answer; try again in a moment.", requestId);
  if (!isExpected(error))
    return problem(500, "INTERNAL", `Something unexpected happened. Reference ${requestId}.`, requestId);
  const { code, message, field } = error;
  const base = problem(STATUS[code] ?? 400, code, message, requestId);
  if (error instanceof TooManyTries) return { ...base, retryAfter: Math.ceil(error.retryAfterMs / 1_000) };
  return field === undefined ? base : { ...base, field };
}

function problem(status: number, code: string, detail: string, requestId: string): Problem {
  return { type: `/api/errors#${code}`, title: TITLES[status] ?? "Error", status, code, detail, requestId };
}
