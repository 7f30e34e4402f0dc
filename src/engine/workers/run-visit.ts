// Where a visit runs: here, or in a child process when a dead process had the item in its hands.

import { CODEC } from "../intake/submit.sql.ts";
import { UNDECODABLE } from "../items/on-outcome.ts";
import type { VisitResult } from "../items/standing.ts";
import type { Held } from "./held.ts";
import { CLEANUP } from "./registry.ts";
import type { Crash } from "./suspects.ts";
import { type VisitPorts, visitStage } from "./visit.ts";
import type { WorkerPorts } from "./worker-ports.ts";

export async function runVisit(
  held: Held,
  ports: Pick<WorkerPorts, "visitSuspect">,
  visitPorts: VisitPorts,
): Promise<VisitResult | Crash> {
  if (held.row.codec !== CODEC) return { outcome: UNDECODABLE };
  // The engine's own code needs the database, which a child does not have; and it is not what kills processes.
  const isSuspect = held.row.suspicion > 0 && held.hops === 0 && held.place.pipeline.name !== CLEANUP;
  return isSuspect ? await ports.visitSuspect(held, visitPorts) : await visitStage(held, visitPorts);
}
