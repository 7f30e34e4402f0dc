// node test/scale/cli.ts [--rows 1000000] [--claims 200000]: the cost of a claim at full size; npm test does a tenth of it.

import { parseArgs } from "node:util";
import { measureClaims, tooDear } from "./claim-cost.ts";
import { startBigServer } from "./database.ts";

const { values } = parseArgs({
  options: { rows: { type: "string", default: "1000000" }, claims: { type: "string", default: "200000" } },
});
const server = await startBigServer();
try {
  const cost = await measureClaims(server, Number(values.rows), Number(values.claims));
  const problems = tooDear(cost);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    `${values.rows} queued, ${values.rows} deferred, ${values.rows} behind a closed valve: claiming 100 looks at ${cost.many} pages ` +
      `(${cost.few} with 10000 rows), ${cost.oldSnapshot} after ${values.claims} claims under an old snapshot (${cost.withoutFloor} without a floor)\n`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await server.stop();
}
