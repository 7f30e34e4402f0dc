// How throughput grows with worker processes: the queue is filled, all workers start, and the whole takes until every
// item was visited once. Started processes are waited for with an empty queue, so that starting them is not measured.

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { loadContender } from "../contenders/catalogue.ts";
import { inPlace } from "../place.ts";
import { readVisits, startWorker, untilVisited } from "../workers.ts";
import type { Assignment, Entrant, Sample, Workload } from "../workload.ts";

const LIMIT_MS = 300_000;
const COUNTS = [1, 2, 4, 8] as const;
/** For each process, before anything is measured: all of them run compiled code then, not only the one that has everything to do. */
const WARM_UP = 4_000;
const COMPUTES =
  " It does a fixed amount of work, as much as took a millisecond before the run, and the same in every process.";

export function processes(handler: "nothing" | "compute"): Workload {
  const does = handler === "nothing" ? "does nothing" : "computes for a millisecond";
  return {
    title: `More worker processes, a handler that ${does}`,
    about:
      `One stage whose handler ${does}, worked on by 1, 2, 4 and 8 processes that are up and warm before the items come. ` +
      `Items per second from the first visit to the last.${handler === "compute" ? COMPUTES : ""}`,
    limit: "sluice, 1 process",
    columns: [
      { figure: "rate", title: "items/s", digits: 0, isCompared: true },
      { figure: "twice", title: "claimed twice", digits: 0 },
      { figure: "deadlocks", title: "deadlocks", digits: 0 },
    ],
    rounds: (isQuick) => (isQuick ? 1 : 3),
    entrants: () =>
      COUNTS.map(
        (count): Entrant => ({
          label: `sluice, ${count} process${count === 1 ? "" : "es"}`,
          contender: "sluice",
          items: handler === "nothing" ? 40_000 : 5_000,
          processes: count,
        }),
      ),
    measure: (assignment) => measureProcesses(assignment, handler),
  };
}

async function measureProcesses(
  { entrant, servers, turns }: Assignment,
  handler: "nothing" | "compute",
): Promise<Sample> {
  const { contender, items, processes: count = 1 } = entrant;
  return await inPlace(servers, async (place, admin) => {
    const opened = await (await loadContender(contender)).open(place, {
      stages: 1,
      perRequest: 500,
      tuned: "throughput",
      visit: () => {},
    });
    const visits = path.join(place.folder, "visits");
    const work = { contender, place, tuned: "throughput", visits, handler, turns } as const;
    const workers = await Promise.all(Array.from({ length: count }, () => startWorker(work)));
    const warmUp = handler === "nothing" ? WARM_UP * count : 0;
    await opened.submit(0, warmUp);
    await untilVisited(visits, (list) => list.length >= warmUp, LIMIT_MS);
    while (!(await opened.isEmpty())) await sleep(20);
    await opened.submit(warmUp, items);
    await untilVisited(visits, (list) => list.length >= warmUp + items, LIMIT_MS);
    const all = readVisits(visits);
    await Promise.all(workers.map((worker) => worker.stop()));
    await opened.close();
    const distinct = new Set(all.map((one) => one.index)).size;
    if (distinct !== warmUp + items) throw new Error(`${distinct} items were visited instead of ${warmUp + items}`);
    const seen = all.filter((one) => one.index >= warmUp);
    const times = seen.map((one) => one.at).toSorted((a, b) => a - b);
    return {
      rate: (items / ((times.at(-1) ?? 0) - (times[0] ?? 0))) * 1000,
      twice: all.length - distinct,
      deadlocks: await deadlocksIn(place.postgres, admin),
    };
  });
}

/** A session tells what it has met when it ends, at the latest. */
async function deadlocksIn(url: string, admin: pg.Client): Promise<number> {
  const name = new URL(url).pathname.slice(1);
  const ask = async (sql: string): Promise<number> => (await admin.query(sql, [name])).rows[0].n;
  while ((await ask("select count(*)::int as n from pg_stat_activity where datname = $1")) > 0) await sleep(20);
  return await ask("select deadlocks::int as n from pg_stat_database where datname = $1");
}
