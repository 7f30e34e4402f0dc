// How a service that is down shows in an item's journal, and whether that may cost the item an attempt.

/** The other side may have acted, and nobody knows: a try that came to nothing. */
const COUNTED = ["TIMEOUT", "RESET", "TRUNCATED"];

/** It was not there, or had no time: nobody's try. */
export const UNAVAILABLE: ReadonlySet<string> = new Set(["NOT_REACHED", "HTTP_503", "RATE_LIMITED", "SERVICE_DOWN"]);

export const OUTAGES: ReadonlySet<string> = new Set([...COUNTED, ...UNAVAILABLE]);
