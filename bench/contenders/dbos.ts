// DBOS: one workflow per item, one step per stage, taken from a queue. There is no bulk call to hand in work: it is
// enqueued many to a transaction, as its documentation allows.

import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import type { Contender, Task } from "../contender.ts";
import { CONNECTIONS, chunks, type Payload, spread } from "../payload.ts";

const QUEUE = "bench";
const PER_COMMIT = 250;
const FOR = { name: "bench", version: "1" };

// The library keeps workflows in one registry for the whole process, so it is registered once.
let current: Task | undefined;
DBOS.registerWorkflow(
  async (payload: Payload) => {
    const task = current;
    if (task === undefined) throw new Error("no task is open");
    for (let stage = 0; stage < task.stages; stage += 1) {
      await DBOS.runStep(
        async () => {
          await task.visit(payload, stage);
          return { ok: true };
        },
        { name: `stage${stage}` },
      );
    }
  },
  { name: "chain" },
);

export const dbos: Contender = {
  store: "postgres",
  async open({ postgres: url }, task) {
    current = task;
    await DBOS.migrate(url);
    const client = await DBOSClient.create({ systemDatabaseUrl: url, applicationName: FOR.name });
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
    pool.on("error", () => {});
    const options = { queueName: QUEUE, workflowName: "chain", appVersion: FOR.version };
    const count = async (sql: string): Promise<number> => Number((await pool.query(sql)).rows[0].n);
    let isLaunched = false;
    return {
      async submit(from, items) {
        await spread(chunks(from, items, PER_COMMIT), CONNECTIONS, async (list) => {
          const connection = await pool.connect();
          await connection.query("begin");
          for (const payload of list) await client.enqueueInTransaction(connection, options, payload);
          await connection.query("commit");
          connection.release();
        });
      },
      async submitOne(payload) {
        await client.enqueue(options, payload);
      },
      async work() {
        DBOS.setConfig({
          name: FOR.name,
          systemDatabaseUrl: url,
          systemDatabasePoolSize: 10,
          applicationVersion: FOR.version,
          logLevel: "error",
        });
        await DBOS.launch();
        isLaunched = true;
        const minPollingIntervalMs = task.tuned === "latency" ? 10 : 50;
        await DBOS.registerQueue(QUEUE, { workerConcurrency: 50, minPollingIntervalMs });
      },
      isEmpty: async () =>
        (await count("select count(*) as n from dbos.workflow_status where status in ('ENQUEUED', 'PENDING')")) === 0,
      countFinished: () => count("select count(*) as n from dbos.operation_outputs"),
      async close() {
        if (isLaunched) await DBOS.shutdown();
        await client.destroy();
        await pool.end();
      },
    };
  },
};
