// What the engine checks of itself must never find anything, whatever was killed in between.

import { CHECKS } from "../../src/engine/read/checks.sql.ts";
import type { SqlSession } from "./sql-session.ts";
import { Violation } from "./violation.ts";

/** Those that hold at every moment. The others speak of what nobody did for a while, and here clocks jump. */
const ALWAYS = [
  ...(["item-without-run", "run-without-item", "run-without-place", "run-without-key"] as const),
  ...(["run-out-of-range", "wait-without-end", "request-counts", "key-of-ended", "question-of-ended"] as const),
];

export function examineItself(session: SqlSession, now: string): void {
  for (const name of ALWAYS) {
    const check = CHECKS[name];
    const [found] = session.run<{ what: string }>(check, "over" in check ? ["0", 10_000] : [], now);
    if (found !== undefined) throw new Violation("nothing forgotten", `check ${name}: ${found.what}`);
  }
}
