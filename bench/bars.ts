// What the engine holds itself to, as ratios within one run.

import { bestPeer, type Measured, median, medianRatio, shortRatio, valuesOf } from "./figures.ts";

export interface Bar {
  readonly workload: string;
  readonly label: string;
  readonly figure: string;
  /** What the figure is called in a sentence. */
  readonly means: string;
  readonly is: "at least" | "at most";
  readonly bound: number;
  /** A label, the best peer by this figure, or nothing: then the figure itself is held against the bound. */
  readonly against?: string;
  /** Wished for, and no bar. */
  readonly isAim?: true;
  /** Below it the command fails. Others are shown: they hang on peers and on the machine. */
  readonly isBinding?: true;
}

export const BEST_PEER = "the best peer";

const statements = ["statements, 1 item per request", "statements, 10 items per request"];
const sluices = ["sluice, 1 item per request", "sluice, 10 items per request"];
const chain = { workload: "chain", against: "raw journal" } as const;

const oneStage = { workload: "one-stage", label: "sluice", is: "at least" } as const;
const across = { workload: "latency-across", label: "sluice", is: "at most" } as const;
const flat = { workload: "backlog", is: "at most", bound: 1.2, against: "sluice, 10 k queued" } as const;
const valve = { workload: "valves", label: "sluice, 1 M queued", is: "at most" } as const;
const atRest = { workload: "watching", label: "sluice, 10 k jobs at rest", is: "at most" } as const;
const another = { workload: "recovery", label: "sluice" } as const;
const restart = { workload: "recovery-restart", label: "sluice" } as const;
const atAll = { is: "at most", bound: 0 } as const;
const growth = { figure: "rate", means: "speed", is: "at least", against: "sluice, 1 process" } as const;

export const bars: readonly Bar[] = [
  { ...oneStage, figure: "submitRate", means: "handing in", bound: 1.1, against: BEST_PEER },
  { ...oneStage, figure: "rate", means: "working off", bound: 1.1, against: BEST_PEER },
  { ...oneStage, figure: "submitRate", means: "handing in", bound: 0.65, against: "raw queue", isAim: true },
  { ...oneStage, figure: "rate", means: "working off", bound: 0.65, against: "raw queue", isAim: true },
  { ...across, figure: "p50", means: "p50", bound: 1.2, against: "raw notify" },
  { ...across, figure: "p95", means: "p95", bound: 1.3, against: "raw notify" },
  // Ahead of everybody who stores in PostgreSQL.
  ...["pg-boss", "graphile-worker", "bullmq on postgres", "dbos"].map(
    (against): Bar => ({ ...across, figure: "p50", means: "p50", bound: 1, against }),
  ),
  { ...across, workload: "latency", figure: "p50", means: "p50", bound: 1, against: "bullmq on redis" },
  { ...another, figure: "all", means: "seconds until all are back", is: "at most", bound: 12 },
  { ...another, figure: "back", means: "items that came back", is: "at least", bound: 50 },
  { ...atRest, figure: "rows", means: "rows written in a round", bound: 0 },
  { ...atRest, figure: "core", means: "% of a core", bound: 5 },
  {
    ...atRest,
    label: "sluice, 10 k jobs that get on",
    figure: "perChange",
    means: "WAL B for a changed job",
    bound: 100,
  },
  { ...restart, figure: "all", means: "seconds until all are back", is: "at most", bound: 2 },
  { ...restart, figure: "back", means: "items that came back", is: "at least", bound: 50 },
  ...["1 M queued", "1 M not due", "1 M held", "an old snapshot"].flatMap((what): Bar[] => [
    { ...flat, label: `sluice, ${what}`, figure: "claim", means: "a claim" },
    { ...flat, label: `sluice, ${what}`, figure: "cpu", means: "processor time" },
  ]),
  { ...valve, figure: "rows", means: "rows written", bound: 5 },
  { ...valve, figure: "buffers", means: "buffers touched", bound: 100 },
  ...statements.flatMap((label): Bar[] => [
    { ...chain, label, figure: "rate", means: "speed", is: "at least", bound: 0.6, isBinding: true },
    { ...chain, label, figure: "log", means: "WAL with full pages", is: "at most", bound: 1.35, isBinding: true },
  ]),
  // Or it would be no limit, but SQL that somebody wrote in a hurry.
  { ...chain, label: "raw journal", figure: "rate", means: "speed", is: "at least", bound: 4, against: "pg-boss" },
  ...sluices.map(
    (label): Bar => ({
      ...{ workload: "embedded", label, figure: "rate", means: "speed", is: "at least", bound: 5 },
      against: BEST_PEER,
    }),
  ),
  ...["sluice", "sluice, by default"].map(
    (label): Bar => ({ workload: "memory", label, figure: "rss", means: "MB resident", is: "at most", bound: 150 }),
  ),
  { ...growth, workload: "processes", label: "sluice, 8 processes", bound: 0.7 },
  { ...growth, workload: "processes-compute", label: "sluice, 4 processes", bound: 1.6 },
  ...["processes", "processes-compute"].flatMap((workload): Bar[] => [
    { ...atAll, workload, label: "sluice, 8 processes", figure: "twice", means: "items claimed twice" },
    { ...atAll, workload, label: "sluice, 8 processes", figure: "deadlocks", means: "deadlocks" },
  ]),
  ...sluices.flatMap((label): Bar[] => [
    { ...chain, label, figure: "rate", means: "speed", is: "at least", bound: 3, against: BEST_PEER },
    { ...chain, label, figure: "rate", means: "speed", is: "at least", bound: 0.6 },
    { ...chain, label, figure: "wal", means: "WAL", is: "at most", bound: 1.4 },
    { ...chain, label, figure: "cpu", means: "processor time", is: "at most", bound: 2 },
  ]),
];

export interface Verdict {
  readonly bar: Bar;
  readonly value: number;
  readonly isMet: boolean;
  readonly word: "met" | "missed" | "short of the aim";
  readonly sentence: string;
}

/** Of every bar of a workload whose figures are there. */
export function judge(name: string, all: readonly Measured[]): Verdict[] {
  return bars
    .filter((bar) => bar.workload === name)
    .flatMap((bar) => {
      const isMore = bar.is === "at least";
      const against = bar.against === BEST_PEER ? bestPeer(all, bar.figure, isMore) : bar.against;
      if (bar.against !== undefined && against === undefined) return [];
      const value =
        against === undefined
          ? median(valuesOf(all, bar.label, bar.figure))
          : medianRatio(all, bar.label, against, bar.figure);
      if (Number.isNaN(value)) return [];
      const isMet = isMore ? value >= bar.bound : value <= bar.bound;
      const of = against === undefined ? "" : ` × ${bar.against === BEST_PEER ? `${against} (best peer)` : against}`;
      const wish = bar.isAim ? "aimed at" : `wanted ${bar.is}`;
      const sentence = `${bar.label}: ${bar.means} ${shortRatio(value)}${of}, ${wish} ${bar.bound}`;
      const word = isMet ? "met" : bar.isAim ? "short of the aim" : "missed";
      return [{ bar, value, isMet, word, sentence }];
    });
}
