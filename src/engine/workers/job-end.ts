// How an outside job ended, as the row that records it.

import { checkJson, safeText } from "../../kit/index.ts";
import { VALUE_BYTES } from "../intake/limits.ts";
import type { SeenEnd } from "../items/seen.sql.ts";
import { hasMoved } from "../items/stall.ts";
import { type Fault, MESSAGE_BYTES, toFault } from "../pipeline/fault.ts";
import type { Ended, Seen } from "../pipeline/outside.ts";
import type { WatchedJob } from "./watched-job.ts";

export type WatchedEnd = SeenEnd;

type Job = Pick<WatchedJob, "id" | "version" | "ref">;

/** For a state that is an end: done, failed or missing. */
export function endOf(job: Job, seen: Seen, service: string): WatchedEnd {
  const { ref } = job;
  switch (seen.state) {
    case "done":
      return doneEnd(job, { ending: "done", service, ref, output: seen.output ?? null });
    case "failed":
      return written(job, { ending: "failed", service, ref, ...wordsOf(seen.fault) });
    default:
      return written(job, { ending: "missing", service, ref });
  }
}

export function stalledEnd(one: WatchedJob, service: string, now: number): WatchedEnd {
  const { job, ref } = one;
  const minutes = Math.max(1, Math.round((now - job.activeAt) / 60_000));
  const at = job.progress === null ? "" : ` at ${Math.round(job.progress)} %`;
  const what = hasMoved(job.marks)
    ? `nothing moved for ${minutes} min${at}`
    : `it never began to move, for ${minutes} min`;
  return written(one, { ending: "stalled", service, ref, message: `${service}: ${what}` });
}

/** What cannot be stored as an output is the job's failure, not a reason to look for ever. */
function doneEnd(job: Job, ended: Ended): WatchedEnd {
  try {
    checkJson(ended.output, { field: "output", maxBytes: VALUE_BYTES });
    return written(job, ended);
  } catch (error) {
    const { service, ref } = ended;
    return written(job, { ending: "failed", service, ref, ...wordsOf(toFault(error)) });
  }
}

function wordsOf(fault: Fault | undefined): Pick<Ended, "kind" | "code" | "message"> {
  if (fault === undefined) return {};
  const { kind, code, message } = toFault(fault);
  return { kind, code, message: safeText(message, MESSAGE_BYTES) };
}

function written(job: Job, ended: Ended): WatchedEnd {
  const { id, version } = job;
  const code = ended.ending.toUpperCase();
  return { id, version, code, message: ended.message ?? null, told: JSON.stringify(ended) };
}
