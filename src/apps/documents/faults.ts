// What went wrong, as it is stored with a document: the canonical code and a sentence of ours. What a gateway or the disk said goes into
// the visit's notes, without paths and addresses. Kind, wait and report to the breaker stay as the fault had them: they alone decide.

import { errnoFault } from "../../connectors/index.ts";
import { BugError, type Duration, Fault, InputError, type Logger } from "../../engine/index.ts";
import { codeSentence, publicCode } from "./codes.ts";

/** Addresses, and paths of two names and more; a stack is cut off with its first line. Pure. */
export function withoutPlaces(text: string): string {
  const [line = ""] = text.split("\n");
  return line
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"<>)]+/gi, "…")
    .replaceAll(/(?:\b[A-Za-z]:)?(?:[\\/][^\s\\/'":;,<>()]+){2,}[\\/]?/g, "…");
}

/**
 * The same fault in the words that are told. One that only waits keeps its own code: it is no failure, and says who has to do something.
 * A gateway that is away is asked for again after `away`, as its breaker does: it may be back long before others would be looked at.
 */
export function toldFault(fault: Fault, away?: Duration): Fault {
  const { kind, code, service, breaker } = fault;
  const isAway = kind === "unavailable" && breaker === "failure";
  const retryAfter = fault.retryAfterMs ?? (isAway ? away : undefined);
  const told = kind === "unavailable" ? code : publicCode(code);
  return new Fault(kind, told, codeSentence(code), {
    breaker,
    ...(service === undefined ? {} : { service }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

interface Telling {
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Runs a stage's work; whatever fails in it is told as above. */
export async function telling<T>(
  { log, signal }: Telling,
  what: string,
  work: () => Promise<T>,
  away?: Duration,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Given up, not failed: whoever aborted it knows why. A rule of ours that was broken is named by the engine.
    if (signal.aborted || isBug(error)) throw error;
    const fault = classified(error, what);
    log.warn(what, { code: fault.code, said: withoutPlaces(fault.message) });
    throw toldFault(fault, away);
  }
}

/** The disk is nobody's gateway: what it says is not told to a breaker. */
function classified(error: unknown, what: string): Fault {
  if (error instanceof Fault) return error;
  const fault = errnoFault(error, what);
  return new Fault(fault.kind, fault.code, fault.message, { breaker: "none", cause: error });
}

const isBug = (error: unknown): boolean =>
  error instanceof BugError ||
  error instanceof InputError ||
  (error instanceof Error && error.name === "AssertionError");
