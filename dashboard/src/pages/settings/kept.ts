// Lengths of time as people write them, and what of a form is a change. Pure.

import type { Retention } from "../../../../src/server/contract/wire.ts";
import type { Given } from "../../ui/form.tsx";

type Limits = Retention["limits"];
export const KEPT = ["history", "audit", "signals"] as const satisfies readonly (keyof Limits)[];

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/** "90d", "1d12h": as the server reads it. */
export function asDuration(ms: number): string {
  let rest = ms;
  const parts = UNITS.map(([unit, size]) => {
    const times = Math.floor(rest / size);
    rest -= times * size;
    return times === 0 ? "" : `${times}${unit}`;
  });
  return parts.join("") || "0s";
}

/** What was left as it is, or emptied, stays. */
export function changesOf(given: Given, limits: Limits): Given {
  const changed = KEPT.map((name) => [name, given[name]?.trim() ?? ""] as const).filter(
    ([name, value]) => value !== "" && value !== asDuration(limits[name]),
  );
  return Object.fromEntries(changed);
}
