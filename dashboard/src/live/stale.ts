// What an event makes stale of what the pages have asked for. Pure.

import type { Event, JobProgress } from "../../../src/server/contract/wire.ts";

export type Key = readonly string[];

const LISTS: readonly Key[] = [
  ["items"],
  ["media", "requests"],
  ["documents", "list"],
  ["documents", "about"],
  ["overview"],
];
/** Why an item waits, and what can be done about it, may hang on it: that of every item that is looked at. */
const WHYS: readonly Key[] = [["item"], ["media", "request"], ["documents", "one"], ...LISTS];

/** What a film's encodes and deliveries do is done by parts of it, whose events name themselves and not the film. */
const OF_PARTS: readonly Key[] = [
  ["media", "request"],
  ["media", "encodes"],
];
const MEDIA = "media";

const BY_TYPE: { readonly [type: string]: readonly Key[] } = {
  "valve.changed": [["pipelines"], ...WHYS],
  "worker.changed": [["workers"], ...WHYS],
  "service.changed": [["services"], ["trends"], ...WHYS],
  "rollout.changed": [["pipelines"], ...WHYS],
  "operation.changed": [["operations"], ...LISTS],
  "check.changed": [["overview"]],
  "request.removed": [["request"], ["media", "request"], ["documents", "one"], ...LISTS],
};

/** Null for everything: there was a gap. */
export function staleBy(event: Event): readonly Key[] | null {
  if (event.type === "hello" || event.type === "resync") return null;
  if (event.type === "heartbeat") return [];
  if (!isJob(event)) return BY_TYPE[event.type] ?? [];
  const own: Key[] = [
    ["item", event.jobId],
    ["media", "request", event.requestId],
    ["documents", "one", event.jobId],
  ];
  if (event.pipeline === MEDIA) own.push(...OF_PARTS);
  if (isProgress(event)) return own;
  return [
    ...own,
    ["media", "releases", event.jobId],
    ["documents", "events", event.jobId],
    ["request", event.requestId],
    ["questions"],
    ["pipelines"],
    ["failures"],
    ...LISTS,
  ];
}

export function isJob(event: Event): event is JobProgress {
  return event.type === "job.progress";
}

/** Only how far it got: told while it happens, and in no history. */
export function isProgress(event: JobProgress): boolean {
  return event.id === null;
}
