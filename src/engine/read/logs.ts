// What visits of an item noted with `visit.log`, also while they run.

import { InputError, parseId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { LOGS_PER_ITEM } from "../items/visit-log.sql.ts";
import { type LogRow, logsOf } from "./logs.sql.ts";

export interface NoteLine {
  /** Its number among all lines of its visit, from 1; it keeps it. */
  readonly n: number;
  /** When it was noted. */
  readonly at: Date;
  /** The same, since the visit began. */
  readonly ms: number;
  readonly level: "info" | "warn" | "error";
  readonly text: string;
  readonly facts?: unknown;
}

/** Of one visit. */
export interface VisitNotes {
  /** Later visits of the item have higher numbers; not each number is a visit that noted something. */
  readonly visit: number;
  readonly stage: string;
  readonly attempt: number;
  /** When the newest of it was stored: while it runs, or with what it came to. */
  readonly at: Date;
  /** How many older lines made room for these. */
  readonly dropped: number;
  readonly lines: readonly NoteLine[];
}

export interface LogsOptions {
  /** Visits, 1 to 100. Default 20. */
  readonly limit?: number | undefined;
  /** Only what comes after this place: the first visits from there on, instead of the newest of all. */
  readonly after?: string | undefined;
}

const LIMIT = 20;
/** The largest number that the column takes. */
const VISIT_MOST = 2 ** 31 - 1;

/** Of visits that noted anything, oldest first: the newest ones, or those that go on from a place. */
export async function readLogs(
  db: Queryable,
  item: string,
  { limit = LIMIT, after }: LogsOptions = {},
): Promise<VisitNotes[]> {
  const id = parseId("item", item, "item");
  if (!Number.isInteger(limit) || limit < 1 || limit > LOGS_PER_ITEM)
    throw new InputError("limit", `limit must be a whole number from 1 to ${LOGS_PER_ITEM}, got ${limit}`);
  const place = after === undefined ? undefined : parsePlace(after);
  // One more: where the place is the end of its visit, there has to be something behind it, or nobody would get past it.
  const most = place === undefined ? limit : limit + 1;
  return visitsOf(await logsOf(db, id, most, place?.visit))
    .map((one) => (one.visit === place?.visit ? { ...one, lines: one.lines.filter(({ n }) => n > place.n) } : one))
    .filter((one) => one.lines.length > 0)
    .slice(0, limit);
}

/** Behind the last of these lines; undefined where there are none. */
export function placeAfter(visits: readonly VisitNotes[]): string | undefined {
  const last = visits.at(-1);
  const line = last?.lines.at(-1);
  return last === undefined || line === undefined ? undefined : `${last.visit}.${line.n}`;
}

function parsePlace(after: string): { readonly visit: number; readonly n: number } {
  const [visit, n] = (/^(\d{1,10})\.(\d{1,10})$/.exec(after)?.slice(1) ?? []).map(Number);
  if (visit === undefined || n === undefined || visit > VISIT_MOST)
    throw new InputError(
      "after",
      `after must be what an earlier answer gave as its next, got ${JSON.stringify(after)}`,
    );
  return { visit, n };
}

/** Rows come by visit, the first lines first. */
export function visitsOf(rows: readonly LogRow[]): VisitNotes[] {
  const byVisit = new Map<number, [LogRow, ...LogRow[]]>();
  for (const row of rows) {
    const others = byVisit.get(row.version);
    if (others === undefined) byVisit.set(row.version, [row]);
    else others.push(row);
  }
  return [...byVisit.values()].map(together);
}

/** A line is told once, in however many rows it stands; what a row holds of lines that have made room since is not told. */
function together(rows: readonly [LogRow, ...LogRow[]]): VisitNotes {
  const [{ version: visit, stage, attempt }] = rows;
  const dropped = Math.max(...rows.map((row) => row.dropped));
  const at = new Date(Math.max(...rows.map((row) => row.at.getTime())));
  const beganAt = beginning(rows[0]);
  const lines = new Map<number, NoteLine>();
  for (const row of rows)
    for (const [index, line] of row.lines.entries()) {
      const n = row.first + index + 1;
      if (n > dropped) lines.set(n, { n, at: new Date(beganAt + line.ms), ...line });
    }
  const told = [...lines.values()].sort((one, other) => one.n - other.n);
  return { visit, stage: stage ?? "?", attempt, at, dropped, lines: told };
}

/** Earlier releases did not tell: the last line is taken to have been noted when the visit ended. */
function beginning({ began_at, at, lines }: LogRow): number {
  return began_at?.getTime() ?? at.getTime() - (lines.at(-1)?.ms ?? 0);
}
