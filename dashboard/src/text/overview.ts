export const overview = {
  needsYou: "Needs you",
  answer: "Answer",
  noPipelines:
    "No pipeline has started here yet. A worker brings its pipelines with it: sluice up --module ./pipeline.ts",
  columns: {
    pipeline: "Pipeline",
    queued: "Queued",
    running: "Running",
    waiting: "Waiting",
    failed: "Failed, 24 h",
    done: "Done, 24 h",
    took: "Half done within / 9 of 10",
  },
} as const;
