// How much memory a worker's process takes when it has worked off many items that another process handed in.

import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { loadContender } from "../contenders/catalogue.ts";
import { inPlace } from "../place.ts";
import { readVisits, startWorker } from "../workers.ts";
import type { Assignment, Sample, Workload } from "../workload.ts";

export const memory: Workload = {
  title: "Memory after many items",
  about:
    "One stage that does nothing. The memory that a worker's process has resident when it has worked off all items, and " +
    "the most it ever had; another process handed them in.",
  limit: "raw queue",
  columns: [
    { figure: "rss", title: "resident MB", digits: 0, isCompared: true },
    { figure: "peak", title: "peak MB", digits: 0 },
  ],
  rounds: () => 3,
  entrants: () =>
    (["raw queue", "sluice", "pg-boss", "graphile-worker", "bullmq on redis"] as const).map((contender) => ({
      label: contender,
      contender,
      items: 100_000,
      perRequest: 2_000,
    })),
  measure: measureMemory,
};

async function measureMemory({ entrant, servers }: Assignment): Promise<Sample> {
  const { contender, items, perRequest = 1 } = entrant;
  return await inPlace(servers, async (place) => {
    const task = { stages: 1, perRequest, tuned: "throughput", visit: () => {} } as const;
    const opened = await (await loadContender(contender)).open(place, task);
    await opened.submit(0, items);
    const visits = path.join(place.folder, "visits");
    const worker = await startWorker({ contender, place, tuned: "throughput", visits, handler: "nothing" });
    while (!(await opened.isEmpty())) await sleep(100);
    const status = readFileSync(`/proc/${worker.process.pid}/status`, "utf8");
    const megabytes = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
    await worker.stop();
    const seen = readVisits(visits);
    await opened.close();
    if (seen.length !== items) throw new Error(`${seen.length} visits instead of ${items}`);
    return { rss: megabytes("VmRSS"), peak: megabytes("VmHWM") };
  });
}
