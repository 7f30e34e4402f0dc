// When will it be done? From how long others stayed in the stages that lie ahead. Pure.
//
//   likely   the medians of what is left, added up
//   late     that, and the root of the summed squares of each stage's way from its median to its 90th percentile
//
// So one stage alone is told exactly, every further one adds to both, and `late` is what nine of ten keep as long as stages
// do not slow down together. (Adding up the 90th percentiles would say how long it takes when everything goes badly at
// once, which for six stages happens to one in a million.)
//
// The stage an item is in counts with what is left of it, given how long it has been there. Work outside that tells its
// progress is judged by its own pace as well, the more the further it is.

import { describeDuration } from "../../kit/index.ts";
import { type Counts, remainderOf, samplesIn, UNKNOWN_SIZE } from "./lengths.ts";

/** With fewer that went before, nothing is said. */
export const SAMPLES_LEAST = 5;
/** Below this a pace is noise. */
const PROGRESS_LEAST = 3;

/** What was seen of one stage, by size class. */
export interface StageHistory {
  readonly name: string;
  readonly bySize: ReadonlyMap<number, Counts>;
}

export interface Way {
  /** The stage it is in, and those behind it. */
  readonly stages: readonly StageHistory[];
  /** The class of its own size, where that is known. */
  readonly size: number;
  /** For how long it has been in its stage. */
  readonly inStageMs: number;
  /** How far its work outside is, in percent, and since when that goes on; null where there is none, or it tells nothing. */
  readonly pace: { readonly progress: number; readonly forMs: number } | null;
}

export interface Range {
  readonly likelyMs: number;
  readonly lateMs: number;
  /** Of the stage that fewest went through. */
  readonly samples: number;
}

export type NoEstimate =
  | "ended"
  | "needs-you"
  | "blocked"
  | "stalled"
  | "waiting"
  | "overdue"
  | "too-few-samples"
  | "unknown";

export interface Unknown {
  readonly because: NoEstimate;
  /** Where that is about a stage. */
  readonly stage: string | null;
}

interface Rest {
  readonly likely: number;
  readonly late: number;
  readonly samples: number;
}

export function estimate(way: Way): Range | Unknown {
  let likelyMs = 0;
  let squares = 0;
  let samples = Number.POSITIVE_INFINITY;
  for (const [index, stage] of way.stages.entries()) {
    const rest = index === 0 ? restOfOwn(stage, way) : restOfStage(stage, way.size, 0);
    if ("because" in rest) return rest;
    likelyMs += rest.likely;
    squares += (rest.late - rest.likely) ** 2;
    samples = Math.min(samples, rest.samples);
  }
  if (!Number.isFinite(samples)) return { because: "unknown", stage: null };
  return { likelyMs, lateMs: likelyMs + Math.sqrt(squares), samples };
}

function restOfStage(stage: StageHistory, size: number, sinceMs: number): Rest | Unknown {
  const counts = countsFor(stage, size);
  const all = samplesIn(counts);
  if (all < SAMPLES_LEAST) return { because: "too-few-samples", stage: stage.name };
  const rest = remainderOf(counts, sinceMs);
  // Nobody before it took so long: whatever is said now would be made up.
  if (rest.samples < 1) return { because: "overdue", stage: stage.name };
  return { likely: rest.quantile(0.5), late: rest.quantile(0.9), samples: all };
}

function restOfOwn(stage: StageHistory, way: Way): Rest | Unknown {
  const before = restOfStage(stage, way.size, way.inStageMs);
  const { pace } = way;
  if (pace === null || !(pace.progress >= PROGRESS_LEAST) || !(pace.forMs > 0)) return before;
  const share = Math.min(100, pace.progress) / 100;
  const own = (pace.forMs * (1 - share)) / share;
  // Alone, a pace may turn out half as fast; the further it is, the less is left to go wrong.
  if ("because" in before)
    return { likely: own, late: own * (2 - share), samples: samplesIn(countsFor(stage, way.size)) };
  const likely = share * own + (1 - share) * before.likely;
  return { likely, late: likely + (1 - share) * Math.max(before.late - before.likely, own), samples: before.samples };
}

/** Of its own size and the neighbouring ones, where enough of those went before; else of all. */
function countsFor(stage: StageHistory, size: number): Counts {
  if (size !== UNKNOWN_SIZE) {
    const near = merged([...stage.bySize].filter(([of]) => of !== UNKNOWN_SIZE && Math.abs(of - size) <= 1));
    if (samplesIn(near) >= SAMPLES_LEAST) return near;
  }
  return merged([...stage.bySize]);
}

function merged(parts: readonly (readonly [number, Counts])[]): Counts {
  const sum = new Map<number, number>();
  for (const [, counts] of parts) {
    for (const [length, count] of counts) sum.set(length, (sum.get(length) ?? 0) + count);
  }
  return sum;
}

/** "about 20–45 min", "about 2 h", "less than a minute": as coarse as it is meant. */
export function rangeWords({ likelyMs, lateMs }: Pick<Range, "likelyMs" | "lateMs">): string {
  if (lateMs < MINUTE) return "less than a minute";
  const low = coarse(likelyMs);
  const high = coarse(lateMs);
  if (low === high) return `about ${high}`;
  const [lowAmount, lowUnit] = low.split(" ");
  const [, highUnit, ...more] = high.split(" ");
  const isShort = lowUnit === highUnit && more.length === 0 && low.split(" ").length === 2;
  return `about ${isShort ? lowAmount : low}${isShort ? "–" : " to "}${high}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Nobody believes "23 min 41 s". */
function coarse(ms: number): string {
  if (ms < MINUTE) return "1 min";
  const steps: readonly (readonly [below: number, step: number])[] = [
    [10 * MINUTE, MINUTE],
    [2 * HOUR, 5 * MINUTE],
    [12 * HOUR, 30 * MINUTE],
    [2 * DAY, HOUR],
  ];
  const step = steps.find(([below]) => ms < below)?.[1] ?? DAY;
  return describeDuration(Math.max(step, Math.round(ms / step) * step));
}
