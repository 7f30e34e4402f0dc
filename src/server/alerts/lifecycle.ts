// What becomes of one cause's alert in one round, and what is told. Pure.
//
//   (none) ──seen──▶ pending ──held long enough──▶ open ──gone for a minute──▶ resolved
//                       └──────gone──▶ (none)        └ reminders after 1 h, 6 h, 24 h, and every day
//
// A cause that comes and goes is told of less and less often: each time it opens within a day doubles the pause before the next.

import type { MessageKind } from "../channels/message.ts";
import type { Hold } from "./causes.ts";

export interface AlertState {
  readonly state: "pending" | "open";
  /** When it was first seen, in this go. */
  readonly seenAt: Date;
  readonly since: Date;
  readonly openedAt: Date | null;
  readonly absentSince: Date | null;
  readonly toldAt: Date | null;
  readonly toldCount: number;
  readonly reminders: number;
  readonly snoozedUntil: Date | null;
}

/** How it was with this cause in the last day. */
export interface Past {
  readonly openings: number;
  readonly toldAt: Date | null;
  readonly snoozedUntil: Date | null;
}

export interface Seen {
  /** `folded`: it is there, and told with another cause, or nobody can tell whether it is. `off`: its rule is. */
  readonly now: "there" | "gone" | "folded" | "off";
  readonly count: number;
  readonly since: Date | null;
}

export type Step =
  | { readonly to: "drop" }
  | { readonly to: "pending"; readonly alert: AlertState }
  | { readonly to: "open"; readonly alert: AlertState; readonly tell: MessageKind | null }
  | { readonly to: "resolved"; readonly at: Date; readonly tell: MessageKind | null };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A cause that is back within this was never gone. */
const GONE_MS = MINUTE_MS;
const PAUSE_MS = 10 * MINUTE_MS;
const PAUSE_LONGEST_MS = 6 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
const REMIND_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS];
/** A count that changes is told where a message can be edited, this often. */
const UPDATE_MS = 5 * MINUTE_MS;

/** Null: there is nothing and there was nothing. */
export function step(alert: AlertState | undefined, seen: Seen, past: Past, hold: Hold, now: Date): Step | null {
  if (alert === undefined) return seen.now === "there" ? stepPending(begun(seen, now), seen, past, hold, now) : null;
  return alert.state === "pending" ? stepPending(alert, seen, past, hold, now) : stepOpen(alert, seen, now);
}

function begun({ since }: Seen, now: Date): AlertState {
  return {
    state: "pending",
    seenAt: now,
    since: since ?? now,
    openedAt: null,
    absentSince: null,
    toldAt: null,
    toldCount: 0,
    reminders: 0,
    snoozedUntil: null,
  };
}

function stepPending(alert: AlertState, seen: Seen, past: Past, hold: Hold, now: Date): Step {
  if (seen.now !== "there") return { to: "drop" };
  const since = seen.since ?? alert.since;
  const held = passed(hold.from === "since" ? since : alert.seenAt, now);
  if (held < hold.ms || isSnoozed(past, now) || isTooSoon(past, now))
    return { to: "pending", alert: { ...alert, since } };
  const opened = { ...alert, since, state: "open", openedAt: now, toldAt: now, toldCount: seen.count } as const;
  return { to: "open", alert: opened, tell: "opened" };
}

function isTooSoon({ openings, toldAt }: Past, now: Date): boolean {
  if (openings === 0 || toldAt === null) return false;
  return passed(toldAt, now) < Math.min(PAUSE_LONGEST_MS, PAUSE_MS * 2 ** Math.min(openings - 1, 20));
}

function stepOpen(alert: AlertState, seen: Seen, now: Date): Step {
  switch (seen.now) {
    case "off":
      return { to: "resolved", at: now, tell: null };
    case "folded":
      return { to: "open", alert: { ...alert, absentSince: null }, tell: null };
    case "gone": {
      const at = alert.absentSince ?? now;
      if (passed(at, now) >= GONE_MS) return { to: "resolved", at, tell: "resolved" };
      return { to: "open", alert: { ...alert, absentSince: at }, tell: null };
    }
    case "there":
      return told({ ...alert, absentSince: null }, seen, now);
  }
}

function told(alert: AlertState, { count }: Seen, now: Date): Step {
  const { openedAt, toldAt } = alert;
  if (isSnoozed(alert, now) || openedAt === null || toldAt === null) return { to: "open", alert, tell: null };
  const reminders = remindersDue(passed(openedAt, now));
  if (reminders > alert.reminders)
    return { to: "open", alert: { ...alert, reminders, toldAt: now, toldCount: count }, tell: "reminder" };
  if (count !== alert.toldCount && passed(toldAt, now) >= UPDATE_MS)
    return { to: "open", alert: { ...alert, toldAt: now, toldCount: count }, tell: "updated" };
  return { to: "open", alert, tell: null };
}

/** How many there should have been by now: one is told for all that were missed. */
function remindersDue(openMs: number): number {
  return REMIND_MS.filter((after) => openMs >= after).length + Math.max(0, Math.floor(openMs / DAY_MS) - 1);
}

function isSnoozed({ snoozedUntil }: { readonly snoozedUntil: Date | null }, now: Date): boolean {
  return snoozedUntil !== null && snoozedUntil > now;
}

function passed(then: Date, now: Date): number {
  return now.getTime() - then.getTime();
}
