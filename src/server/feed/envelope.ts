// An event as subscribers get it, and what has to be known to decide who does. Pure.
//
// Outputs and inputs are never told: they may be large, and may hold what is nobody's business.

import type {
  ItemEvent,
  ItemEventType,
  LiveItem,
  OtherEvent,
  OtherEventType,
  SluiceEvent,
} from "../../engine/index.ts";
import { tenths } from "../contract/common.ts";

/** How the stage of a `job.progress` stands by it. */
export const STATUSES = [
  "queued",
  "started",
  "running",
  "waiting",
  "retrying",
  "completed",
  "skipped",
  "failed",
  "cancelled",
] as const;
export type Status = (typeof STATUSES)[number];

/** Kept and sent on as text: it is written once, however many get it. */
export interface Told {
  /** Null for what is only told while it happens. */
  readonly cursor: string | null;
  /** What it is about, as a subscriber may ask for it. */
  readonly topics: readonly string[];
  readonly item: string | null;
  /** Whose it is; null for what only those may see who see everything. */
  readonly owner: string | null;
  readonly json: string;
  /** Set for what everybody may know: how those are told who see only their own. */
  readonly common: string | undefined;
}

/** One that is in the journal. */
export interface Kept extends Told {
  readonly cursor: string;
}

/** What an event says about its stage; null where it says nothing. */
const STATUS_OF: { readonly [Type in ItemEventType]: Status | null } = {
  "item.accepted": "queued",
  "item.done": "completed",
  "item.completed": "completed",
  "item.skipped": "skipped",
  "item.again": "waiting",
  "item.waiting": "waiting",
  "item.asked": "waiting",
  "item.spawned": "waiting",
  "item.sent-back": "queued",
  "item.fault": "retrying",
  "item.crashed": "retrying",
  "item.failed": "failed",
  "item.cancelled": "cancelled",
  "item.reclaimed": "queued",
  "item.taken-back": "queued",
  "item.retried": "queued",
  "item.replayed": "queued",
  "item.answered": "queued",
  "item.signalled": "queued",
  "item.joined": "queued",
  "item.let-through": "queued",
  "item.rescheduled": "queued",
  "item.chosen": "queued",
  "item.started": "started",
  "item.seen": "running",
  "item.odd": null,
  "item.refused": null,
  "item.priority": null,
  "item.expired": null,
};

const COMMON: ReadonlySet<OtherEventType> = new Set([
  "valve.changed",
  "worker.changed",
  "service.changed",
  "rollout.changed",
  "check.changed",
]);

export function toTold(event: SluiceEvent): Kept {
  return event.item === undefined ? otherTold(event) : itemTold(event);
}

function itemTold(event: ItemEvent): Kept {
  const { cursor, type, at, item, request, owner, pipeline, version, from, to } = event;
  const { attempt, reason, code, message, worker, tookMs } = event;
  const status = STATUS_OF[type];
  const isToCome = status === "queued" || status === "started" || status === "running";
  return {
    cursor,
    topics: topicsOf(item, request, pipeline),
    item,
    owner,
    json: JSON.stringify({
      id: cursor,
      type: "job.progress",
      event: type,
      at,
      jobId: item,
      requestId: request,
      pipeline,
      version,
      stage: isToCome ? (to ?? from) : (from ?? to),
      status,
      entityType: pipeline,
      entityId: event.key ?? item,
      from,
      to,
      attempt,
      reason,
      code,
      message,
      worker: worker?.name ?? null,
      tookMs,
    }),
    common: undefined,
  };
}

/** Between events: what no row of the journal tells of, so it has no place to go on from. */
export function liveTold(live: LiveItem): Told {
  const { item, request, owner, key, pipeline, version, stage, hasBegun, progress, stageProgress, at } = live;
  return {
    cursor: null,
    topics: topicsOf(item, request, pipeline),
    item,
    owner,
    json: JSON.stringify({
      id: null,
      type: "job.progress",
      event: "item.progress",
      at,
      jobId: item,
      requestId: request,
      pipeline,
      version,
      stage,
      status: (hasBegun ? "started" : "running") satisfies Status,
      entityType: pipeline,
      entityId: key ?? item,
      progress: tenths(progress),
      stageProgress: stageProgress === null ? null : tenths(stageProgress),
    }),
    common: undefined,
  };
}

function otherTold(event: OtherEvent): Kept {
  const { cursor, type, at, reason, code, message, worker } = event;
  const about = aboutOf(event);
  const common = { id: cursor, type, at, ...about, reason, code };
  return {
    cursor,
    topics: about.pipeline === null ? [] : [`pipeline:${about.pipeline}`],
    item: null,
    // Who began an operation is in its message.
    owner: type === "operation.changed" ? message : null,
    json: JSON.stringify({ ...common, message, worker: worker?.name ?? null }),
    // A message may quote another's item: a service's error, an operator's note. What a service said is its code too.
    common: COMMON.has(type)
      ? JSON.stringify({ ...common, code: type === "service.changed" ? null : code, message: null, worker: null })
      : undefined,
  };
}

function aboutOf({ type, output, reason, worker, message }: OtherEvent) {
  const facts = new Map(typeof output === "object" && output !== null ? Object.entries(output) : []);
  const fact = (name: string) => {
    const value: unknown = facts.get(name);
    return typeof value === "string" ? value : null;
  };
  const ids: { readonly [Type in OtherEventType]: string | null } = {
    "valve.changed": reason,
    "worker.changed": worker?.name ?? message,
    "service.changed": fact("service"),
    "rollout.changed": fact("pipeline"),
    "operation.changed": fact("operation"),
    "check.changed": reason,
    "request.removed": fact("request"),
    unknown: null,
  };
  const version: unknown = facts.get("version");
  return {
    entityType: type === "unknown" ? null : type.slice(0, type.indexOf(".")),
    entityId: ids[type],
    pipeline: fact("pipeline"),
    version: typeof version === "number" ? version : null,
    stage: fact("stage"),
  };
}

function topicsOf(item: string, request: string, pipeline: string): readonly string[] {
  return [`item:${item}`, `request:${request}`, `pipeline:${pipeline}`];
}
