import { count, length, percent } from "./format.ts";

export const overview = {
  needsYou: "Needs you",
  answer: "Answer",
  noPipelines: "No pipeline has started here yet. A worker brings its pipelines with it: sluice up pipelines.ts",
  held: "Held or switched off",
  stuck: (items: number) =>
    items === 1 ? "1 item is stuck." : `${count(items)}${items >= 100 ? "+" : ""} items are stuck.`,
  columns: {
    pipeline: "Pipeline",
    queued: "Queued",
    running: "Running",
    waiting: "Waiting",
    failed: "Failed, 24 h",
    done: "Done, 24 h",
    lately: "Lately",
    took: "Half done within / 9 of 10",
  },
  ranges: { "1h": "1 hour", "24h": "24 hours", "7d": "7 days", "30d": "30 days" },
  range: "How far back",
  throughput: "Throughput",
  series: { done: "Done", failed: "Failed" },
  throughputOf: (done: number, failed: number) => `${count(done)} done, ${count(failed)} failed`,
  asTable: "As a table",
  asChart: "As a chart",
  from: "From",
  lately: (done: number, failed: number) => `${count(done)} done and ${count(failed)} failed in the range above`,
  causes: "Failures by cause",
  noFailures: "Nothing failed.",
  otherCauses: (failures: number) => `${count(failures)} by other causes`,
  week: {
    title: "This week",
    done: (items: number) => `${count(items)} done`,
    failed: (rate: number) => `${percent(rate * 100)} failed`,
    took: (p50: number, p90: number) => `half within ${length(p50)}, nine of ten within ${length(p90)}`,
    stalls: (times: number) => (times === 1 ? "1 stall caught" : `${count(times)} stalls caught`),
    openings: (times: number) => (times === 1 ? "1 service went down" : `services went down ${count(times)} times`),
    resumes: (times: number) =>
      times === 1 ? "1 went on from its checkpoint" : `${count(times)} went on from their checkpoints`,
  },
  quiet: "Nothing needs you.",
} as const;
