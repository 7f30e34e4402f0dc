// Computes without ever returning to the event loop, until a file is there; leaves another one to say that it has begun.

import { existsSync, writeFileSync } from "node:fs";
import { done, type Outcome } from "../../../src/engine/pipeline/outcome.ts";
import type { Visit } from "../../../src/engine/pipeline/visit.ts";

export default function compute({ input, log }: Visit<{ file: string }>): Outcome<{ rounds: boolean }> {
  let rounds = 0;
  log.info("computing");
  writeFileSync(`${input.file}.begun`, "");
  while (!existsSync(input.file)) rounds += 1;
  return done({ rounds: rounds > 0 });
}
