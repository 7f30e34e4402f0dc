// Where a visit runs: here, or in a child process when a dead process had the item in its hands.

import { CODEC } from "../intake/entering.sql.ts";
import { UNDECODABLE } from "../items/on-outcome.ts";
import type { VisitResult } from "../items/standing.ts";
import type { Held } from "./held.ts";
import { CLEANUP } from "./registry.ts";
import type { Crash } from "./suspects.ts";
import { beginVisit, type VisitPorts } from "./visit.ts";
import type { WorkerPorts } from "./worker-ports.ts";

/** Calls `ended` once, after it has returned. */
export function runVisit(
  held: Held,
  ports: Pick<WorkerPorts, "visitSuspect">,
  visitPorts: VisitPorts,
  ended: (result: VisitResult | Crash) => void,
): void {
  // The engine's own code needs the database, which a child does not have; and it is not what kills processes.
  const isSuspect = held.row.suspicion > 0 && held.hops === 0 && held.place.pipeline.name !== CLEANUP;
  if (held.row.codec !== CODEC) queueMicrotask(() => ended({ outcome: UNDECODABLE }));
  else if (isSuspect) void ports.visitSuspect(held, visitPorts).then(ended);
  else beginVisit(held, visitPorts, ended);
}
