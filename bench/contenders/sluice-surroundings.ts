// Items that a worker must not look at: not due for a month, or behind a service that is down.

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { openPostgres } from "../../src/engine/db/postgres.ts";
import { definePipeline, openSluice, service, unavailable } from "../../src/engine/index.ts";
import { tally } from "../../src/engine/workers/tally.ts";
import type { Place, Task } from "../contender.ts";
import { CONNECTIONS, chunks, INSERT, spread } from "../payload.ts";
import type { Among } from "../workload.ts";
import { sluiceBeside } from "./sluice.ts";
import { pipelineOf } from "./sluice-pipeline.ts";

/** Its service never answers. */
export const waiting = definePipeline("waiting", { version: 1, input: z.object({ index: z.number() }) }).stage("call", {
  uses: service("away"),
  run: () => {
    throw unavailable("AWAY", "nobody answers");
  },
});

/** Of better priority than everything that is measured. */
const PRIORITY = 1;

export async function surround(place: Place, task: Task, { deferred = 0, held = 0 }: Among): Promise<void> {
  const pipeline = pipelineOf(task);
  const client = await openSluice({ pipelines: [pipeline, waiting], database: place.postgres, worker: false });
  const later = { delay: "30d", priority: PRIORITY } as const;
  await spread(chunks(0, deferred, INSERT), CONNECTIONS, (inputs) => client.submit(pipeline, inputs, later));
  const first = { priority: PRIORITY } as const;
  await spread(chunks(0, held, INSERT), CONNECTIONS, (inputs) => client.submit(waiting, inputs, first));
  await client.close();
  if (held > 0) await openBreaker(place);
}

/** What was handed in counts in figures, which a worker adds up behind everybody: two microseconds a row, for a million rows. */
export async function addUp(place: Place): Promise<void> {
  const db = openPostgres({ url: place.postgres, connections: 1 });
  while ((await tally(db, { sized: [], sizeOf: () => 0 })) > 0);
  await db.close();
}

/** A worker meets the service, until nobody goes there any more. */
async function openBreaker(place: Place): Promise<void> {
  const worker = await openSluice({ pipelines: [waiting], database: place.postgres, services: { away: {} } });
  while (!(await worker.services()).some((one) => one.state === "down")) await sleep(50);
  await worker.close();
}

/** A worker that would work on them, too. */
export const sluiceBesideWhatWaits = sluiceBeside([waiting], { away: {} });
