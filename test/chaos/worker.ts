// A worker of the run. The same file runs again in a child process for suspects, where openSluice never returns.

import "./pretend-host.ts";
import { openSluice } from "../../src/engine/index.ts";
import { jobsClient } from "./outside.ts";
import { pipelines } from "./pipelines.ts";

const { CHAOS_DATABASE = "", CHAOS_WORKER = "worker", CHAOS_CONCURRENCY } = process.env;
const say =
  (level: string) =>
  (event: string, facts: Record<string, unknown> = {}) =>
    console.error(JSON.stringify({ at: Date.now(), pid: process.pid, level, event, ...facts }));

const sluice = await openSluice({
  pipelines,
  services: { jobs: jobsClient },
  database: CHAOS_DATABASE,
  worker: { name: CHAOS_WORKER, concurrency: Number(CHAOS_CONCURRENCY), grace: 300 },
  log: { info: () => undefined, warn: say("warn"), error: say("error") },
});

async function leave(): Promise<void> {
  await sluice.close();
  process.exit(0);
}
process.on("SIGTERM", () => void leave());
// The run that started us is gone.
process.on("disconnect", () => process.exit(1));
process.send?.("ready");
