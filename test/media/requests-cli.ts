// node test/media/requests-cli.ts --requests 500 --minutes 10 [--seed S] [--keep]
//
// The media world with everything in it broken at random, and requests that have to be fulfilled all the same. Ends with one line; exits 1
// when something is missing, wrong, left behind or unexplained, or when the run proved nothing.

import { readOptions } from "./requests/options.ts";
import { details, lastLine, story, verdict } from "./requests/report.ts";
import { run } from "./requests/run.ts";

const options = readOptions(process.argv.slice(2), Math.floor(Date.now() / 1_000));
if (typeof options === "string") {
  console.error(options);
  process.exit(2);
}
const over = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => over.abort());
const began = performance.now();
const say = (line: string) => console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
try {
  const outcome = await run(options, say, over.signal);
  const reasons = verdict(outcome);
  for (const line of [...story(outcome), ...details(outcome), ...reasons.map((reason) => `FAILED: ${reason}`)])
    console.log(line);
  console.log(lastLine(outcome));
  process.exit(reasons.length === 0 && !over.signal.aborted ? 0 : 1);
} catch (error) {
  console.error(error);
  process.exit(1);
}
