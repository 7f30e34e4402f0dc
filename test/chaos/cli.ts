// npm run chaos -- --seconds N [--seed S] [--concurrency C] [--keep]
//
// Four workers, a PostgreSQL server and a job service, all real, all mistreated, beside one process that nobody touches.
// Ends with one line; exits 1 when a promise was broken, or when the run proved nothing.

import { readOptions } from "./options.ts";
import { details, jobsLine, lastLine, story, verdict } from "./report.ts";
import { run } from "./run.ts";
import type { Undo } from "./world.ts";

const options = readOptions(process.argv.slice(2), Math.floor(Date.now() / 1_000));
if (typeof options === "string") {
  console.error(options);
  process.exit(2);
}

const undone: Undo[] = [];
let undoing: Promise<void> | undefined;

/** Last in, first out; one that fails does not keep the others from it. */
function cleanUp(): Promise<void> {
  undoing ??= (async () => {
    for (const undo of undone.splice(0).reverse()) {
      try {
        await undo();
      } catch (error) {
        console.error("while cleaning up:", error);
      }
    }
  })();
  return undoing;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => void cleanUp().then(() => process.exit(130)));
}

let code = 1;
try {
  const outcome = await run(
    options,
    (what) => undone.push(what),
    (line) => console.log(line),
  );
  const reasons = verdict(outcome);
  for (const line of [...story(outcome), ...details(outcome), ...reasons.map((reason) => `FAILED: ${reason}`)])
    console.log(line);
  await cleanUp();
  console.log(jobsLine(outcome));
  console.log(lastLine(outcome));
  code = reasons.length === 0 ? 0 : 1;
} catch (error) {
  await cleanUp();
  console.error(error);
}
process.exit(code);
