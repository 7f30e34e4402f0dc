// What the handlers of the run use: the service outside, and a note of each visit in a file that survives the process.

import { openSync, writeSync } from "node:fs";
import { Agent, request } from "node:http";
import type { ServiceClient } from "../../src/connectors/kit/service-client.ts";
import { permanent, unavailable, type Visit } from "../../src/engine/index.ts";
import type { Asked, VisitNote } from "./evidence.ts";
import type { CallAnswer, CallBody } from "./service.ts";

/** Absent in the process that only submits: it runs no handler. */
const { CHAOS_SERVICE = "0", CHAOS_JOBS = "0", CHAOS_NOTES, CHAOS_WORKER = "" } = process.env;
const notes = CHAOS_NOTES === undefined ? undefined : openSync(CHAOS_NOTES, "a");
const agent = new Agent({ keepAlive: true, maxSockets: 100 });

/** Loaded by the first who needs it: a worker starts two hundred times a run, and must not be kept from it by this. */
let loading: Promise<ServiceClient> | undefined;

function client(): Promise<ServiceClient> {
  loading ??= import("../../src/connectors/http-job/http-jobs.ts").then(({ httpJobs }) =>
    httpJobs({
      service: "jobs",
      baseUrl: `http://127.0.0.1:${CHAOS_JOBS}/api`,
      // A partition lasts for a few seconds, and an attempt has to notice it.
      limits: { connectMs: 1_000, headersMs: 1_500, totalMs: 2_000 },
    }),
  );
  return loading;
}

export const jobsClient: ServiceClient = {
  start: async (...given) => (await client()).start(...given),
  adopt: async (...given) => (await client()).adopt(...given),
  look: async (...given) => (await client()).look(...given),
  cancel: async (...given) => (await client()).cancel(...given),
  list: async (...given) => (await client()).list(...given),
};

export type ChaosVisit = Visit<Asked, unknown>;

export function note(visit: ChaosVisit, stage: string, what: VisitNote["what"], step = 0): void {
  const { pid, ppid } = process;
  const line: VisitNote = { what, at: Date.now(), pid, ppid, item: visit.item.id, stage, key: visit.key, step };
  // One write, so that lines of a worker and of its children do not mix.
  if (notes !== undefined) writeSync(notes, `${JSON.stringify(line)}\n`);
}

/** Asks the service to act; its refusals become the faults they stand for. */
export async function act(
  visit: ChaosVisit,
  stage: string,
  kind: CallBody["kind"],
  key = visit.key,
): Promise<CallAnswer> {
  const { tag, fate } = visit.input;
  const body: CallBody = {
    kind,
    key,
    item: visit.item.id,
    stage,
    tag,
    needsMending: fate === "mend",
    worker: CHAOS_WORKER,
  };
  const answer = await call(body, visit.signal);
  if (answer === "busy") throw unavailable("BUSY", "come back in a moment", { retryAfter: 150 });
  if (answer === "refused") throw permanent("REFUSED", "not before it is mended");
  return answer;
}

function call(body: CallBody, signal: AbortSignal): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host: "127.0.0.1", port: Number(CHAOS_SERVICE), method: "POST", signal });
    asked.on("error", (error) => {
      reject(signal.aborted ? signal.reason : unavailable("GONE", error.message, { retryAfter: 200 }));
    });
    asked.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("error", reject);
      // The service answers with nothing else.
      response.on("end", () => resolve(text as CallAnswer));
    });
    asked.end(JSON.stringify(body));
  });
}
