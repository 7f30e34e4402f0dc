// How long an item waits that nobody else stands before: from the call that hands it in to its handler, including that it
// is stored.

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Opened, Place } from "../contender.ts";
import { loadContender } from "../contenders/catalogue.ts";
import { now, payload } from "../payload.ts";
import { inPlace } from "../place.ts";
import { readVisits, startWorker } from "../workers.ts";
import type { Assignment, Column, Sample, Workload } from "../workload.ts";

const LIMIT_MS = 30_000;
/** Handed in without pauses, before anything is measured: compiled code and warm connections are what a process has that is up for a while. */
const WARM_UP = 500;

const COLUMNS: readonly Column[] = [
  { figure: "p50", title: "p50 ms", digits: 2, isCompared: true },
  { figure: "p95", title: "p95 ms", digits: 2, isCompared: true },
  { figure: "p99", title: "p99 ms", digits: 2 },
  { figure: "worst", title: "worst ms", digits: 1 },
];

export const latencyInProcess: Workload = {
  ...common("in the same process"),
  measure: measureInProcess,
};

export const latencyEmbedded: Workload = {
  ...common("in the same process"),
  title: "Idle latency without a server",
  about:
    "One item at a time is handed in to a contender that brings its own database, in an empty folder. Open: from nothing to " +
    "tables that take work, so a first start is included.",
  limit: "pg-boss on pglite",
  columns: [{ figure: "open", title: "open ms", digits: 0 }, ...COLUMNS],
  rounds: (isQuick) => (isQuick ? 1 : 3),
  entrants: (isQuick) =>
    (["sluice", "pg-boss on pglite"] as const).map((label) => ({
      label,
      contender: label === "sluice" ? "sluice embedded" : label,
      items: isQuick ? 60 : 200,
    })),
  measure: measureInProcess,
};

async function measureInProcess({ entrant, servers }: Assignment): Promise<Sample> {
  return await inPlace(servers, async (place) => {
    const contender = await loadContender(entrant.contender);
    const entered = new Map<number, number>();
    const before = now();
    const opened = await contender.open(place, {
      stages: 1,
      perRequest: 1,
      tuned: "latency",
      visit: ({ index }) => void entered.set(index, now()),
    });
    const open = now() - before;
    await opened.work();
    const sample = await sampleLatency(opened, entrant.items, (index) => entered.get(index));
    await opened.close();
    return { open, ...sample };
  });
}

export const latencyAcrossProcesses: Workload = {
  ...common("in another process"),
  measure: (assignment) => inPlace(assignment.servers, (place) => measureAcross(assignment, place)),
};

async function measureAcross({ entrant }: Assignment, place: Place): Promise<Sample> {
  const contender = await loadContender(entrant.contender);
  const opened = await contender.open(place, { stages: 1, perRequest: 1, tuned: "latency", visit: () => {} });
  const visits = path.join(place.folder, "visits");
  const worker = await startWorker({
    contender: entrant.contender,
    place,
    tuned: "latency",
    visits,
    handler: "nothing",
  });
  const sample = await sampleLatency(
    opened,
    entrant.items,
    (index) => readVisits(visits).find((one) => one.index === index)?.at,
  );
  await worker.stop();
  await opened.close();
  return sample;
}

/** One after the other, with pauses of different length, so that nothing can fall into step with a poll. */
async function sampleLatency(
  opened: Opened,
  count: number,
  enteredAt: (index: number) => number | undefined,
): Promise<Sample> {
  const latencies: number[] = [];
  for (let index = 0; index < count + WARM_UP; index += 1) {
    if (index >= WARM_UP) await sleep(25 + ((index * 7) % 25));
    const at = now();
    await opened.submitOne(payload(index, at));
    while (enteredAt(index) === undefined) {
      if (now() - at > LIMIT_MS) throw new Error(`item ${index} was not visited`);
      await sleep(2);
    }
    if (index >= WARM_UP) latencies.push((enteredAt(index) ?? Number.NaN) - at);
  }
  while (!(await opened.isEmpty())) await sleep(2);
  const finished = (await opened.countFinished()) ?? count + WARM_UP;
  if (finished !== count + WARM_UP) throw new Error(`the store shows ${finished} items instead of ${count + WARM_UP}`);
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: sorted.at(-1) ?? 0 };
}

function common(where: string): Omit<Workload, "measure"> {
  return {
    title: `Idle latency, handler ${where}`,
    about:
      `One item at a time is handed in while nothing else happens; its handler is ${where}. ` +
      "Milliseconds from before the call to the handler's entry, so storing it is included.",
    limit: "raw notify",
    columns: COLUMNS,
    rounds: (isQuick) => (isQuick ? 1 : 3),
    entrants(isQuick) {
      const items = isQuick ? 60 : 200;
      return [
        { label: "raw notify", contender: "raw queue", items },
        { label: "sluice", contender: "sluice", items },
        { label: "pg-boss", contender: "pg-boss", items },
        { label: "graphile-worker", contender: "graphile-worker", items },
        { label: "bullmq on redis", contender: "bullmq on redis", items },
        ...(isQuick
          ? []
          : ([
              { label: "bullmq on postgres", contender: "bullmq on postgres", items },
              { label: "dbos", contender: "dbos", items, everyNth: 2 },
            ] as const)),
      ];
    },
  };
}
