// A service's health: what is known of it + how calls ended → what is known from now on. Pure; times are milliseconds by
// the database's clock.
//
//   closed ── failures in a row, or a share of the last calls, of several items ──▶ open
//   closed ── refused credentials ──▶ open, at once
//   open   ── the one who holds the probe reports success ──▶ closed, and begins to ramp: 1, 2, 4, … items in hand
//   open   ── it reports anything else ──▶ open, until the next probe
//
// Calls that began before the breaker last turned count for nothing: they speak of another time.

import type { BreakerReport } from "../pipeline/fault.ts";
import type { BreakerRules } from "../pipeline/service.ts";

/** One call that is remembered. Kept from the first failure on, until none is among them any more. */
export type RecentCall = readonly [at: number, item: string | null, isOk: 0 | 1];

export interface Health {
  readonly isOpen: boolean;
  readonly recent: readonly RecentCall[];
  /** When it last opened or closed. */
  readonly changedAt: number;
  readonly probeAt: number | null;
  readonly probe: { readonly epoch: string; readonly until: number } | null;
  /** At most so many items in hand; doubled after so many more successes. */
  readonly ramp: { readonly most: number; readonly left: number } | null;
  readonly busyUntil: number | null;
  /** Why it is open. */
  readonly code: string | null;
  readonly message: string | null;
}

export interface CallEnd {
  readonly at: number;
  /** Whose call it was; null when it was not about one item in particular, which then cannot be to blame. */
  readonly item: string | null;
  readonly verdict: BreakerReport;
  /** `changedAt` as it was known when the call began. */
  readonly era: number;
  readonly retryAfterMs?: number | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  /** The epoch under which the probe was leased, where this was the probe. */
  readonly probe?: string | undefined;
}

export interface Rules {
  readonly capacity: number | null;
  readonly breaker: BreakerRules;
}

export interface Judged {
  readonly health: Health;
  readonly turned: "opened" | "closed" | null;
  /** False where nothing has to be written. */
  readonly isChanged: boolean;
}

/** Beyond that nobody can tell a ramp from no limit. */
export const RAMP_MOST = 1_024;
/** Nobody is believed who asks us to stay away for longer. */
const BUSY_MOST_MS = 24 * 3_600_000;
/** An item let through that ended without having called says nothing; the next one may. */
const UNDECIDED_MS = 1_000;

export function judge(health: Health, ends: readonly CallEnd[], rules: Rules, nowMs: number): Judged {
  let now = health;
  for (const end of ends.toSorted((a, b) => a.at - b.at)) now = step(now, end, rules, nowMs);
  const turned = now.isOpen === health.isOpen ? null : now.isOpen ? "opened" : "closed";
  return { health: now, turned, isChanged: now !== health };
}

function step(health: Health, end: CallEnd, rules: Rules, nowMs: number): Health {
  if (end.probe !== undefined) return onProbe(health, end, rules, nowMs);
  const busy = pressed(health, end, nowMs);
  if (busy.isOpen || end.era !== busy.changedAt) return busy;
  switch (end.verdict) {
    case "none":
      return busy;
    case "open":
      return opened(busy, end, rules, nowMs);
    case "success":
      return ramped(remembered(busy, end, rules), rules);
    case "failure": {
      const failed = remembered(busy, end, rules);
      return trips(failed.recent, rules.breaker) ? opened(failed, end, rules, nowMs) : failed;
    }
  }
}

/** Asked to wait: everybody does, and nobody holds it against the service. */
function pressed(health: Health, end: CallEnd, nowMs: number): Health {
  if (end.verdict !== "none" || end.retryAfterMs === undefined) return health;
  const until = nowMs + Math.min(BUSY_MOST_MS, end.retryAfterMs);
  return until <= nowMs || (health.busyUntil ?? 0) >= until ? health : { ...health, busyUntil: until };
}

function onProbe(health: Health, end: CallEnd, rules: Rules, nowMs: number): Health {
  if (!health.isOpen || health.probe?.epoch !== end.probe) return health;
  if (end.verdict === "success") return closed(health, rules, nowMs);
  const again = { ...health, probe: null };
  if (end.verdict !== "none") {
    return { ...again, ...said(end), probeAt: nowMs + rules.breaker.cooldownMs };
  }
  const waitMs = end.retryAfterMs === undefined ? UNDECIDED_MS : Math.min(BUSY_MOST_MS, end.retryAfterMs);
  return { ...again, probeAt: nowMs + Math.max(UNDECIDED_MS, waitMs) };
}

function opened(health: Health, end: CallEnd, rules: Rules, nowMs: number): Health {
  const probeAt = nowMs + rules.breaker.cooldownMs;
  return { ...health, ...said(end), isOpen: true, changedAt: nowMs, recent: [], probeAt, probe: null, ramp: null };
}

function closed(health: Health, rules: Rules, nowMs: number): Health {
  const ramp = rampOf(1, rules);
  const well = { isOpen: false, recent: [], probeAt: null, probe: null, code: null, message: null };
  return { ...health, ...well, changedAt: nowMs, ramp };
}

function said(end: CallEnd): { code: string | null; message: string | null } {
  return { code: end.code ?? null, message: end.message ?? null };
}

function rampOf(most: number, { capacity }: Rules): Health["ramp"] {
  return most >= Math.min(capacity ?? RAMP_MOST, RAMP_MOST) ? null : { most, left: most };
}

function ramped(health: Health, rules: Rules): Health {
  const { ramp } = health;
  if (ramp === null) return health;
  return { ...health, ramp: ramp.left > 1 ? { ...ramp, left: ramp.left - 1 } : rampOf(ramp.most * 2, rules) };
}

/** In the order in which they ended, whoever reports first: reports of different workers arrive mixed up. */
function remembered(health: Health, end: CallEnd, { breaker }: Rules): Health {
  const isOk = end.verdict === "success";
  if (isOk && health.recent.length === 0) return health;
  const call: RecentCall = [end.at, end.item, isOk ? 1 : 0];
  const most = Math.max(breaker.calls, breaker.failures);
  const recent = [...health.recent, call].sort((a, b) => a[0] - b[0]).slice(-most);
  return { ...health, recent: recent.some(([, , ok]) => ok === 0) ? recent : [] };
}

function trips(recent: readonly RecentCall[], rules: BreakerRules): boolean {
  const lastOk = recent.findLastIndex(([, , ok]) => ok === 1);
  const inARow = recent.slice(lastOk + 1);
  if (inARow.length >= rules.failures && itemsOf(inARow) >= rules.items) return true;
  const last = recent.slice(-rules.calls);
  const [first] = last;
  const newest = recent.at(-1);
  if (first === undefined || newest === undefined || last.length < rules.calls) return false;
  if (newest[0] - first[0] > rules.windowMs) return false;
  const failed = last.filter(([, , ok]) => ok === 0);
  return failed.length >= rules.rate * rules.calls && itemsOf(failed) >= rules.items;
}

function itemsOf(calls: readonly RecentCall[]): number {
  const items = new Set(calls.flatMap(([, item]) => (item === null ? [] : [item])));
  return items.size + calls.filter(([, item]) => item === null).length;
}
