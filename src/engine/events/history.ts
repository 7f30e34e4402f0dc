// The history of one item, for people: each entry is a journal row.

import { formatId, InputError, parseId, type WorkerId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { type EndState, endStateName, type JournalKind, journalKindName } from "../items/codes.ts";
import { type EventType, eventType } from "./event.ts";
import { type HistoryOrder, type HistoryPlace, type HistoryRow, historyOf } from "./history.sql.ts";

export interface HistoryEntry {
  readonly type: EventType;
  readonly outcome: JournalKind | "unknown";
  /** When the visit began; null where there was none. */
  readonly began: Date | null;
  readonly ended: Date;
  readonly tookMs: number | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly end: EndState | null;
  readonly attempt: number | null;
  readonly series: number | null;
  readonly reason: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly worker: WorkerInstance | null;
  readonly output: unknown;
}

/** One life of a worker's process. */
export interface WorkerInstance {
  readonly id: WorkerId;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
}

export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** Give it back as `after` for the next page; null when this is the last. */
  readonly next: string | null;
  /** Some of this is older than the history that is kept: outputs, faults and ends are there, what lay between is not. */
  readonly isThinned: boolean;
}

export interface HistoryOptions {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  /** `"newest"` begins with what happened last, and its pages go back; otherwise with what happened first. */
  readonly order?: HistoryOrder | undefined;
  /** False leaves out what stages handed on: it may be large. */
  readonly outputs?: boolean | undefined;
}

const LIMIT = 200;
const LIMIT_MOST = 1_000;
/** Where no entry lies before, in either order. */
const START: { readonly [order in HistoryOrder]: HistoryPlace } = {
  oldest: { version: -1, xid: "0", seq: "0" },
  newest: { version: 2_147_483_647, xid: "18446744073709551615", seq: "9223372036854775807" },
};
const PLACE = /^(\d{1,9})-(\d{1,19})-(\d{1,18})$/;

/** Empty for an item that never was. */
export async function history(db: Queryable, item: string, options: HistoryOptions = {}): Promise<HistoryPage> {
  const id = parseId("item", item, "item");
  const { after, limit = LIMIT, order = "oldest", outputs = true } = options;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MOST) {
    throw new InputError("limit", `limit must be a whole number from 1 to ${LIMIT_MOST}, got ${limit}`);
  }
  if (!Object.hasOwn(START, order)) throw new InputError("order", `order is "oldest" or "newest", got ${order}`);
  const start = after === undefined ? START[order] : parsePlace(after);
  // One more than asked for tells whether there is a next page.
  const rows = await historyOf(db, id, order, start, limit + 1, outputs);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    entries: shown.map(toEntry),
    next: last === undefined ? null : `${last.version}-${last.xid}-${last.seq}`,
    isThinned: shown.some((row) => row.kept),
  };
}

function parsePlace(text: string): HistoryPlace {
  const [, version, xid, seq] = (typeof text === "string" ? PLACE.exec(text) : null) ?? [];
  if (version === undefined || xid === undefined || seq === undefined) {
    throw new InputError("after", "after must be what the page before gave as next");
  }
  return { version: Number(version), xid, seq };
}

function toEntry(row: HistoryRow): HistoryEntry {
  return {
    type: eventType(row.kind, row.ended),
    outcome: journalKindName(row.kind),
    began: row.took_ms === null ? null : new Date(row.at.getTime() - row.took_ms),
    ended: row.at,
    tookMs: row.took_ms,
    from: row.from_stage,
    to: row.to_stage,
    end: endStateName(row.ended) ?? null,
    attempt: row.attempt,
    series: row.series,
    reason: row.reason,
    code: row.code,
    message: row.message,
    worker: workerOf(row),
    output: row.output,
  };
}

function workerOf(row: HistoryRow): WorkerInstance | null {
  const { worker_id: id, worker_name: name, worker_host: host, worker_pid: pid } = row;
  if (id === null || name === null || host === null || pid === null) return null;
  return { id: formatId("worker", id), name, host, pid };
}
