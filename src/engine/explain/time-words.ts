// Times as a sentence tells them. Pure: "now" and the zone are given.

import { describeDuration, InputError } from "../../kit/index.ts";

export interface TimeWords {
  /** "11:20", with the day where it is not today. */
  at(time: Date): string;
  /** "11:20 (2 h 41 min)". */
  since(time: Date): string;
  /** "14:05 (in 2 h)". */
  until(time: Date): string;
}

export function timeWords(now: Date, timeZone?: string): TimeWords {
  const clock = clockFor(timeZone);
  const at = (time: Date) => {
    const [day, minute] = clock(time);
    const [today] = clock(now);
    return day === today ? minute : `${day} ${minute}`;
  };
  return {
    at,
    since: (time) => `${at(time)} (${inSeconds(now.getTime() - time.getTime())})`,
    until: (time) => {
      const left = time.getTime() - now.getTime();
      return left > 0 ? `${at(time)} (in ${inSeconds(left)})` : `${at(time)} (any moment)`;
    },
  };
}

/** Thousandths of a second tell people nothing, and change with every look. */
const inSeconds = (ms: number): string => describeDuration(ms > 0 && ms < 1_000 ? 1_000 : ms);

// Swedish writes dates as 2026-11-15 and times as 14:05, which everybody can read.
const formatFor = (timeZone: string) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });

/** Made once: making one takes longer than the rest of an explanation. */
const utc = formatFor("UTC");

function clockFor(timeZone?: string): (time: Date) => readonly [day: string, minute: string] {
  let format = utc;
  try {
    if (timeZone !== undefined) format = formatFor(timeZone);
  } catch (cause) {
    throw new InputError("timeZone", `timeZone must be a name such as Europe/Berlin, got ${JSON.stringify(timeZone)}`, {
      cause,
    });
  }
  return (time) => {
    const [day = "", minute = ""] = format.format(time).split(" ");
    // A time without its zone is one that somebody gets wrong.
    return [day, timeZone === undefined ? `${minute} UTC` : minute];
  };
}
