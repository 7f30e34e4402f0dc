// What went wrong, as everybody is told it: RFC 9457, with a code to switch on and a sentence to show. Of what we did not throw
// on purpose only a reference is told; the log has the rest under it.

import { HTTPException } from "hono/http-exception";
import { AmbiguousId, classifyDatabaseError, SluiceError } from "../../engine/index.ts";
import { TryLater } from "../access/try-later.ts";
import { errorLink, statusOf } from "./error-catalogue.ts";

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
  /** What would work instead, as one would write it. */
  readonly instead?: readonly string[];
  /** Of an action that is not possible now: those that are. */
  readonly actions?: readonly string[];
  /** Where several inputs are to blame. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
  /** Of a filter: the place of the word that is wrong, and the word. */
  readonly at?: number;
  readonly word?: string;
}

/** What is told beside the code, the sentence and the field. */
export type Told = Pick<Problem, "retryAfter" | "instead" | "actions" | "fields" | "at" | "word">;

/** An error that knows what would work instead. */
export class TellingError extends SluiceError {
  readonly told: Told;

  constructor(code: string, message: string, told: Told, field?: string) {
    super(code, message, { field });
    this.told = told;
  }
}

const TITLES: { readonly [status: number]: string } = {
  400: "Bad request",
  401: "Not signed in",
  403: "Not allowed",
  404: "Not found",
  409: "Not possible now",
  410: "Gone",
  412: "Changed meanwhile",
  413: "Too large",
  415: "Not of that kind",
  421: "Wrong address",
  422: "Not the same request",
  426: "Another protocol",
  429: "Too many requests",
  500: "Something unexpected happened",
  503: "Not available",
  507: "Not stored",
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

/** The database is away, in trouble or busy: nobody's fault here, and gone in a while. */
export function isAway(error: unknown): error is Error {
  // Whatever has no code of the server's or the system's is a bug of ours.
  if (error instanceof SluiceError || !(error instanceof Error) || !("code" in error)) return false;
  const failure = classifyDatabaseError(error);
  return failure === "lost" || failure === "trouble" || failure === "conflict";
}

const AWAY_SECONDS = 2;

export function problemOf(error: unknown, requestId: string): Problem {
  if (isAway(error)) {
    const detail = "The database does not answer; try again in a moment.";
    return { ...problem(503, "UNAVAILABLE", detail, requestId), retryAfter: AWAY_SECONDS };
  }
  if (!isExpected(error))
    return problem(500, "INTERNAL", `Something unexpected happened. Reference ${requestId}.`, requestId);
  const { code, message, field } = error;
  const base = problem(statusOf(code), code, message, requestId);
  if (error instanceof TellingError) return { ...base, ...(field === undefined ? {} : { field }), ...error.told };
  if (error instanceof AmbiguousId)
    return { ...base, instead: error.candidates, ...(field === undefined ? {} : { field }) };
  if (error instanceof TryLater) return { ...base, retryAfter: Math.max(1, Math.ceil(error.retryAfterMs / 1_000)) };
  return field === undefined ? base : { ...base, field };
}

function problem(status: number, code: string, detail: string, requestId: string): Problem {
  return { type: errorLink(code), title: TITLES[status] ?? "Error", status, code, detail, requestId };
}
