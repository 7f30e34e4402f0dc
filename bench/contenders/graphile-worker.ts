// graphile-worker with its local queue and batched completion, its fastest configuration. A stage's task adds the job of
// the next one; there is no batching for that. It deletes what is finished.

import { Logger, makeWorkerUtils, type Runner, run, type TaskList } from "graphile-worker";
import pg from "pg";
import type { Contender } from "../contender.ts";
import { chunks, INSERT, type Payload, spread } from "../payload.ts";

const POOL = 12;

const quiet = new Logger(() => (level, message) => {
  if (level === "error") process.stderr.write(`${message}\n`);
});

export const graphileWorker: Contender = {
  store: "postgres",
  async open({ postgres: connectionString }, task) {
    const store = new pg.Pool({ connectionString, max: POOL });
    // A database that is dropped ends its connections; the library wants to see both handlers.
    store.on("error", () => {});
    store.on("connect", (client) => client.on("error", () => {}));
    const utils = await makeWorkerUtils({ pgPool: store, logger: quiet });
    await utils.migrate();
    const tasks: TaskList = {};
    for (let stage = 0; stage < task.stages; stage += 1) {
      tasks[`stage${stage}`] = async (given, helpers) => {
        // Payloads are ours alone.
        const payload = given as Payload;
        await task.visit(payload, stage);
        if (stage + 1 < task.stages) await helpers.addJob(`stage${stage + 1}`, payload);
      };
    }
    let runner: Runner | undefined;
    return {
      submit: (from, items) =>
        spread(chunks(from, items, INSERT), 3, (list) =>
          utils.addJobs(list.map((payload) => ({ identifier: "stage0", payload }))),
        ),
      async submitOne(payload) {
        await utils.addJob("stage0", payload);
      },
      async work() {
        const worker =
          task.tuned === "latency"
            ? { concurrentJobs: 10 }
            : {
                concurrentJobs: 200,
                localQueue: { size: 2_000, refetchDelay: { durationMs: 10 } },
                completeJobBatchDelay: 0,
              };
        runner = await run({
          preset: { worker },
          pgPool: store,
          taskList: tasks,
          noHandleSignals: true,
          logger: quiet,
        });
      },
      isEmpty: async () =>
        (await store.query("select not exists (select from graphile_worker.jobs) as empty")).rows[0].empty === true,
      countFinished: async () => undefined,
      async close() {
        await runner?.stop();
        await utils.release();
        await store.end();
      },
    };
  },
};
