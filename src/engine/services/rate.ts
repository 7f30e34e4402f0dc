// A sliding window of grants: no window of that length ever sees more than the limit. (A bucket that refills would allow
// twice as many after a rest.) Pure; times are milliseconds by the database's clock.

export interface RateLimit {
  readonly count: number;
  readonly perMs: number;
}

/** So many, at that time. */
export type Grant = readonly [at: number, count: number];

export interface Granted {
  readonly count: number;
  /** What to store instead. */
  readonly grants: readonly Grant[];
}

/** Above this many, grants close to each other are kept as one, at the latest time any of them may have: never too early. */
const ENTRIES_MOST = 100;

export function grant(grants: readonly Grant[], limit: RateLimit, nowMs: number, wanted: number): Granted {
  const current = within(grants, limit, nowMs);
  const count = Math.max(0, Math.min(wanted, limit.count - sum(current)));
  if (count === 0) return { count, grants: current };
  const last = current.at(-1);
  // Who waited for the row's lock may come with an older time than the one before: never earlier than that.
  const at = keptAs(Math.max(nowMs, last?.[0] ?? nowMs), limit);
  if (last === undefined || last[0] !== at) return { count, grants: [...current, [at, count]] };
  return { count, grants: [...current.slice(0, -1), [at, last[1] + count]] };
}

export function roomIn(grants: readonly Grant[], limit: RateLimit, nowMs: number): number {
  return Math.max(0, limit.count - sum(within(grants, limit, nowMs)));
}

/** How long until the n-th from now may be granted, if nobody else asks: what to tell those in a queue. */
export function waitMs(grants: readonly Grant[], limit: RateLimit, nowMs: number, nth = 1): number {
  const windows = Math.floor((nth - 1) / limit.count);
  let left = ((nth - 1) % limit.count) + 1 - roomIn(grants, limit, nowMs);
  for (const [at, count] of within(grants, limit, nowMs)) {
    if (left <= 0) break;
    left -= count;
    if (left <= 0) return at + limit.perMs - nowMs + windows * limit.perMs;
  }
  return windows * limit.perMs;
}

/** What lies further ahead than a window was granted before the clock was set back, and would block for as long. */
function within(grants: readonly Grant[], limit: RateLimit, nowMs: number): readonly Grant[] {
  return grants.filter(([at]) => at > nowMs - limit.perMs && at <= nowMs + limit.perMs);
}

function keptAs(nowMs: number, limit: RateLimit): number {
  if (limit.count <= ENTRIES_MOST) return nowMs;
  const step = limit.perMs / ENTRIES_MOST;
  return Math.ceil(nowMs / step) * step;
}

function sum(grants: readonly Grant[]): number {
  return grants.reduce((total, [, count]) => total + count, 0);
}
