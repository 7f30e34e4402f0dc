// What running visits tell before they end, which is written on the side.

import type { Held } from "./held.ts";
import { ProgressReports } from "./progress.ts";
import { RunningNotes } from "./running-notes.ts";
import type { WorkerPorts } from "./worker-ports.ts";

export class RunningReports {
  readonly progress = new ProgressReports();
  readonly notes: RunningNotes;

  constructor(ports: Pick<WorkerPorts, "db" | "clock" | "log" | "epoch">) {
    this.notes = new RunningNotes(ports);
  }

  /** What it came to is written now, or it is no longer ours. */
  forget(held: Held): void {
    this.progress.forget(held);
    this.notes.forget(held);
  }
}
