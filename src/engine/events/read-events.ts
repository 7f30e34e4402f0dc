// One page of the feed.

import { InputError, parseId, type Random } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { type Cursor, comparePositions, FeedResetError, formatCursor, type Position, parseCursor } from "./cursor.ts";
import { type SluiceEvent, toEvent } from "./event.ts";
import { beginningOf, type EventFilter, eventsAfter, type FeedRow, readLag } from "./feed.sql.ts";
import { openFeed } from "./feed-epoch.ts";

export interface FeedPorts {
  readonly db: Database;
  readonly random: Random;
}

export interface EventsWanted {
  /** Only what came after this cursor. Without one: from the first event that is kept. */
  readonly after?: string | undefined;
  readonly item?: string | undefined;
  readonly request?: string | undefined;
  /** False leaves out what stages handed on; what other events are about is told all the same. */
  readonly outputs?: boolean | undefined;
  /** Events in a page at most. */
  readonly limit?: number | undefined;
}

export interface EventPage {
  readonly events: readonly SluiceEvent[];
  /** Go on from here, also when the page is empty. */
  readonly cursor: string;
  /** Nothing more for now. */
  readonly isEnd: boolean;
}

const LIMIT = 200;
const LIMIT_MOST = 1_000;
/** Rows looked at for a page with a filter. */
const SCAN = 1_000;

/** Throws `FeedResetError` for a cursor from before a restore, a move or the history that is kept, `InputError` for anything else unusable. */
export async function readEvents(ports: FeedPorts, wanted: EventsWanted = {}): Promise<EventPage> {
  const { after, limit, filter, isFiltered } = checkWanted(wanted);
  const from = after ?? (isFiltered ? await beginningOf(ports.db, filter) : BEGINNING);
  const scan = isFiltered ? Math.max(SCAN, limit) : limit;
  const rows = await readRows(ports, from, scan, filter);
  const epoch = epochOf(rows);
  const floor = floorOf(rows);
  if (after !== undefined) checkStillValid(after, epoch, rows[0]?.horizon ?? "0", floor);
  if (comparePositions(from, floor) >= 0) return toPage(rows, { epoch, ...from }, limit, scan);
  // What is kept of older weeks is no part of the feed: it has gaps, and a cursor in there would be refused.
  return toPage(await readRows(ports, floor, scan, filter), { epoch, ...floor }, limit, scan);
}

function floorOf([row]: readonly FeedRow[]): Position {
  return { xid: row?.floor_xid ?? "0", seq: row?.floor_seq ?? "0" };
}

/** The end of the feed as it is now: for those who want to know only what happens from here on. */
export async function newestCursor(ports: FeedPorts): Promise<string> {
  const rows = await readRows(ports, BEGINNING, 0, EVERYTHING);
  return formatCursor({ epoch: epochOf(rows), xid: rows[0]?.horizon ?? "0", seq: "0" });
}

export interface FeedLag {
  /** How long the oldest transaction that may hold events back has been running, in milliseconds. */
  readonly ms: number;
  /** Which one that is. */
  readonly holder: string | null;
  /** Whether committed events wait behind it. */
  readonly isHeldBack: boolean;
}

/** Sessions of other database users show only to members of pg_read_all_stats; `isHeldBack` tells in any case. */
export async function feedLag(db: Database): Promise<FeedLag> {
  const row = await readLag(db);
  return { ms: row.lag_ms ?? 0, holder: row.who, isHeldBack: row.is_held_back };
}

const BEGINNING: Position = { xid: "0", seq: "0" };
const EVERYTHING: EventFilter = { item: null, request: null, outputs: true };

interface Checked {
  readonly after: Cursor | undefined;
  readonly limit: number;
  readonly filter: EventFilter;
  readonly isFiltered: boolean;
}

export function checkWanted(wanted: EventsWanted): Checked {
  const { after, item, request, outputs = true, limit = LIMIT } = wanted;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MOST) {
    throw new InputError("limit", `limit must be a whole number from 1 to ${LIMIT_MOST}, got ${limit}`);
  }
  return {
    after: after === undefined ? undefined : parseCursor(after),
    limit,
    filter: {
      item: item === undefined ? null : parseId("item", item, "item"),
      request: request === undefined ? null : parseId("request", request, "request"),
      outputs,
    },
    isFiltered: item !== undefined || request !== undefined,
  };
}

async function readRows(
  ports: FeedPorts,
  after: Position,
  scan: number,
  filter: EventFilter,
): Promise<readonly FeedRow[]> {
  const rows = await eventsAfter(ports.db, after, scan, filter);
  if (rows[0]?.is_here === true) return rows;
  // The first to look after a restore, or after a standby took over while we were running.
  await openFeed(ports.db, ports.random);
  return await eventsAfter(ports.db, after, scan, filter);
}

function epochOf(rows: readonly FeedRow[]): string {
  const epoch = rows[0]?.feed_epoch;
  // Opened a moment ago, so somebody took the row away, or the server changed a second time: the next read tells.
  if (epoch === undefined || epoch === null) throw new FeedResetError();
  return epoch;
}

/** A cursor beyond the horizon was given out by a future this database has lost, though its epoch came back with it. */
function checkStillValid(after: Cursor, epoch: string, horizon: string, floor: Position): void {
  const isBeyond = comparePositions(after, { xid: horizon, seq: "0" }) > 0;
  if (after.epoch !== epoch || isBeyond || comparePositions(after, floor) < 0) throw new FeedResetError();
}

function toPage(rows: readonly FeedRow[], from: Cursor, limit: number, scan: number): EventPage {
  const scanned = rows[0]?.scanned ?? 0;
  const found = rows.filter((row) => row.is_match);
  const isCut = found.length > limit;
  const shown = isCut ? found.slice(0, limit) : found;
  const last = isCut ? shown.at(-1) : rows.at(-1);
  const to = scanned === 0 || last === undefined ? from : { epoch: from.epoch, xid: last.xid, seq: last.seq };
  return {
    events: shown.map((row) => toEvent(row, from.epoch)),
    cursor: formatCursor(to),
    isEnd: !isCut && scanned < scan,
  };
}
