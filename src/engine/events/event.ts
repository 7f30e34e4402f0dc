// What happened, as everybody outside the engine sees it. This is the one list of event types; each event is one row of
// the journal, and nothing that is not in the journal is an event.

import { formatId, type ItemId, type RequestId, type WorkerId } from "../../kit/index.ts";
import { type EndState, endStateName, type JournalKind, journalKindName } from "../items/codes.ts";
import { formatCursor } from "./cursor.ts";

/** What may happen to an item. `done` and `skipped` end a stage, `completed` the whole item. */
export type ItemEventType =
  | "item.accepted"
  | "item.done"
  | "item.skipped"
  | "item.again"
  | "item.waiting"
  | "item.sent-back"
  | "item.asked"
  | "item.spawned"
  | "item.fault"
  | "item.failed"
  | "item.completed"
  | "item.refused"
  | "item.reclaimed"
  | "item.cancelled"
  | "item.retried"
  | "item.answered"
  | "item.signalled"
  | "item.joined"
  | "item.crashed"
  | "item.rescheduled"
  | "item.started"
  | "item.seen"
  | "item.odd"
  | "item.chosen"
  | "item.let-through"
  | "item.replayed"
  | "item.taken-back"
  | "item.priority"
  | "item.expired";

/** `unknown` is a row that a newer release wrote. */
export type OtherEventType =
  | "valve.changed"
  | "worker.changed"
  | "service.changed"
  | "rollout.changed"
  | "operation.changed"
  | "check.changed"
  | "request.removed"
  | "unknown";

export type EventType = ItemEventType | OtherEventType;

interface Happening<Type extends EventType> {
  readonly type: Type;
  /** Give it to `feed` to go on right after this event. */
  readonly cursor: string;
  readonly at: Date;
  readonly reason: string | null;
  readonly code: string | null;
  readonly message: string | null;
  /** Who wrote it, where a worker did. */
  readonly worker: WorkerName | null;
  /** A stage's output, an answer, a signal's payload, a note for an earlier stage, a valve's scope. */
  readonly output: unknown;
}

export interface WorkerName {
  readonly id: WorkerId;
  readonly name: string;
}

export interface ItemHappening<Type extends EventType> extends Happening<Type> {
  readonly item: ItemId;
  readonly request: RequestId;
  /** Whose item it is. */
  readonly owner: string | null;
  /** The item's own, which it was handed in with. */
  readonly key: string | null;
  readonly pipeline: string;
  /** Of the pipeline. */
  readonly version: number;
  /** The stage it was in; null when it entered. */
  readonly from: string | null;
  /** The stage it is in from now on; null when it ended, or nothing moved. */
  readonly to: string | null;
  readonly outcome: JournalKind;
  readonly end: EndState | null;
  /** The try that ended with this, counted from 1. */
  readonly attempt: number | null;
  readonly series: number | null;
  readonly tookMs: number | null;
}

export type ItemEvent = { [Type in ItemEventType]: ItemHappening<Type> }[ItemEventType];

export type OtherEvent = { [Type in OtherEventType]: Happening<Type> & { readonly item?: undefined } }[OtherEventType];

export type SluiceEvent = ItemEvent | OtherEvent;

const TYPES: { readonly [Kind in JournalKind]: EventType } = {
  accepted: "item.accepted",
  done: "item.done",
  skip: "item.skipped",
  again: "item.again",
  wait: "item.waiting",
  back: "item.sent-back",
  ask: "item.asked",
  spawn: "item.spawned",
  fault: "item.fault",
  refused: "item.refused",
  reclaimed: "item.reclaimed",
  cancelled: "item.cancelled",
  retried: "item.retried",
  answered: "item.answered",
  signalled: "item.signalled",
  joined: "item.joined",
  crashed: "item.crashed",
  rescheduled: "item.rescheduled",
  started: "item.started",
  seen: "item.seen",
  odd: "item.odd",
  chosen: "item.chosen",
  replayed: "item.replayed",
  "taken-back": "item.taken-back",
  priority: "item.priority",
  valve: "valve.changed",
  worker: "worker.changed",
  service: "service.changed",
  rollout: "rollout.changed",
  "let-through": "item.let-through",
  operation: "operation.changed",
  check: "check.changed",
  removed: "request.removed",
  expired: "item.expired",
};

const ENDINGS: { readonly [End in EndState]: ItemEventType } = {
  done: "item.completed",
  failed: "item.failed",
  cancelled: "item.cancelled",
};

/** A journal row with the names that belong to its numbers. */
export interface JournalRow {
  readonly xid: string;
  readonly seq: string;
  readonly at: Date;
  readonly item_id: string | null;
  readonly request_id: string | null;
  readonly owner: string | null;
  readonly item_key: string | null;
  readonly pipeline: string | null;
  readonly pipeline_version: number | null;
  readonly from_stage: string | null;
  readonly to_stage: string | null;
  readonly kind: number;
  readonly ended: number;
  readonly attempt: number | null;
  readonly series: number | null;
  readonly took_ms: number | null;
  readonly reason: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly worker_id: string | null;
  readonly worker_name: string | null;
  readonly output: unknown;
}

/** How an item's end shows is decided by the end, whatever brought it about: the last stage done, a fault, a crash. */
export function eventType(kind: number, ended: number): EventType {
  const end = endStateName(ended);
  if (end !== undefined) return ENDINGS[end];
  const name = journalKindName(kind);
  return name === "unknown" ? "unknown" : TYPES[name];
}

export function workerName(row: Pick<JournalRow, "worker_id" | "worker_name">): WorkerName | null {
  if (row.worker_id === null || row.worker_name === null) return null;
  return { id: formatId("worker", row.worker_id), name: row.worker_name };
}

export function toEvent(row: JournalRow, epoch: string): SluiceEvent {
  const type = eventType(row.kind, row.ended);
  const { at, reason, code, message, output } = row;
  const happening = { cursor: formatCursor({ epoch, xid: row.xid, seq: row.seq }), at, reason, code, message, output };
  const common = { ...happening, worker: workerName(row) };
  const outcome = journalKindName(row.kind);
  if (isOther(type)) return { type, ...common };
  // A row about an item that is not there any more, or of a kind that only looks like an item's.
  if (row.item_id === null || row.request_id === null || row.pipeline === null || row.pipeline_version === null) {
    return { type: "unknown", ...common };
  }
  if (outcome === "unknown") return { type: "unknown", ...common };
  const event: ItemHappening<ItemEventType> = {
    type,
    ...common,
    item: formatId("item", row.item_id),
    request: formatId("request", row.request_id),
    owner: row.owner,
    key: row.item_key,
    pipeline: row.pipeline,
    version: row.pipeline_version,
    from: row.from_stage,
    to: row.to_stage,
    outcome,
    end: endStateName(row.ended) ?? null,
    attempt: row.attempt,
    series: row.series,
    tookMs: row.took_ms,
  };
  // One of the alternatives by its type; beyond 25 of them the compiler no longer tries each.
  return event as ItemEvent;
}

function isOther(type: EventType): type is OtherEventType {
  return !type.startsWith("item.");
}
