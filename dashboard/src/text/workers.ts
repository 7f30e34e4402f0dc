import { count } from "./format.ts";

export const workers = {
  none: "No worker has been here. Start one: sluice worker pipelines.ts",
  states: { alive: "Works", late: "Not heard of", left: "Stopped", dead: "Gone" },
  stateHelp: {
    alive: "",
    late: "Not heard of for a few beats; if it stays so, others take over.",
    left: "Stopped in order.",
    dead: "Others took over what it had in its hands.",
  },
  columns: {
    worker: "Worker",
    state: "State",
    beat: "Last heard",
    items: "Has in hand",
    serves: "Serves",
    since: "Since",
  },
  items: (items: number) => count(items),
  allStages: "all stages",
  former: "Former",
} as const;
