// Every code that an answer, or a failed item, can carry: what it means, whether the same again may succeed, and what to do. One
// table; the status of an answer is looked up here, and a test finds the codes that are missing.

import { FAILURES } from "../../engine/index.ts";
import { DOCUMENT_ERRORS, documentFailures } from "./document-errors.ts";

export interface ErrorEntry {
  /** Of the HTTP answer. */
  readonly status: number;
  readonly sentence: string;
  /** Whether the same request may succeed later without anybody doing anything. */
  readonly retry: boolean;
  readonly advice: string;
}

export const ERRORS = {
  INVALID_INPUT: {
    status: 400,
    sentence: "Something that was sent cannot be used; `field` names it.",
    retry: false,
    advice: "Send what the sentence asks for.",
  },
  UNAUTHENTICATED: {
    status: 401,
    sentence: "Nobody is signed in, or the session or key is over.",
    retry: false,
    advice: "Sign in, or send a key as `Authorization: Bearer slk_…`.",
  },
  FORBIDDEN: {
    status: 403,
    sentence: "The account or key may not do this, or the request comes from a page of another site.",
    retry: false,
    advice: "Ask an admin for the role, or make a key with the scope that the sentence names.",
  },
  NOT_FOUND: {
    status: 404,
    sentence: "There is nothing of that name, or it belongs to somebody else.",
    retry: false,
    advice: "Look at the list it should be in.",
  },
  CONFLICT: {
    status: 409,
    sentence: "It would contradict what is there already.",
    retry: false,
    advice: "Take another name, or change what is in the way.",
  },
  KEY_OF_ANOTHER: {
    status: 409,
    sentence: "The key belongs to another encoder: the one that spoke with it first.",
    retry: false,
    advice: "Make a key for each encoder, or forget the one that has it.",
  },
  REFUSED: {
    status: 409,
    sentence: "It is not possible as things stand; the sentence says why.",
    retry: false,
    advice: "Look at how it stands now; a dry run tells what would be done.",
  },
  AMBIGUOUS: {
    status: 409,
    sentence: "Several ids begin like this; `instead` names some.",
    retry: false,
    advice: "Write more of the id.",
  },
  IN_PROGRESS: {
    status: 409,
    sentence: "The same request, by its Idempotency-Key, is being dealt with right now.",
    retry: true,
    advice: "Send it again after `retryAfter` seconds: it gets the first one's answer.",
  },
  OUTCOME_UNKNOWN: {
    status: 409,
    sentence: "The same request, by its Idempotency-Key, was begun, and nobody knows what came of it.",
    retry: false,
    advice: "Do what `instead` says: look whether it was done, or send it again with another key.",
  },
  UPGRADE_REQUIRED: {
    status: 426,
    sentence: "Only a WebSocket is spoken here.",
    retry: false,
    advice: "Open it as a WebSocket, or read /api/v1/events.",
  },
  KEY_REUSED: {
    status: 422,
    sentence: "The Idempotency-Key belongs to another request.",
    retry: false,
    advice: "Use a new key for every request that is to be done.",
  },
  SECRET_KEY: {
    status: 409,
    sentence: "The key that seals secrets is missing or cannot be used.",
    retry: false,
    advice: "Set SERVER_SECRET_KEY, or make the key file's folder writable, and start again.",
  },
  KEY_TAKEN: {
    status: 409,
    sentence: "Another submission took the key at the same moment.",
    retry: true,
    advice: "Submit again: it joins the other one, or takes its place.",
  },
  REQUEST_OVER: {
    status: 409,
    sentence: "Nothing is left to do of the request that something was to be handed into.",
    retry: false,
    advice: "Hand it in as a request of its own.",
  },
  ROLLOUT_MOVED: {
    status: 409,
    sentence: "The shares of a pipeline's versions were changed at the same moment.",
    retry: true,
    advice: "Submit again.",
  },
  VERSION_NOT_HERE: {
    status: 409,
    sentence: "The rollout leads to a version whose code this process does not have.",
    retry: false,
    advice: "Start the server with that version's code, or name a version.",
  },
  SETUP_OVER: {
    status: 410,
    sentence: "The set-up link is used up or too old.",
    retry: false,
    advice: "Start the server again for a new one, or sign in if there is an account.",
  },
  FEED_RESET: {
    status: 410,
    sentence: "The place in the feed to go on from is not there any more.",
    retry: false,
    advice: "Read how things stand, and follow the feed from now on.",
  },
  CHANGED: {
    status: 412,
    sentence: "It was changed since it was read.",
    retry: false,
    advice: "Read it again, and send the change with the new ETag.",
  },
  TOO_LARGE: { status: 413, sentence: "The body is too large.", retry: false, advice: "Send less at once." },
  ...DOCUMENT_ERRORS,
  MISDIRECTED: {
    status: 421,
    sentence: "The server is not known by the host name it was asked by.",
    retry: false,
    advice: "Use its address or local name, or add the name to its hosts.",
  },
  RATE_LIMITED: {
    status: 429,
    sentence: "Too many requests, or wrong passwords, in a short time; of an item: the service's limit was used up.",
    retry: true,
    advice: "Wait for the seconds in Retry-After.",
  },
  INTERNAL: {
    status: 500,
    sentence: "Something unexpected happened; the log has it under the request's id.",
    retry: false,
    advice: "Look into the server's log for that id.",
  },
  UNAVAILABLE: {
    status: 503,
    sentence: "The database does not answer, or too much was asked for at once.",
    retry: true,
    advice: "Try again in a moment.",
  },
  SERVICE_AWAY: {
    status: 503,
    sentence: "A service that was to be asked for it does not answer, or refuses; the sentence says which and why.",
    retry: true,
    advice: "Try again in a while; if it stays, test the service in the settings.",
  },
  CLOSED: {
    status: 503,
    sentence: "The server is about to stop.",
    retry: true,
    advice: "Try again once it is back.",
  },
  SCHEMA_TIMEOUT: {
    status: 503,
    sentence: "A pipeline's input schema did not answer in time.",
    retry: true,
    advice: "Try again; if it stays, look at what the schema asks of others.",
  },
  CANNOT_LISTEN: {
    status: 500,
    sentence: "The server cannot listen where it was told to. It says so when it starts.",
    retry: false,
    advice: "Choose another port or address.",
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type ErrorCode = keyof typeof ERRORS;

/** Where a code is explained. */
export const errorLink = (code: string) => `/api/v1/errors#${code}`;

export function statusOf(code: string): number {
  return Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode].status : 400;
}

export interface CatalogueEntry {
  readonly code: string;
  /** `answer`: of a request. `item`: of an item that failed; a stage may give others of its own. */
  readonly of: "answer" | "item";
  readonly status: number | null;
  readonly sentence: string;
  readonly retry: boolean;
  readonly advice: string;
}

/** Items that failed with these may well succeed when they are retried as they are. */
const PASSING: ReadonlySet<string> = new Set([
  ...["TIMEOUT", "DEADLINE", "STALLED", "VANISHED", "UNKNOWN", "TAKEN", "SERVICE_DOWN", "RATE_LIMITED", "STOPPING"],
]);

export function errorCatalogue(): CatalogueEntry[] {
  const answers = Object.entries<ErrorEntry>(ERRORS).map(([code, entry]) => ({
    code,
    of: "answer" as const,
    ...entry,
  }));
  const items = Object.entries(FAILURES).map(([code, { what, advice }]) => ({
    code,
    of: "item" as const,
    status: null,
    sentence: `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
    retry: PASSING.has(code),
    advice,
  }));
  return [...answers, ...items, ...documentFailures()];
}
