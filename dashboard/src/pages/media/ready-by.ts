// When something is likely there, as people say it: no more exactly than it is known. Pure.

import type { MediaCard } from "../../../../src/server/contract/wire.ts";
import { dayAndMinute, minute } from "../../text/format.ts";
import { media } from "../../text/media.ts";

type Range = NonNullable<MediaCard["readyBy"]>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function readyWords({ low, high }: Range, now: number): string {
  const [first, last] = [rounded(Date.parse(low), now), rounded(Date.parse(high), now)];
  if (Date.parse(high) <= now) return media.ready.late;
  if (Date.parse(low) <= now) return media.ready.by(said(last, now));
  if (first === last) return media.ready.about(said(first, now));
  const isSameDay = new Date(first).toDateString() === new Date(last).toDateString();
  return media.ready.between(said(first, now), isSameDay ? minute(last) : said(last, now));
}

const said = (at: number, now: number) =>
  new Date(at).toDateString() === new Date(now).toDateString() ? minute(at) : dayAndMinute(at);

/** Up: nobody minds that something is there before. */
function rounded(at: number, now: number): number {
  const step = at - now > HOUR ? 10 * MINUTE : at - now > 10 * MINUTE ? 5 * MINUTE : MINUTE;
  return Math.ceil(at / step) * step;
}
