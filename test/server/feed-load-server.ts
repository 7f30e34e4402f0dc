// A server that works and serves in one process, as `sluice up` does. Told where by its arguments: the database, the port.

import { openSluice } from "../../src/engine/index.ts";
import { serveSluice } from "../../src/server/serve.ts";
import { long, steps } from "./feed-load-pipelines.ts";

const [database = "", port = "0"] = process.argv.slice(2);
const note = (event: string, facts?: unknown) => void process.stderr.write(`${event} ${JSON.stringify(facts)}\n`);
const log = { info: () => {}, warn: note, error: note };
const sluice = await openSluice({
  database,
  pipelines: [steps, long],
  log,
  worker: { concurrency: 250, deadAfter: "5s", grace: "1s" },
});
const served = await serveSluice({ sluice, host: "127.0.0.1", port: Number(port), hosts: [], log, version: "0" });
process.send?.({ url: served.url });
process.once("disconnect", () => process.exit());
