// Times as people say them. Pure: now is given.

import { describeDuration } from "../../kit/index.ts";

/** "3 min ago", "in 2 h"; for a terminal, where the exact time is a --json away. */
export function relative(at: string | null | undefined, now: Date): string {
  if (at === null || at === undefined) return "";
  const ms = Date.parse(at) - now.getTime();
  if (!Number.isFinite(ms)) return "";
  if (Math.abs(ms) < 1_000) return "now";
  return ms < 0 ? `${coarse(-ms)} ago` : `in ${coarse(ms)}`;
}

/** How long something has lasted. */
export function lasted(since: string | null | undefined, now: Date): string {
  return since === null || since === undefined ? "" : coarse(Math.max(0, now.getTime() - Date.parse(since)));
}

/** One unit is enough at a glance. */
function coarse(ms: number): string {
  const [amount, unit] = describeDuration(Math.max(1_000, ms)).split(" ");
  return `${amount} ${unit}`;
}
