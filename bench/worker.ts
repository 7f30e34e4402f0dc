// node bench/worker.ts WORK: a worker in a process of its own, for workloads that need several processes. Whom it visits
// it writes to a file, line by line: also what it starts itself can write there, and a killed process loses no line.

import { openSync, writeSync } from "node:fs";
import { compute } from "./compute.ts";
import type { Place, Task } from "./contender.ts";
import { type ContenderName, loadContender } from "./contenders/catalogue.ts";
import { now } from "./payload.ts";

export interface Work {
  readonly contender: ContenderName;
  readonly place: Place;
  readonly tuned: Task["tuned"];
  /** Where visits are written: index and time of the machine's monotonic clock. */
  readonly visits: string;
  /** What a handler does: nothing, hold its item for ever, or compute. */
  readonly handler: "nothing" | "hold" | "compute";
  /** How much it computes, the same in every process. */
  readonly turns?: number;
}

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error("what is to be done is given as JSON");
// Written by our own workloads alone.
const work = JSON.parse(given) as Work;
// Opened once: opening it for each line took longer than a visit, and processes waited for each other.
const visits = openSync(work.visits, "a");
const contender = await loadContender(work.contender);
const opened = await contender.open(work.place, {
  stages: 1,
  perRequest: 1,
  tuned: work.tuned,
  isWorkerOnly: true,
  visit({ index }) {
    writeSync(visits, `${index} ${now()}\n`);
    switch (work.handler) {
      case "nothing":
        return;
      case "hold":
        return new Promise(() => {});
      case "compute":
        compute(work.turns ?? 0);
        return;
    }
  },
});
await opened.work();
process.send?.("working");
// The one who started it says when it is enough.
process.on("disconnect", () => process.exit(0));
