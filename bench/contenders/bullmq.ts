// BullMQ: a queue and a worker per stage; a stage's handler adds to the next queue. Finished jobs are kept, as by default.
// On Redis, and on PostgreSQL through its own backend.

import { createPostgresBackend, Queue, Worker, withBackend } from "bullmq";
import type { Contender, Opened, Task } from "../contender.ts";
import { chunks, type Payload } from "../payload.ts";

const BULK = 1_000;
const UNFINISHED = ["waiting", "active", "delayed", "prioritized"] as const;

/** What both backends have in common. */
interface Parts {
  queue(
    name: string,
  ): Pick<Queue<Payload>, "add" | "addBulk" | "getJobCounts" | "getCompletedCount" | "close" | "waitUntilReady">;
  worker(
    name: string,
    handle: (job: { readonly data: Payload }) => Promise<void>,
  ): Pick<Worker, "close" | "waitUntilReady">;
}

export const bullmqOnRedis: Contender = {
  store: "redis",
  async open({ redisPort }, task) {
    const connection = { host: "127.0.0.1", port: redisPort, maxRetriesPerRequest: null };
    return await openQueues(task, {
      queue: (name) => new Queue<Payload>(name, { connection }),
      worker: (name, handle) => new Worker<Payload>(name, handle, { connection, concurrency: 50 }),
    });
  },
};

export const bullmqOnPostgres: Contender = {
  store: "postgres",
  async open({ postgres }, task) {
    const backend = withBackend(createPostgresBackend);
    const connection = { connectionString: postgres, max: 20, migrate: true };
    return await openQueues(task, {
      queue: (name) => new backend.Queue<Payload>(name, { connection }),
      worker: (name, handle) => new backend.Worker<Payload>(name, handle, { connection, concurrency: 40 }),
    });
  },
};

async function openQueues(task: Task, parts: Parts): Promise<Opened> {
  const names = Array.from({ length: task.stages }, (_, stage) => `stage${stage}`);
  const queues = names.map((name) => parts.queue(name));
  const workers: Pick<Worker, "close">[] = [];
  await Promise.all(queues.map((queue) => queue.waitUntilReady()));
  const first = queues[0];
  if (first === undefined) throw new Error("a task has at least one stage");
  const sum = async (ask: (queue: (typeof queues)[number]) => Promise<number>): Promise<number> =>
    (await Promise.all(queues.map(ask))).reduce((total, one) => total + one, 0);
  return {
    async submit(from, items) {
      for (const list of chunks(from, items, BULK)) await first.addBulk(list.map((data) => ({ name: "item", data })));
    },
    async submitOne(payload) {
      await first.add("item", payload);
    },
    async work() {
      for (const [stage, name] of names.entries()) {
        const next = queues[stage + 1];
        const worker = parts.worker(name, async (job) => {
          await task.visit(job.data, stage);
          await next?.add("item", job.data);
        });
        workers.push(worker);
      }
    },
    isEmpty: async () =>
      (await sum(async (queue) =>
        Object.values(await queue.getJobCounts(...UNFINISHED)).reduce((a, b) => a + b, 0),
      )) === 0,
    countFinished: () => sum((queue) => queue.getCompletedCount()),
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}
