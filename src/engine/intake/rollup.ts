// What a request's counts and an item's place come to, for people. Pure: both are derived on read, never stored.

export interface RequestCounts {
  readonly total: number;
  readonly completed: number;
  /** Of the completed ones, those with a part that failed for good. */
  readonly partly: number;
  readonly failed: number;
  readonly cancelled: number;
}

export type RequestStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "PARTIAL" | "FAILED" | "CANCELLED";

/** `begun`: whether the work of any live item has begun. */
export function rollUp(counts: RequestCounts, begun: boolean): RequestStatus {
  const { total, completed, partly, failed, cancelled } = counts;
  if (completed + failed + cancelled < total) {
    // What ended by its own work had begun, though its run row is gone. What was cancelled may never have.
    return begun || completed + failed > 0 ? "PROCESSING" : "PENDING";
  }
  // A request without items has nothing left to do.
  if (completed === total) return partly === 0 ? "COMPLETED" : "PARTIAL";
  if (cancelled === total) return "CANCELLED";
  return completed === 0 ? "FAILED" : "PARTIAL";
}

/**
 * An item's progress over its whole pipeline, 0 to 100. Never throws: stages report what services tell them, and those
 * have been seen to say NaN, 104 and -1.
 */
export function progressOf(
  stages: readonly { readonly weight: number }[],
  stageIndex: number,
  stagePercent: number,
): number {
  let passed = 0;
  let whole = 0;
  for (const [index, stage] of stages.entries()) {
    const weight = Number.isFinite(stage.weight) ? Math.max(0, stage.weight) : 0;
    whole += weight;
    if (index < stageIndex) passed += weight;
    if (index === stageIndex) passed += weight * (clampPercent(stagePercent) / 100);
  }
  // A few parts in 10^16 over 100 come from adding up the weights in two orders.
  return whole === 0 ? 0 : clampPercent((passed / whole) * 100);
}

function clampPercent(percent: number): number {
  return Number.isNaN(percent) ? 0 : Math.min(100, Math.max(0, percent));
}
