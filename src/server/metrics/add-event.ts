// From what an event counts for to the counters themselves.

import type { ItemEvent, Origin } from "../../engine/index.ts";
import { type Counted, countedBy } from "./counted.ts";
import type { Instruments } from "./instruments.ts";
import type { KnownValues } from "./known-values.ts";

/** `origin`: undefined where the item is not there any more, or nobody needed to know. */
export function addEvent(
  instruments: Instruments,
  event: ItemEvent,
  origin: Origin | undefined,
  codes: KnownValues,
): void {
  for (const counted of countedBy(event)) {
    addOfStage(instruments, event, counted);
    // Parts are work of their item, and nobody handed them in.
    if (origin?.isPart !== true) addOfJob(instruments, event, counted, origin, codes);
  }
}

function whoseOf({ pipeline, version }: ItemEvent) {
  return { pipeline, version: String(version) };
}

function addOfStage(instruments: Instruments, event: ItemEvent, counted: Counted): void {
  if (!("worker" in counted)) return;
  const { processed, duration, errors, retries, stalls } = instruments;
  const place = { ...whoseOf(event), worker: counted.worker };
  switch (counted.what) {
    case "processed":
      processed.inc({ ...place, status: counted.status });
      duration.observe(place, counted.seconds);
      break;
    case "error":
      errors.inc({ ...place, error_type: counted.type });
      break;
    case "retry":
      retries.inc(place);
      break;
    case "stall":
      stalls.inc(place);
  }
}

function addOfJob(
  { created, completed, completion, failed }: Instruments,
  event: ItemEvent,
  counted: Counted,
  origin: Origin | undefined,
  codes: KnownValues,
): void {
  const whose = whoseOf(event);
  switch (counted.what) {
    case "created":
      created.inc(whose);
      break;
    case "failed":
      failed.inc({ ...whose, code: codes.of(counted.code) });
      break;
    case "completed":
      completed.inc(whose);
      // Removed already: then nobody knows when it began.
      if (origin !== undefined)
        completion.observe(whose, Math.max(0, event.at.getTime() - origin.createdAt.getTime()) / 1_000);
  }
}
