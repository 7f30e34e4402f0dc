import type { Workload } from "../workload.ts";
import { measureDrain } from "./drain.ts";

const STAGES = 4;

export const chain: Workload = {
  title: "A chain of four stages",
  about:
    "Items pass four stages whose handlers do nothing; each stage is durable before the next begins. " +
    "Time and processor time count from the first handler's entry until the store shows every item finished; " +
    "what the worker took to get there is shown beside it.",
  limit: "raw journal",
  columns: [
    { figure: "rate", title: "items/s", digits: 0, isCompared: true },
    { figure: "wal", title: "WAL B/item", digits: 0, isCompared: true },
    { figure: "images", title: "+ full pages", digits: 0 },
    { figure: "cpu", title: "CPU µs/item", digits: 0, isCompared: true },
    { figure: "clientCpu", title: "of it client", digits: 0 },
    { figure: "start", title: "start ms", digits: 0 },
  ],
  rounds: (isQuick) => (isQuick ? 2 : 5),
  entrants(isQuick) {
    const items = isQuick ? 40_000 : 100_000;
    const everyNth = isQuick ? 3 : 2;
    return [
      { label: "raw journal", contender: "raw journal", items },
      { label: "statements, 1 item per request", contender: "statements", items, perRequest: 1 },
      { label: "statements, 10 items per request", contender: "statements", items, perRequest: 10 },
      { label: "sluice, 1 item per request", contender: "sluice", items, perRequest: 1 },
      { label: "sluice, 10 items per request", contender: "sluice", items, perRequest: 10 },
      { label: "pg-boss", contender: "pg-boss", items },
      { label: "bullmq on redis", contender: "bullmq on redis", items: items / 8 },
      { label: "graphile-worker", contender: "graphile-worker", items: isQuick ? 300 : 1_500, everyNth },
      { label: "dbos", contender: "dbos", items: isQuick ? 200 : 1_000, everyNth },
      ...(isQuick
        ? []
        : [{ label: "bullmq on postgres", contender: "bullmq on postgres", items: 600, everyNth } as const]),
    ];
  },
  measure: (assignment) => measureDrain(assignment, STAGES),
};
