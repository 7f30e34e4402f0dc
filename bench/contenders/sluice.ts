// The whole engine: a handler called per item and stage, decided, settled in batches, handed on.

import pg from "pg";
import { openSluice, type Sluice } from "../../src/engine/index.ts";
import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import type { Contender, Opened, Task } from "../contender.ts";
import { BATCH, CONNECTIONS, chunks, INSERT, spread } from "../payload.ts";
import { pipelineOf } from "./sluice-pipeline.ts";

/** Items in a worker's hands at a time. Latency is measured with the default. */
export const WINDOW = BATCH * CONNECTIONS * 2;
/** Requests that are being handed in at a time, where one carries few items. */
const SUBMITTING = 200;

export const sluice: Contender = {
  store: "postgres",
  async open(place, task) {
    const pipeline = pipelineOf(task);
    const client = await openSluice({ pipelines: [pipeline], database: place.postgres, worker: false });
    const store = new pg.Client(place.postgres);
    await store.connect();
    return openedOn(client, task, pipeline, {
      store,
      startWorker: (options) => openSluice({ pipelines: [pipeline], database: place.postgres, worker: options }),
    });
  },
};

interface Surroundings {
  readonly store: pg.Client;
  readonly startWorker: (options: { readonly concurrency?: number }) => Promise<Sluice>;
}

export function openedOn(
  client: Sluice,
  task: Task,
  pipeline: ReturnType<typeof pipelineOf>,
  { store, startWorker }: Surroundings,
): Opened {
  let worker: Sluice | undefined;
  const ask = async (sql: string): Promise<unknown> => Object.values((await store.query(sql)).rows[0])[0];
  return {
    async submit(from, count) {
      const perRequest = Math.min(task.perRequest, INSERT);
      const width = perRequest < 100 ? SUBMITTING : CONNECTIONS;
      await spread(chunks(from, count, perRequest), width, (inputs) => client.submit(pipeline, inputs));
    },
    async submitOne(payload) {
      await (worker ?? client).submit(pipeline, [payload]);
    },
    async work() {
      worker = await startWorker(task.tuned === "latency" ? {} : { concurrency: WINDOW });
    },
    isEmpty: async () => (await ask("select not exists (select from sluice.run)")) === true,
    countFinished: async () =>
      Number(await ask(`select count(*) from sluice.journal where kind = ${JOURNAL_KIND.done}`)),
    async close() {
      await worker?.close();
      await client.close();
      await store.end();
    },
  };
}
