// What happened to a document, in its own words: made of the item's history, and of what became of its files. Pure.

import type { HistoryEntry } from "../../../engine/index.ts";
import { type DocumentCode, toldWords } from "../codes.ts";
import type { SeenDocument } from "./documents.ts";

export interface DocumentHappening {
  readonly type: "queued" | "processing" | "retry" | "complete" | "failed" | "expired" | "cancelled";
  readonly at: Date;
  readonly meta: {
    readonly attempt?: number;
    readonly code?: DocumentCode;
    readonly sentence?: string;
    readonly retryAfter?: Date;
    readonly tookMs?: number;
    readonly bytes?: number;
    readonly by?: string;
  };
}

const AGAIN: ReadonlySet<string> = new Set(["item.accepted", "item.retried", "item.replayed"]);

export function happenings(history: readonly HistoryEntry[], document: SeenDocument): DocumentHappening[] {
  const all: DocumentHappening[] = [];
  let isWorkedOn = false;
  for (const entry of history) {
    if (AGAIN.has(entry.type)) {
      all.push({ type: "queued", at: entry.ended, meta: byWhom(entry) });
      isWorkedOn = false;
      continue;
    }
    if (entry.began !== null && !isWorkedOn) {
      all.push({ type: "processing", at: entry.began, meta: {} });
      isWorkedOn = true;
    }
    const told = endOf(entry, document);
    if (told === undefined) continue;
    all.push(told);
    isWorkedOn = false;
  }
  return withLast(all, document);
}

function endOf(entry: HistoryEntry, { result }: SeenDocument): DocumentHappening | undefined {
  const at = entry.ended;
  const took = entry.tookMs === null ? {} : { tookMs: entry.tookMs };
  switch (entry.type) {
    case "item.fault":
      // One that only waits for the gateway is no try.
      return entry.attempt === null ? undefined : { type: "retry", at, meta: { ...faultOf(entry), ...took } };
    case "item.failed":
      return { type: "failed", at, meta: { ...faultOf(entry), ...took } };
    case "item.completed":
      return { type: "complete", at, meta: { ...took, ...(result === null ? {} : { bytes: result.bytes }) } };
    case "item.cancelled":
      return { type: "cancelled", at, meta: byWhom(entry) };
    case "item.expired":
      return { type: "expired", at, meta: {} };
    default:
      return undefined;
  }
}

function faultOf({ code: stored, message, attempt }: HistoryEntry): DocumentHappening["meta"] {
  const { code, sentence } = toldWords(stored ?? "UNKNOWN", message);
  return { ...(attempt === null ? {} : { attempt }), code, sentence };
}

/** Who did it stands where others have their message. */
const byWhom = ({ message, type }: HistoryEntry) =>
  type === "item.accepted" || message === null ? {} : { by: message };

/** What no row of the history tells of: when it is tried again, and, where its row was let go of, that its result is gone. */
function withLast(all: readonly DocumentHappening[], { retryAfter, expiredAt }: SeenDocument): DocumentHappening[] {
  const last = all.at(-1);
  const waiting =
    last?.type === "retry" && retryAfter !== null
      ? [...all.slice(0, -1), { ...last, meta: { ...last.meta, retryAfter } }]
      : [...all];
  if (expiredAt === null || last?.type === "expired") return waiting;
  return [...waiting, { type: "expired", at: expiredAt, meta: {} }];
}
