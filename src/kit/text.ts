import { inspect, types } from "node:util";
import { redactText } from "./redact.ts";

const LONGEST_CAUSE_CHAIN = 4;
const MOST_ERRORS_OF_AN_AGGREGATE = 3;
const ELLIPSIS = "…";
const ELLIPSIS_BYTES = 3;
const BEYOND = 2_000;
const encoder = new TextEncoder();

/**
 * Any thrown value as text that PostgreSQL can store: no NUL (text refuses it), no lone surrogate (jsonb refuses it),
 * at most `maxBytes` of UTF-8, cut between characters and then marked with "…"; without the secrets that its words give
 * away. Never throws: it runs where an error is being recorded, and a second error there would lose the first.
 */
export function safeText(value: unknown, maxBytes: number): string {
  const limit = Math.max(0, Math.floor(maxBytes) || 0);
  // Not all of ten megabytes, but more than stays: of an address that is cut in its middle nobody sees what it was.
  const text = describe(value, limit).slice(0, limit + BEYOND);
  return cut(redactText(text.replaceAll("\0", "").toWellFormed()), limit);
}

/** For a terminal: stays a line, moves no cursor, changes no colour and does not turn the direction of writing. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu, " ");
}

function describe(value: unknown, limit: number): string {
  if (typeof value === "string") return value;
  try {
    return isError(value) ? describeError(value, limit, 0) : show(value, limit);
  } catch {
    // A proxy, a getter or a toString that throws. Its error is of no interest: the value was made to be unreadable.
    return `[unreadable ${typeof value}]`;
  }
}

function isError(value: unknown): value is Error {
  // isNativeError sees errors of other realms, instanceof sees DOMException and objects made from Error.prototype.
  return types.isNativeError(value) || value instanceof Error;
}

function describeError(error: Error, limit: number, depth: number): string {
  const { name, message, cause } = error;
  const { code, errors } = error as { code?: unknown; errors?: unknown }; // Node's errors carry these; checked below
  let text = typeof name === "string" && name !== "" && name !== "Error" ? name : "";
  // A refused connection to a host with two addresses is an AggregateError with no message at all, only a code.
  for (const part of [message, message ? undefined : code]) {
    if (typeof part === "string" && part !== "") text += text === "" ? part : `: ${part}`;
  }
  if (text === "") text = "Error";
  if (depth >= LONGEST_CAUSE_CHAIN) return text;
  const inner = Array.isArray(errors) ? errors.slice(0, MOST_ERRORS_OF_AN_AGGREGATE) : [];
  if (cause !== undefined) inner.push(cause);
  for (const each of inner) {
    text += ` ← ${isError(each) ? describeError(each, limit, depth + 1) : show(each, limit)}`;
    if (text.length > limit) break;
  }
  return text;
}

// inspect and not JSON.stringify: it bounds depth and width, survives circles, runs no getter and no proxy trap.
function show(value: unknown, limit: number): string {
  if (typeof value === "string") return value;
  return inspect(value, {
    depth: 3,
    maxArrayLength: 20,
    maxStringLength: limit,
    breakLength: Number.POSITIVE_INFINITY,
    compact: true,
    customInspect: false, // it would run code of the thrown value
  });
}

function cut(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const mark = limit >= ELLIPSIS_BYTES ? ELLIPSIS : "";
  // encodeInto writes whole characters only and says how many UTF-16 units it read.
  const { read } = encoder.encodeInto(text, new Uint8Array(mark === "" ? limit : limit - ELLIPSIS_BYTES));
  return text.slice(0, read) + mark;
}
