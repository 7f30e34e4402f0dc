// How long a service asks us to wait.

/** Longer is a slip, or an attempt to park us for good. */
export const LONGEST_WAIT_MS = 24 * 3_600_000;

/** As in "Sun, 06 Nov 1994 08:49:37 GMT". Date.parse alone would also read "5", "Retry 7" and much else as dates. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

export interface WaitHeaders {
  readonly "retry-after"?: string | undefined;
  readonly date?: string | undefined;
}

/** Milliseconds from now, 0 … 24 h; undefined where nothing readable was said. `nowMs` is our wall clock. */
export function retryAfterMs(headers: WaitHeaders, nowMs: number): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, LONGEST_WAIT_MS);
  const until = readDate(text);
  if (until === undefined) return undefined;
  // By the service's own clock where it tells it: ours may differ by more than the wait.
  const from = readDate(headers.date?.trim() ?? "") ?? nowMs;
  return Math.min(Math.max(0, until - from), LONGEST_WAIT_MS);
}

function readDate(text: string): number | undefined {
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
