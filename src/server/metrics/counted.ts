// What an event adds to which counter. Pure: this is the whole meaning of the counters.

import type { ItemEvent, SluiceEvent } from "../../engine/index.ts";

/** The stage's name, as the word is used in metrics: what searches, what downloads. */
export type Counted =
  | { readonly what: "processed"; readonly worker: string; readonly status: Processed; readonly seconds: number }
  | { readonly what: "error"; readonly worker: string; readonly type: ErrorType }
  | { readonly what: "retry"; readonly worker: string }
  | { readonly what: "stall"; readonly worker: string }
  | { readonly what: "created" | "completed" }
  | { readonly what: "failed"; readonly code: string };

/**
 * What a visit came to: the stage is done with the item; it went wrong; the item waits for somebody or something; an earlier stage
 * has it again.
 */
export type Processed = "success" | "failed" | "waiting" | "sent_back";

/** `permanent`: no further try, because none would help or none is left. `crash`: its process died under it. */
export type ErrorType = "transient" | "permanent" | "unavailable" | "crash";

/** Nothing for what concerns no item. */
export function countedBy(event: SluiceEvent): readonly Counted[] {
  if (event.item === undefined) return [];
  return [...visitOf(event), ...errorOf(event), ...jobOf(event)];
}

function visitOf(event: ItemEvent): readonly Counted[] {
  const status = processedAs(event);
  if (event.from === null || event.tookMs === null || status === undefined) return [];
  return [{ what: "processed", worker: event.from, status, seconds: event.tookMs / 1_000 }];
}

function processedAs(event: ItemEvent): Processed | undefined {
  switch (event.outcome) {
    case "done":
    case "skip":
      return "success";
    case "crashed":
      return "failed";
    case "fault":
      return errorType(event) === "unavailable" ? "waiting" : "failed";
    case "back":
      return "sent_back";
    // What came of it was not wanted any more: somebody else has the item.
    case "refused":
      return undefined;
    default:
      return "waiting";
  }
}

/** A fault that spent no try is somebody else's: the item waits for them. */
function errorType(event: ItemEvent): ErrorType {
  if (event.outcome === "crashed") return "crash";
  if (event.end !== null) return "permanent";
  return event.attempt === null ? "unavailable" : "transient";
}

function errorOf(event: ItemEvent): readonly Counted[] {
  const worker = event.from ?? event.to ?? "";
  switch (event.outcome) {
    case "fault":
    case "crashed": {
      const type = errorType(event);
      const isTriedAgain = event.end === null && type !== "unavailable";
      return [{ what: "error", worker, type }, ...(isTriedAgain ? [{ what: "retry", worker } as const] : [])];
    }
    // Somebody asked for it.
    case "retried":
      return [{ what: "retry", worker }];
    case "seen":
      return event.code === "STALLED" ? [{ what: "stall", worker }] : [];
    default:
      return [];
  }
}

function jobOf(event: ItemEvent): readonly Counted[] {
  switch (event.type) {
    case "item.accepted":
      return [{ what: "created" }];
    case "item.completed":
      return [{ what: "completed" }];
    case "item.failed":
      return [{ what: "failed", code: event.code ?? "UNKNOWN" }];
    default:
      return [];
  }
}
