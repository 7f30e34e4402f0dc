import type { Workload } from "../workload.ts";
import { measureDrain } from "./drain.ts";

export const oneStage: Workload = {
  title: "One stage that does nothing",
  about:
    "Items are handed in as many at a time as each contender takes, and worked on by one handler that does nothing. " +
    "Handing in and working off are measured one after the other.",
  limit: "raw queue",
  columns: [
    { figure: "submitRate", title: "submitted/s", digits: 0, isCompared: true },
    { figure: "submitCpu", title: "CPU µs", digits: 0 },
    { figure: "rate", title: "drained/s", digits: 0, isCompared: true },
    { figure: "cpu", title: "CPU µs", digits: 0, isCompared: true },
    { figure: "wal", title: "WAL B", digits: 0, isCompared: true },
    { figure: "images", title: "+ full pages", digits: 0 },
    { figure: "start", title: "start ms", digits: 0 },
  ],
  rounds: (isQuick) => (isQuick ? 2 : 5),
  entrants(isQuick) {
    const items = isQuick ? 40_000 : 100_000;
    const everyNth = isQuick ? 3 : 2;
    return [
      { label: "raw queue", contender: "raw queue", items },
      { label: "sluice", contender: "sluice", items, perRequest: 2_000 },
      { label: "pg-boss", contender: "pg-boss", items },
      { label: "graphile-worker", contender: "graphile-worker", items },
      { label: "bullmq on redis", contender: "bullmq on redis", items: items / 4 },
      { label: "dbos", contender: "dbos", items: isQuick ? 500 : 2_500, everyNth },
      ...(isQuick
        ? []
        : [{ label: "bullmq on postgres", contender: "bullmq on postgres", items: 4_000, everyNth } as const]),
    ];
  },
  measure: (assignment) => measureDrain(assignment, 1),
};
