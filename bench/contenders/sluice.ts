// The whole engine: a handler called per item and stage, decided, settled in batches, handed on.

import pg from "pg";
import { type AnyPipeline, openSluice, type Sluice, type WorkerOptions } from "../../src/engine/index.ts";
import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import type { Contender, Opened, Task } from "../contender.ts";
import { BATCH, CONNECTIONS, chunks, INSERT, type Payload, spread } from "../payload.ts";
import { pipelineOf } from "./sluice-pipeline.ts";

/** Items in a worker's hands at a time. Latency is measured with the default. */
export const WINDOW = BATCH * CONNECTIONS * 2;
/** Requests that are being handed in at a time, where one carries few items. */
const SUBMITTING = 200;

export const sluice: Contender = sluiceBeside([]);

/** The same worker, which also knows `others` and the services that they use. */
export function sluiceBeside(
  others: readonly AnyPipeline[],
  services: Readonly<Record<string, unknown>> = {},
): Contender {
  return {
    store: "postgres",
    async open(place, task) {
      const pipeline = pipelineOf(task);
      const pipelines = [pipeline, ...others];
      const open = (worker: false | WorkerOptions) =>
        openSluice({ pipelines, services, database: place.postgres, worker });
      const client = task.isWorkerOnly ? undefined : await open(false);
      const opened = openedOn(client, task, pipeline, { url: place.postgres, startWorker: open });
      const taker = async () => await (await import("./sluice-claims.ts")).sluiceTaker(place.postgres, pipelines);
      const catchUp = async () => await (await import("./sluice-surroundings.ts")).addUp(place);
      return { ...opened, taker, catchUp };
    },
  };
}

interface Surroundings {
  readonly url: string;
  readonly startWorker: (options: WorkerOptions) => Promise<Sluice>;
}

export function openedOn(
  client: Sluice | undefined,
  task: Task,
  pipeline: ReturnType<typeof pipelineOf>,
  { url, startWorker }: Surroundings,
): Opened {
  let worker: Sluice | undefined;
  const hand = async (inputs: readonly Payload[]): Promise<void> => {
    const entry = worker ?? client;
    if (entry === undefined) throw new Error("nothing is handed in where there is only a worker");
    await entry.submit(pipeline, inputs);
  };
  // Connects when it is asked: a child that a worker starts for what a dead one held has no business with the database.
  const store = new pg.Pool({ connectionString: url, max: 1 });
  store.on("error", () => {});
  const ask = async (sql: string): Promise<unknown> => Object.values((await store.query(sql)).rows[0])[0];
  return {
    async submit(from, count) {
      const perRequest = Math.min(task.perRequest, INSERT);
      const width = perRequest < 100 ? SUBMITTING : CONNECTIONS;
      await spread(chunks(from, count, perRequest), width, hand);
    },
    submitOne: (payload) => hand([payload]),
    async work() {
      worker = await startWorker(task.tuned === "throughput" ? { concurrency: WINDOW } : {});
    },
    isEmpty: async () => (await ask("select not exists (select from sluice.run)")) === true,
    countFinished: async () =>
      Number(await ask(`select count(*) from sluice.journal where kind = ${JOURNAL_KIND.done}`)),
    async close() {
      await worker?.close();
      await client?.close();
      await store.end();
    },
  };
}
