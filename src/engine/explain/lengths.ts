// Times on a scale of steps, each about a fifth longer than the one before: 153 steps reach from a millisecond to ten years,
// and no time is off by more than that fifth. Counts by step are small, add up, and keep quantiles.
//
// Pure. The steps are stored (`sluice.stay.length`), so they never change.

const STEPS_PER_DOUBLING = 4;
export const LENGTH_HIGHEST = 160;

/** Which step a time falls on; 0 is less than a millisecond. */
export function lengthOf(ms: number): number {
  if (!(ms >= 1)) return 0;
  return Math.min(LENGTH_HIGHEST, 1 + Math.floor(Math.log2(ms) * STEPS_PER_DOUBLING));
}

/** The shortest time on a step. */
export function startOf(length: number): number {
  return length <= 0 ? 0 : 2 ** ((length - 1) / STEPS_PER_DOUBLING);
}

export function endOf(length: number): number {
  return startOf(length + 1);
}

/** How often each step was seen. */
export type Counts = ReadonlyMap<number, number>;

export function samplesIn(counts: Counts): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/**
 * What is left of these times for one that has lasted `sinceMs` already: those that were over by then do not count, and of
 * the step it stands in only the rest does. `samples` tells how much that is worth.
 */
export interface Remainder {
  readonly samples: number;
  quantile(share: number): number;
  /** Within a step times are taken to lie evenly; 0 where there are none. */
  mean(): number;
}

export function remainderOf(counts: Counts, sinceMs = 0): Remainder {
  const since = Math.max(0, sinceMs);
  const steps = [...counts]
    .map(([length, count]) => restOf(length, count, since))
    .filter((step) => step.weight > 0)
    .sort((a, b) => a.from - b.from);
  const samples = steps.reduce((sum, step) => sum + step.weight, 0);
  return {
    samples,
    quantile: (share) => quantileOf(steps, samples * Math.min(1, Math.max(0, share))),
    mean: () => meanOf(steps, samples),
  };
}

interface Step {
  /** From now on. */
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

function restOf(length: number, count: number, since: number): Step {
  const start = startOf(length);
  const end = endOf(length);
  const from = Math.max(start, since);
  return {
    from: from - since,
    to: Math.max(from, end) - since,
    weight: (count * Math.max(0, end - from)) / (end - start),
  };
}

/** Within a step times are taken to lie evenly. */
function quantileOf(steps: readonly Step[], weight: number): number {
  let passed = 0;
  for (const step of steps) {
    if (passed + step.weight >= weight) return step.from + ((step.to - step.from) * (weight - passed)) / step.weight;
    passed += step.weight;
  }
  return steps.at(-1)?.to ?? 0;
}

function meanOf(steps: readonly Step[], samples: number): number {
  const sum = steps.reduce((all, { from, to, weight }) => all + (weight * (from + to)) / 2, 0);
  return samples === 0 ? 0 : sum / samples;
}

/** Sizes are told apart by doublings; -1 where a size is not known or makes no sense. */
export function sizeClass(size: unknown): number {
  if (typeof size !== "number" || !(size >= 0) || size === Number.POSITIVE_INFINITY) return UNKNOWN_SIZE;
  return size < 1 ? 0 : Math.min(62, 1 + Math.floor(Math.log2(size)));
}

export const UNKNOWN_SIZE = -1;
