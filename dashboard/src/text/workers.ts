export const workers = {
  none: "No worker has been here. Start one: sluice worker pipelines.ts",
  states: { alive: "Works", late: "Not heard from", left: "Stopped", dead: "Gone" },
  stateHelp: {
    alive: "",
    late: "Not heard from for a few beats; if it stays so, others take over.",
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
  allStages: "all stages",
} as const;
