import { InputError, invariant } from "./errors.ts";

/** Milliseconds, or text with units: `"250ms"`, `"30s"`, `"10m"`, `"6h"`, `"2d"`, `"1w"`, `"1h30m"`, `"1.5h"`. */
export type Duration = number | string;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS = new Map([
  ["w", 7 * DAY],
  ["d", DAY],
  ["h", HOUR],
  ["m", MINUTE],
  ["s", SECOND],
  ["ms", 1],
]);

/** Ten years. Longer is a slip (seconds for milliseconds, a date for a duration), and would overrun timestamps. */
const LONGEST = 3_650 * DAY;
const LONGEST_TEXT = 64;

/** Whole milliseconds; throws `InputError` naming `field`. What is above zero stays above zero. */
export function toMilliseconds(value: Duration, field: string): number {
  const ms = typeof value === "string" ? readText(value, field) : value;
  if (typeof ms !== "number" || !Number.isFinite(ms)) {
    throw new InputError(field, `${field} must be milliseconds or text such as "30s", got ${quote(value)}`);
  }
  if (ms < 0) throw new InputError(field, `${field} must not be negative, got ${quote(value)}`);
  if (ms > LONGEST) throw new InputError(field, `${field} must be at most ten years (3650d), got ${quote(value)}`);
  // 0.3 ms rounded to 0 could turn a pause into a hot loop.
  return ms > 0 ? Math.max(1, Math.round(ms)) : 0;
}

function readText(text: string, field: string): number {
  const expected = `${field} must be a duration such as "250ms", "30s", "10m", "6h", "2d", "1w" or "1h30m"`;
  const unreadable = (why = "") => new InputError(field, `${expected}, got ${quote(text)}${why}`);
  if (text.length > LONGEST_TEXT) throw unreadable();
  if (/^\s*-\s*[\d.]/.test(text)) throw new InputError(field, `${field} must not be negative, got ${quote(text)}`);
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) throw unreadable(", which has no unit");
  // One part per turn, sticky: no pattern that could backtrack over the whole text.
  const part = /\s*(\d+(?:\.\d+)?)(ms|[wdhms])\s*/y;
  let total = 0;
  let smallest = Number.POSITIVE_INFINITY;
  while (part.lastIndex < text.length || smallest === Number.POSITIVE_INFINITY) {
    const [, amount, unit] = part.exec(text) ?? [];
    const size = unit === undefined ? undefined : UNITS.get(unit);
    if (size === undefined) throw unreadable();
    // "30m1h" or "1h1h" is more likely a slip than a wish.
    if (size >= smallest) throw unreadable(", where each unit may stand once, the largest first");
    smallest = size;
    total += Number(amount) * size;
  }
  return total;
}

function quote(value: unknown): string {
  if (typeof value !== "string") return typeof value === "number" ? String(value) : `a value of type ${typeof value}`;
  return JSON.stringify(value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value);
}

/** For people, in at most two units, rounded to the smaller one: "2 h 41 min", "45 s", "3 d 4 h". Overdue is "0 s". */
export function describeDuration(ms: number): string {
  invariant(Number.isFinite(ms), `a duration to describe must be finite, got ${ms}`);
  const exact = Math.max(0, ms);
  let rest = Math.round(exact);
  // Coarser once the rounded value calls for it: 59 min 59.9 s has to become "1 h", not "60 min". Always from the exact
  // value: rounding what was rounded turned 359 h 29 min 29.5 s into 360 h.
  for (const [from, step] of STEPS) if (rest >= from) rest = Math.round(exact / step) * step;
  if (rest === 0) return "0 s";
  const parts: string[] = [];
  for (const [name, size] of SHOWN) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${name}`);
    rest -= count * size;
  }
  return parts.join(" ");
}

const STEPS = [
  [SECOND, SECOND],
  [HOUR, MINUTE],
  [DAY, HOUR],
] as const;

const SHOWN = [
  ["d", DAY],
  ["h", HOUR],
  ["min", MINUTE],
  ["s", SECOND],
  ["ms", 1],
] as const;
