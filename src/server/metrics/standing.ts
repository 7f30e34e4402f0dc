// What is read at the time of a scrape: how many stand where. Everything here is a read with a limit.

import type {
  CallLengths,
  RequestFigures,
  Resumes,
  ServiceUser,
  Sluice,
  StageFigures,
  StuckItem,
} from "../../engine/index.ts";
import type { Instruments } from "./instruments.ts";
import { NONE } from "./stored-histogram.ts";

export type StandingReader = Pick<
  Sluice,
  "figures" | "requestFigures" | "stuck" | "callLengths" | "resumes" | "serviceUsers"
>;

/** What a scrape shows besides the counters; read together, shown together. */
export interface Standing {
  readonly figures: readonly StageFigures[];
  readonly requests: readonly RequestFigures[];
  readonly stuck: readonly StuckItem[];
  readonly calls: readonly CallLengths[];
  readonly resumes: readonly Resumes[];
  readonly users: readonly ServiceUser[];
}

/** One after the other: a scrape is not worth more than one of the database's connections. */
export async function readStanding(sluice: StandingReader): Promise<Standing> {
  return {
    figures: await sluice.figures(),
    requests: await sluice.requestFigures(),
    stuck: await sluice.stuck(),
    calls: await sluice.callLengths(),
    resumes: await sluice.resumes(),
    users: await sluice.serviceUsers(),
  };
}

export function showStanding(
  instruments: Instruments,
  standing: Standing,
  now: number,
  serviceName: (service: string) => string,
): void {
  const { items, depth, requests, stuck, calls, resumes } = instruments;
  for (const each of [items, depth, requests, stuck, resumes]) each.reset();
  for (const { pipeline, version, stage, queued, running, waiting, needsYou } of standing.figures) {
    const place = { pipeline, version: String(version), stage };
    depth.set(place, queued);
    items.set({ ...place, status: "queued" }, queued);
    items.set({ ...place, status: "running" }, running);
    items.set({ ...place, status: "waiting" }, waiting);
    items.set({ ...place, status: "needs-you" }, needsYou);
  }
  for (const { pipeline, version, status, requests: count } of standing.requests)
    requests.set({ pipeline, version: String(version), status }, count);
  for (const { pipeline, version, stage, explanation } of standing.stuck) {
    const age = ageOf(explanation.since === null ? 0 : now - explanation.since.getTime());
    stuck.inc({ pipeline, version: String(version), stage, status: explanation.state, age });
  }
  for (const { pipeline, version, stage, times } of standing.resumes)
    resumes.inc({ pipeline: pipeline ?? NONE, version: String(version ?? NONE), worker: stage ?? NONE }, times);
  calls.set(standing.calls, serviceName);
}

const HOUR_MS = 3_600_000;
const AGES: readonly (readonly [name: string, ms: number])[] = [
  ["7d", 168 * HOUR_MS],
  ["24h", 24 * HOUR_MS],
  ["6h", 6 * HOUR_MS],
];

/** The longest of 1h, 6h, 24h and 7d that it has reached; an hour is what makes it stuck. */
export function ageOf(ms: number): string {
  return AGES.find(([, least]) => ms >= least)?.[0] ?? "1h";
}
