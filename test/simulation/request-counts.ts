// What a request says of its items is what a recount says.

import type { Counts } from "./counts.ts";
import type { Snapshot } from "./snapshot.sql.ts";
import { Violation } from "./violation.ts";

export function checkRequests(next: Snapshot, counts: Counts): void {
  const recount = new Map<string, number[]>();
  for (const [, request, state] of next.items) {
    const known = recount.get(request) ?? [0, 0, 0, 0];
    known[state] = (known[state] ?? 0) + 1;
    recount.set(request, known);
  }
  for (const [id, , , total, completed, failed, cancelled] of next.requests) {
    const [open = 0, done = 0, bad = 0, gone = 0] = recount.get(id) ?? [];
    if (total !== open + done + bad + gone || completed !== done || failed !== bad || cancelled !== gone) {
      throw new Violation(
        "counts",
        `request ${id} says ${[total, completed, failed, cancelled]}, a recount ${[open + done + bad + gone, done, bad, gone]}`,
      );
    }
  }
  counts.add("checked: counts", next.requests.length);
}
