// What a worker's visits need of it.

import { saveCheckpointOf } from "./checkpoint.ts";
import { Deadlines } from "./deadlines.ts";
import { Gathering } from "./gathering.ts";
import type { Hands } from "./hands.ts";
import type { Held } from "./held.ts";
import type { RunningReports } from "./running-reports.ts";
import { inlineThreads } from "./threads.ts";
import type { VisitPorts } from "./visit.ts";
import type { WorkerPorts } from "./worker-ports.ts";

export function visitPortsOf(
  ports: WorkerPorts,
  hands: Hands,
  reports: RunningReports,
  lost: (held: Held, why: string) => void,
): VisitPorts {
  return {
    around: ports.around ?? [],
    clock: ports.clock,
    gathering: new Gathering(ports.clock),
    threads: ports.threads ?? inlineThreads(),
    deadlines: new Deadlines(ports.clock),
    installation: ports.installation,
    call: (...given) => ports.services.visits.call(...given),
    saveCheckpoint: (held, value) =>
      saveCheckpointOf(held, value, ports, hands, () => lost(held, "checkpoint refused")),
    reportProgress: (held, percent) => reports.progress.report(held, percent),
    noted: (held) => reports.notes.noted(held),
  };
}
