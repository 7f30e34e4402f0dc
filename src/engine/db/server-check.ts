// Refuses a server that would break the promises: a queue that forgets acknowledged work is worse than none.

import { SluiceError } from "../../kit/index.ts";
import type { ServerFacts } from "./server-check.sql.ts";

const OLDEST = 150_000;

/** Throws with a sentence that says what to change. */
export function checkServer(facts: ServerFacts, allowDataLoss: boolean): void {
  if (facts.version < OLDEST) {
    const version = `${Math.floor(facts.version / 10_000)}.${facts.version % 10_000}`;
    throw new SluiceError("SERVER_TOO_OLD", `PostgreSQL 15 or newer is needed, this server is ${version}`);
  }
  if (allowDataLoss) return;
  for (const name of ["fsync", "synchronous_commit"] as const) {
    if (facts[name] !== "off") continue;
    throw new SluiceError(
      "NOT_DURABLE",
      `the server runs with ${name} = off and would lose acknowledged work in a crash; turn it on, or open with allowDataLoss: true`,
    );
  }
}
