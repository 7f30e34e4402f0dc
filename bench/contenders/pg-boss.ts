// pg-boss: a queue per stage, handlers that take a whole batch, inserts of a batch, woken by notifications. A stage's
// handler inserts into the next queue and returns; the batch is completed after that, in a commit of its own.

import pg from "pg";
import { type ConstructorOptions, type Job, PgBoss } from "pg-boss";
import type { Contender, Opened, Task } from "../contender.ts";
import { chunks, INSERT, type Payload, spread } from "../payload.ts";

/** The fastest of what was tried: larger batches and more of them at once gain nothing. */
const BATCH_SIZE = 1_000;

export const pgBoss: Contender = {
  store: "postgres",
  async open(place, task) {
    const store = new pg.Client(place.postgres);
    await store.connect();
    return await openBoss(
      { connectionString: place.postgres },
      { task, workers: 2, rows: async (sql) => (await store.query(sql)).rows, close: () => store.end() },
    );
  },
};

interface Setting {
  readonly task: Task;
  /** How many batches of a queue are worked on at a time. */
  readonly workers: number;
  readonly rows: (sql: string) => Promise<Record<string, unknown>[]>;
  readonly close: () => Promise<void>;
}

export async function openBoss(options: ConstructorOptions, setting: Setting): Promise<Opened> {
  const { task, rows } = setting;
  const boss = new PgBoss({ ...options, schedule: false, useListenNotify: true });
  // Anything it complains of spoils the run.
  boss.on("error", (error) => {
    throw error;
  });
  await boss.start();
  const queues = Array.from({ length: task.stages }, (_, stage) => `stage${stage}`);
  for (const queue of queues) await boss.createQueue(queue, { notify: true });
  const insert = async (stage: number, list: readonly Payload[]): Promise<void> => {
    await boss.insert(
      `stage${stage}`,
      list.map((data) => ({ data })),
    );
  };
  const handle = (stage: number) => async (jobs: Job<Payload>[]) => {
    await Promise.all(jobs.map((job) => task.visit(job.data, stage)));
    if (stage + 1 < task.stages)
      await insert(
        stage + 1,
        jobs.map((job) => job.data),
      );
  };
  const count = async (states: string): Promise<number> =>
    Number((await rows(`select count(*)::int as n from pgboss.job where state ${states}`))[0]?.n);
  return {
    submit: (from, items) => spread(chunks(from, items, INSERT), 3, (list) => insert(0, list)),
    submitOne: (payload) => insert(0, [payload]),
    async work() {
      const options =
        task.tuned === "latency"
          ? { pollingIntervalSeconds: 0.5 }
          : {
              batchSize: BATCH_SIZE,
              localConcurrency: setting.workers,
              burstWhenBatchFull: true,
              pollingIntervalSeconds: 0.5,
              notifyPollingIntervalSeconds: 0.5,
            };
      for (const [stage, queue] of queues.entries()) await boss.work<Payload>(queue, options, handle(stage));
    },
    isEmpty: async () => (await count("< 'completed'")) === 0,
    countFinished: () => count("= 'completed'"),
    taker: async () => ({
      async take() {
        const [queue = ""] = queues;
        const [job] = await boss.fetch(queue, { batchSize: 1 });
        if (job === undefined) throw new Error("nothing was there to be claimed");
        return async () => void (await boss.complete(queue, job.id));
      },
      close: async () => {},
    }),
    async close() {
      await boss.stop({ graceful: true, close: true });
      await setting.close();
    },
  };
}
