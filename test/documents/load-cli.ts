// node test/documents/load-cli.ts [--uploads 2000] [--clients 20] [--workers 3] [--kill-every 5000] [--least-seconds 30]
//   [--outage-seconds 0] [--minutes 20]
//
// Uploads while the gateway flaps and a worker is killed every few seconds. Ends with 1 where something is lost, done twice or not as it was
// injected.

import { parseArgs } from "node:util";
import { runLoad } from "./load.ts";

const { values } = parseArgs({
  options: {
    uploads: { type: "string", default: "2000" },
    clients: { type: "string", default: "20" },
    workers: { type: "string", default: "3" },
    "kill-every": { type: "string", default: "5000" },
    "least-seconds": { type: "string", default: "30" },
    "outage-seconds": { type: "string", default: "0" },
    minutes: { type: "string", default: "20" },
  },
});

const report = await runLoad({
  ...{ uploads: Number(values.uploads), clients: Number(values.clients), workers: Number(values.workers) },
  ...{ killEveryMs: Number(values["kill-every"]), withinMs: Number(values.minutes) * 60_000 },
  ...{ leastMs: Number(values["least-seconds"]) * 1_000, outageMs: Number(values["outage-seconds"]) * 1_000 },
});
const { taken, complete, failed, kills, opened, broken, hung, faults, alerts, resolved, seconds, problems } = report;
process.stdout.write(
  [
    `${taken} documents taken: ${complete} complete, ${failed} failed`,
    `${kills} workers killed; the gateway broke ${broken} times, hung ${hung} times, ${faults} tries were spent`,
    `the breaker opened ${opened} times; ${alerts} alerts, ${resolved} of them resolved; ${seconds} s\n`,
  ].join("\n"),
);
for (const problem of problems) process.stdout.write(`  ${problem}\n`);
process.stdout.write(problems.length === 0 ? "nothing lost, nothing twice\n" : `${problems.length} problems\n`);
if (problems.length > 0) process.exitCode = 1;
