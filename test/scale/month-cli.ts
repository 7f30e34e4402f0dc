// node test/scale/month-cli.ts [--items 1000000]: a month at full size; npm test lives through one of 20,000 items.

import { parseArgs } from "node:util";
import { startBigServer } from "./database.ts";
import { growthOf, liveThroughMonth, whatGrew } from "./month.ts";

const { values } = parseArgs({ options: { items: { type: "string", default: "1000000" } } });
const server = await startBigServer();
try {
  const month = await liveThroughMonth(server, Number(values.items));
  const problems = whatGrew(month);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  const last = month.days.at(-1);
  const growth = growthOf(month);
  process.stdout.write(
    `${month.items} items in ${month.days.length} days: ${last?.items} left in ${Math.round((last?.bytes ?? 0) / 1e6)} MB, ` +
      `${growth.bytes.toFixed(2)} times the third week; a claim of 100 looks at ${last?.claim} pages, ${growth.claim.toFixed(2)} times; ` +
      `the longest round of retention took ${Math.round(month.slowestMs)} ms\n`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await server.stop();
}
