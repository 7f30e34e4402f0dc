// How much memory a worker's process takes when it has worked off many items that another process handed in.

import { mkdtempSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "../built.ts";
import { loadContender } from "../contenders/catalogue.ts";
import { inPlace } from "../place.ts";
import { readVisits, startWorker } from "../workers.ts";
import type { Assignment, Entrant, Sample, Workload } from "../workload.ts";

const COMMON = { items: 100_000, perRequest: 2_000 } as const;
const DEFAULTS = "sluice, by default";

export const memory: Workload = {
  title: "Memory after many items",
  about:
    "One stage that does nothing. The memory that a worker's process has resident when it has worked off all items, and " +
    "the most it ever had; another process handed them in. Everybody runs as JavaScript, without flags of Node, in the same " +
    "settings as for speed; Sluice also with its defaults.",
  limit: "raw queue",
  columns: [
    { figure: "rss", title: "resident MB", digits: 0, isCompared: true },
    { figure: "peak", title: "peak MB", digits: 0 },
  ],
  rounds: () => 3,
  entrants: () => [
    ...(["raw queue", "sluice", "pg-boss", "graphile-worker", "bullmq on redis"] as const).map(
      (contender): Entrant => ({ label: contender, contender, ...COMMON }),
    ),
    { label: DEFAULTS, contender: "sluice", ...COMMON },
  ],
  measure: measureMemory,
};

async function measureMemory({ entrant, servers }: Assignment): Promise<Sample> {
  const { contender, items, perRequest = 1, label } = entrant;
  return await inPlace(servers, async (place) => {
    const task = { stages: 1, perRequest, tuned: "throughput", visit: () => {} } as const;
    const opened = await (await loadContender(contender)).open(place, task);
    await opened.submit(0, items);
    const visits = path.join(place.folder, "visits");
    const tuned = label === DEFAULTS ? "holding" : "throughput";
    const program = await build(mkdtempSync(path.join(place.folder, "built-")));
    const worker = await startWorker({ contender, place, tuned, visits, handler: "nothing" }, program);
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
