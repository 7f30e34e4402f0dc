// An item's whole trace, made from its history when it has ended. Pure. The history is what really happened, whoever did it and
// however many of them died, and the ids follow from the item: made twice, or in two places, it is the same trace.
//
//   item            from being handed in to its end
//   ├─ wait …       between visits, with what it waited for
//   └─ stage        each visit, with what came of it

import { createHash } from "node:crypto";
import type { HistoryEntry, ItemEvent, Origin } from "../../engine/index.ts";

export type Attributes = Record<string, string | number>;

export interface PlainSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Why it counts as failed. */
  readonly error: string | undefined;
  readonly attributes: Attributes;
  /** What happened at a moment. */
  readonly moments: readonly { readonly name: string; readonly atMs: number; readonly attributes: Attributes }[];
}

const MOMENTS_MOST = 100;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Nothing where whoever began the trace decided not to record it. */
export function spansOf(event: ItemEvent, origin: Origin, entries: readonly HistoryEntry[]): readonly PlainSpan[] {
  const [, givenTrace, givenSpan, flags] = TRACEPARENT.exec(origin.trace ?? "") ?? [];
  if (flags !== undefined && (Number.parseInt(flags, 16) & 1) === 0) return [];
  const startMs = origin.createdAt.getTime();
  // The same item of another installation began at another moment.
  const seed = `${event.item} ${startMs}`;
  const traceId = givenTrace ?? idOf(`${seed} trace`, 32);
  const rootId = idOf(`${seed} item`, 16);
  const child = (name: string, place: string) => ({
    ...{ traceId, name, parentId: rootId, moments: [] },
    spanId: idOf(`${seed} ${place}`, 16),
  });
  const root: PlainSpan = {
    ...{ traceId, spanId: rootId, parentId: givenSpan, name: event.pipeline, startMs },
    endMs: Math.max(startMs, event.at.getTime()),
    error: event.end === "failed" ? (event.code ?? "FAILED") : undefined,
    attributes: attributesOf({
      item: event.item,
      request: event.request,
      pipeline: event.pipeline,
      version: event.version,
      end: event.end,
      code: event.code,
    }),
    moments: entries
      .filter((entry) => entry.began === null)
      .slice(-MOMENTS_MOST)
      .map(momentOf),
  };
  return [root, ...visitsOf(entries, startMs, child)];
}

type Child = (name: string, place: string) => Omit<PlainSpan, "startMs" | "endMs" | "error" | "attributes">;

function visitsOf(entries: readonly HistoryEntry[], startMs: number, child: Child): PlainSpan[] {
  const spans: PlainSpan[] = [];
  let before = { atMs: startMs, waitsFor: "queued" };
  for (const [index, entry] of entries.entries()) {
    const endMs = entry.ended.getTime();
    if (entry.began !== null) {
      // A worker's clock and the database's may differ; nothing begins before what came before it ended.
      const beganMs = Math.min(endMs, Math.max(before.atMs, entry.began.getTime()));
      if (beganMs > before.atMs) {
        const attributes = attributesOf({ reason: before.waitsFor });
        const wait = child(`wait ${before.waitsFor}`, `wait ${index}`);
        spans.push({ ...wait, startMs: before.atMs, endMs: beganMs, error: undefined, attributes });
      }
      const visit = child(entry.from ?? "visit", `visit ${index}`);
      spans.push({ ...visit, startMs: beganMs, endMs, error: errorOf(entry), attributes: visitAttributes(entry) });
    }
    before = { atMs: Math.max(before.atMs, endMs), waitsFor: waitsFor(entry) };
  }
  return spans;
}

function waitsFor({ outcome, reason }: HistoryEntry): string {
  if (reason !== null) return reason;
  return outcome === "started" ? "outside" : "queued";
}

function errorOf({ outcome, code }: HistoryEntry): string | undefined {
  return outcome === "fault" || outcome === "crashed" ? (code ?? outcome.toUpperCase()) : undefined;
}

function visitAttributes({ from, outcome, attempt, series, reason, code, message, worker }: HistoryEntry): Attributes {
  return attributesOf({ stage: from, outcome, attempt, series, reason, code, message, worker: worker?.name });
}

function momentOf({ type, ended, from, to, reason, code, message }: HistoryEntry): PlainSpan["moments"][number] {
  return { name: type, atMs: ended.getTime(), attributes: attributesOf({ from, to, reason, code, message }) };
}

function attributesOf(facts: Record<string, string | number | null | undefined>): Attributes {
  const known = Object.entries(facts).flatMap(([name, value]) => (value == null ? [] : [[`sluice.${name}`, value]]));
  return Object.fromEntries(known) as Attributes; // fromEntries forgets that the nulls are gone
}

function idOf(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
