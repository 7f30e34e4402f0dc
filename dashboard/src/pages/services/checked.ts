// What came of "Check now". A worker calls the service, and what it heard shows in the service itself: it comes back, or its next check
// is put off again. Pure.

import type { Service } from "../../../../src/server/contract/wire.ts";

export interface Checked {
  /** When it was asked for, by the server's clock. */
  readonly at: number;
  /** The next check as it was last seen: brought forward by asking, and put off by what came back. */
  readonly until: string | null;
  readonly wasPutOff: boolean;
}

type Seen = Pick<Service, "state" | "until">;

/** A call is given 30 s. */
const LONGEST_MS = 45_000;

export const checkedNow = ({ until }: Seen, at: number): Checked => ({ at, until, wasPutOff: false });

/** With what is seen now. */
export function follow(checked: Checked, { until }: Seen): Checked {
  if (until === checked.until || until === null) return checked;
  const isLater = checked.until === null || Date.parse(until) > Date.parse(checked.until);
  // One that was due already is brought forward to the moment of asking, which is later too.
  return { ...checked, until, wasPutOff: isLater && Date.parse(until) > checked.at };
}

export function cameOf(
  { at, wasPutOff }: Checked,
  { state }: Seen,
  now: number,
): "looking" | "back" | "down" | "nobody" {
  if (state !== "down") return "back";
  if (wasPutOff) return "down";
  return now - at < LONGEST_MS ? "looking" : "nobody";
}
