// Numbers, times and lengths for people: digits, and the clock, in their own country's way; words in the language of all others here.

const number = new Intl.NumberFormat();
const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions();
const WORDS = "en-GB";
const ofHours = hourCycle === undefined ? {} : { hourCycle };
const clock = new Intl.DateTimeFormat(WORDS, { ...ofHours, hour: "2-digit", minute: "2-digit", second: "2-digit" });
const whole = new Intl.DateTimeFormat(WORDS, { ...ofHours, dateStyle: "medium", timeStyle: "long" });
const dayAndTime = new Intl.DateTimeFormat(WORDS, {
  ...ofHours,
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const toMinute = new Intl.DateTimeFormat(WORDS, { ...ofHours, hour: "2-digit", minute: "2-digit" });
const dayOnly = new Intl.DateTimeFormat(WORDS, { timeZone: "UTC", day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat(WORDS, { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });
const relative = new Intl.RelativeTimeFormat(WORDS, { numeric: "auto", style: "long" });

export const count = (value: number) => number.format(value);
/** With one digit behind the point, where it is not nought. */
export const decimal = (value: number) => tenths.format(value);
/** Where there is little room. */
export const short = (value: number) => (value < 10_000 ? number.format(value) : compact.format(value));
/** Of a share from 0 to 1: with a decimal where it is small, so that few are not told as none. */
export function rate(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return "< 0.1 %";
  return `${value < 10 ? tenths.format(value) : number.format(Math.round(value))} %`;
}
export const percent = (value: number) => `${number.format(Math.floor(value))} %`;

const DAY = 86_400_000;
const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ["day", DAY],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

/** "3 minutes ago", "in 2 hours". */
export function ago(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  const [unit, length] = STEPS.find((step) => Math.abs(ms) >= step[1]) ?? (["second", 1_000] as const);
  return relative.format(Math.trunc(ms / length), unit);
}

/** Whole, with its zone: for who points at a time or copies it. */
export const exact = (at: string) => whole.format(new Date(at));
/** The clock alone on the same day, else the day with it. */
export function time(at: string, now: number): string {
  const date = new Date(at);
  return new Date(now).toDateString() === date.toDateString() ? clock.format(date) : dayAndTime.format(date);
}

export const minute = (at: number) => toMinute.format(at);
export const dayAndMinute = (at: number) => dayAndTime.format(at);
/** Of a day without an hour, "2026-11-21": it is the same one everywhere. With its year where that is another. */
export function day(of: string, now: number): string {
  const date = new Date(`${of}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return of;
  return (date.getUTCFullYear() === new Date(now).getFullYear() ? dayOnly : dayOfYear).format(date);
}

/** "1 h 20 min", "41 s", "380 ms": two parts at most. */
export function length(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const units = [
    ["d", DAY],
    ["h", 3_600_000],
    ["min", 60_000],
    ["s", 1_000],
  ] as const;
  const first = units.findIndex(([, size]) => ms >= size);
  let rest = ms;
  const parts = units.slice(first, first + 2).map(([unit, size]) => {
    const times = Math.floor(rest / size);
    rest -= times * size;
    return [times, unit] as const;
  });
  return parts.flatMap(([times, unit]) => (times === 0 ? [] : [`${number.format(times)} ${unit}`])).join(" ");
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

export function bytes(size: number): string {
  const step = size < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(size) / 10));
  const value = size / 2 ** (10 * step);
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}
