// The real client: the five functions over the HTTP job API of wire.ts.

import { transient } from "../../engine/index.ts";
import { InputError } from "../../kit/index.ts";
import {
  type CallOptions,
  type GuardedClient,
  type GuardedClientOptions,
  guardedClient,
  type Listed,
  type Seen,
  type ServiceClient,
} from "../kit/index.ts";
import { batches, LOOK_LIMIT } from "./batches.ts";
import { isJobId, readJobs, readPage, readStarted, toSeen, type WireJob } from "./wire.ts";

export interface HttpJobsOptions extends Omit<GuardedClientOptions, "egress" | "baseUrl" | "redirects"> {
  readonly baseUrl: string;
  /** Jobs per call of `look`, and per page of `list`. */
  readonly perCall?: number;
}

/** A service that never ends its list would keep us for ever. */
const MOST_PAGES = 1_000;

export function httpJobs(options: HttpJobsOptions): ServiceClient {
  const { perCall = LOOK_LIMIT, ...rest } = options;
  if (!Number.isInteger(perCall) || perCall < 1)
    throw new InputError("perCall", `perCall must be 1 or more, got ${perCall}`);
  const http = guardedClient({ ...rest, egress: "lan", redirects: "none" });
  return {
    start: ({ key, input }, call) =>
      http.json(
        { method: "POST", url: "jobs", headers: { "idempotency-key": headerText(key) }, json: { input }, ...call },
        readStarted,
      ),
    adopt: (key, call) => adopt(http, key, call),
    look: (refs, call) => look(http, refs, perCall, call),
    cancel: (ref, call) => cancel(http, ref, call),
    list: (prefix, call) => list(http, prefix, perCall, call),
  };
}

/** Anything else cannot stand in a header, or not unchanged. */
function headerText(key: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw new InputError("key", "key must be 1 to 200 visible ASCII characters");
  return key;
}

async function adopt(http: GuardedClient, key: string, call?: CallOptions): Promise<string | null> {
  const jobs = await http.json({ url: `jobs?key=${encodeURIComponent(key)}`, ...call }, readJobs);
  // A service that knows no `key` answers with everything it has; taking up somebody else's job would be worst.
  const ours = jobs.filter((job) => job.key === key);
  return (ours.find(({ status }) => status !== "failed") ?? ours[0])?.id ?? null;
}

async function look(
  http: GuardedClient,
  refs: readonly string[],
  perCall: number,
  call?: CallOptions,
): Promise<readonly Seen[]> {
  // What cannot be an id was not given out by this service, and must not reach a query.
  const known = refs.filter(isJobId);
  const jobs = new Map<string, WireJob>();
  for (const batch of batches(known, perCall)) {
    const answer = await http.json({ url: `jobs?ids=${encodeURIComponent(batch.join(","))}`, ...call }, readJobs);
    for (const job of answer) jobs.set(job.id, job);
  }
  return refs.map((ref) => {
    const job = jobs.get(ref);
    return job === undefined ? { ref, state: "missing" } : toSeen(job, http.service);
  });
}

async function cancel(http: GuardedClient, ref: string, call?: CallOptions): Promise<void> {
  if (!isJobId(ref)) throw new InputError("ref", "ref is no id of a job");
  const answer = await http.send({ method: "DELETE", url: `jobs/${encodeURIComponent(ref)}`, ...call });
  const isGone = answer.status === 404 || answer.status === 410;
  if (!isGone && (answer.status < 200 || answer.status >= 300)) throw http.faultOf(answer, "DELETE jobs/…");
}

async function list(
  http: GuardedClient,
  prefix: string,
  perCall: number,
  call?: CallOptions,
): Promise<readonly Listed[]> {
  const found = new Map<string, Listed>();
  const seen = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const from = after === undefined ? "" : `&after=${encodeURIComponent(after)}`;
    const url = `jobs?prefix=${encodeURIComponent(prefix)}&limit=${perCall}${from}`;
    const { jobs, next } = await http.json({ url, ...call }, readPage);
    // Foreign jobs would be cancelled as forgotten ones of ours.
    for (const job of jobs) if (job.key.startsWith(prefix)) found.set(job.ref, job);
    if (next === undefined) return [...found.values()];
    if (seen.has(next)) break;
    seen.add(next);
    after = next;
  }
  const { service } = http;
  throw transient("BAD_ANSWER", `the list of ${service} does not end`, { service });
}
