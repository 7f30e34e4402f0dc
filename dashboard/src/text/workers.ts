import { count } from "./format.ts";

const START = "Start one: sluice worker pipelines.ts";

export const workers = {
  none: `No worker has been here. ${START}`,
  idle: {
    label: "Nobody works",
    none: "No worker is running.",
    late: "No worker has been heard from lately.",
    waiting: (items: number, isMore: boolean, isOwn: boolean) => {
      const of = isOwn ? " of yours" : "";
      if (isMore) return `More than ${count(items)} items${of} wait.`;
      return items === 1 ? `1 item${of} waits.` : `${count(items)} items${of} wait.`;
    },
    remedy: `Everything goes on when a worker runs. ${START}`,
  },
  states: { alive: "Works", late: "Not heard from", left: "Stopped", dead: "Gone" },
  help: {
    alive: "",
    left: "Stopped in order.",
    late: {
      others: "Not heard from for a few beats; if it stays so, others take over.",
      alone: "Not heard from for a few beats; if it stays so, what it has in hand waits until a worker runs.",
    },
    dead: {
      others: "Others take over what it had in hand.",
      alone: "What it had in hand waits until a worker runs.",
    },
    empty: "It has nothing in hand any more.",
  },
  columns: {
    worker: "Worker",
    state: "State",
    beat: "Last heard",
    items: "Has in hand",
    serves: "Serves",
    since: "Since",
  },
  allStages: "all stages",
} as const;
