// What a failure's code means and what one can do about it: for the codes the engine itself gives. A stage may give any other,
// which then speaks for itself. Pure.

/** A code that can end an item, given by the engine; a test collects them from the sources. */
export const FAILURES = {
  BUG: {
    what: "the code of this stage broke one of its own rules",
    advice: "Mend the stage, then retry; trying again before would break the same way.",
  },
  CRASH_LOOP: {
    what: "it brought down the process that worked on it, three times",
    advice: "Look at what is special about it; retry once that is mended.",
  },
  PARTS_FAILED: {
    what: "too many of its parts failed",
    advice: "Look at its failed parts, mend what kept them, then retry them or the item.",
  },
  TIMEOUT: {
    what: "it did not answer in time",
    advice: "Retry it, or give the stage more time.",
  },
  DEADLINE: {
    what: "it had not ended when its time was over",
    advice: "Retry it, which begins without a deadline, or submit it anew with more time.",
  },
  THREAD_DIED: {
    what: "the thread that computed it died",
    advice: "Look at its memory and at the stage's code, then retry.",
  },
  STALLED: {
    what: "the work outside stopped moving",
    advice: "Look at the service that did the work, then retry.",
  },
  VANISHED: {
    what: "the service lost the work it was given",
    advice: "Look at the service, then retry; the work begins anew.",
  },
  FAILED: {
    what: "the work outside failed",
    advice: "Look at what the service says about it, then retry.",
  },
  BAD_LOOK: {
    what: "the service's answer about the work made no sense",
    advice: "Mend the stage's look(), then retry.",
  },
  TOO_MANY_RETURNS: {
    what: "it was sent back to an earlier stage too often",
    advice: "Look at why a later stage does not accept it; retry begins a new series.",
  },
  WAIT_CYCLE: {
    what: "it waited for an item that waits for it",
    advice: "One of them must not wait: mend the stage, then retry.",
  },
  NO_UNDO: {
    what: "a part could not be undone",
    advice: "Undo it by hand where it was done, then retry.",
  },
  UNSTORABLE: {
    what: "what the stage handed on could not be stored",
    advice: "Mend what the stage returns, then retry.",
  },
  UNKNOWN: {
    what: "the stage threw something nobody had classified",
    advice: "Retry it; if it comes back, have the stage throw a fault that says what it is.",
  },
  OVER: {
    what: "the stage went on after its visit was over",
    advice: "Have the stage await everything it begins, then retry.",
  },
  TAKEN: {
    what: "somebody else had taken it over meanwhile",
    advice: "Retry it.",
  },
  SERVICE_DOWN: {
    what: "the service was not answering",
    advice: "Look at the service, then retry.",
  },
  RATE_LIMITED: {
    what: "the service's limit was used up",
    advice: "Retry it later.",
  },
  STOPPING: {
    what: "the process stopped while it worked on it",
    advice: "Retry it.",
  },
  NO_CLIENT: {
    what: "no running worker has a client for the service",
    advice: "Start a worker that has one, then retry.",
  },
  DISK_FULL: {
    what: "there was no disk space left",
    advice: "Make room, then retry.",
  },
  AUTH: {
    what: "our credentials were refused",
    advice: "Renew them, then retry.",
  },
} as const satisfies Readonly<Record<string, FailureWords>>;

interface FailureWords {
  readonly what: string;
  readonly advice: string;
}

export function failureWords(code: string | null): FailureWords | undefined {
  return code !== null && Object.hasOwn(FAILURES, code) ? FAILURES[code as keyof typeof FAILURES] : undefined;
}
