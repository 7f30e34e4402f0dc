import type { Workload } from "../workload.ts";
import { measureDrain } from "./drain.ts";

export const embedded: Workload = {
  title: "The chain without a server",
  about:
    "The chain of four stages where the contender brings its own database, in an empty folder. " +
    "Open: from nothing to tables that take work, so a first start is included.",
  limit: "raw journal on pglite",
  columns: [
    { figure: "rate", title: "items/s", digits: 0, isCompared: true },
    { figure: "open", title: "open ms", digits: 0 },
    { figure: "start", title: "start ms", digits: 0 },
    { figure: "rss", title: "resident MB", digits: 0 },
  ],
  rounds: (isQuick) => (isQuick ? 2 : 5),
  entrants(isQuick) {
    const items = isQuick ? 4_000 : 30_000;
    return [
      { label: "raw journal on pglite", contender: "raw journal on pglite", items },
      { label: "sluice, 1 item per request", contender: "sluice embedded", items, perRequest: 1 },
      { label: "sluice, 10 items per request", contender: "sluice embedded", items, perRequest: 10 },
      { label: "pg-boss on pglite", contender: "pg-boss on pglite", items },
    ];
  },
  measure: (assignment) => measureDrain(assignment, 4),
};
