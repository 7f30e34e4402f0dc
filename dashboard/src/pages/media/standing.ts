// How one film or episode stands, in a word that people who asked for it understand; and how all of a request do. Pure.

import type { MediaCard } from "../../../../src/server/contract/wire.ts";

type Item = Pick<MediaCard["items"][number], "state" | "airs">;

export const STANDINGS = ["ready", "working", "queued", "not-on", "waiting", "asking", "failed", "cancelled"] as const;
export type Standing = (typeof STANDINGS)[number];

const BY_STATE: { readonly [state: string]: Standing } = {
  done: "ready",
  running: "working",
  queued: "queued",
  waiting: "waiting",
  "needs-you": "asking",
  failed: "failed",
  cancelled: "cancelled",
};

/** What waits for its day is no trouble. A day has no hour: on the day itself it may be on. */
export function standingOf({ state, airs }: Item, today: string): Standing {
  const standing = BY_STATE[state] ?? "waiting";
  return standing === "waiting" && airs !== null && airs > today ? "not-on" : standing;
}

/** How many stand how, those that are there, in one order for all requests. */
export function countStandings(items: readonly Item[], today: string): readonly (readonly [Standing, number])[] {
  const all = items.map((item) => standingOf(item, today));
  return STANDINGS.map((one) => [one, all.filter((other) => other === one).length] as const).filter(
    ([, many]) => many > 0,
  );
}

/** What is worth saying first of a request that is under way: who is asked, else what moves, else what it stands in line or waits for. */
const FIRST = ["asking", "working", "queued", "waiting", "not-on"] as const satisfies readonly Standing[];
const ENDED: { readonly [status: string]: Standing } = {
  COMPLETED: "ready",
  PARTIAL: "waiting",
  FAILED: "failed",
  CANCELLED: "cancelled",
};

/** How all of a request stands, in the colour and shape of one. Undefined in `of` where the request's own word says it best. */
export function rollUp(
  { status, items }: Pick<MediaCard, "status"> & { readonly items: readonly Item[] },
  today: string,
): { readonly look: Standing; readonly of: (typeof FIRST)[number] | undefined } {
  const ended = ENDED[status];
  if (ended !== undefined) return { look: ended, of: undefined };
  const all = new Set(items.map((item) => standingOf(item, today)));
  const of = FIRST.find((one) => all.has(one));
  return { look: of ?? (status === "PENDING" ? "queued" : "working"), of };
}

export const isUnderWay = (status: MediaCard["status"]): boolean => status === "PENDING" || status === "PROCESSING";

/** What is not over, of a request. */
export const openOf = ({ total, completed, partly, failed, cancelled }: MediaCard["counts"]): number =>
  Math.max(0, total - completed - partly - failed - cancelled);

/** "2026-11-16", where the clock that it is read from hangs. */
export function dayOf(now: number): string {
  const date = new Date(now);
  const part = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** Two letters at most, for where there is no picture. */
export function initialsOf(title: string): string {
  const words = title.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? "");
  return letters.join("").toLocaleUpperCase() || "?";
}
