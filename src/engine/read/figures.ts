// How each stage of each pipeline version fares, for pages, metrics and comparisons of versions.

import type { Queryable } from "../db/database.ts";
import { remainderOf } from "../explain/lengths.ts";
import { type LengthRow, type StageRow, stageFigures, stageLengths } from "./figures.sql.ts";

export interface StageFigures {
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  /** Due, and in nobody's hands. */
  readonly queued: number;
  /** Being visited, or going on outside. */
  readonly running: number;
  readonly waiting: number;
  readonly needsYou: number;
  /** One of these counts stopped at 10,000; there are more. */
  readonly isMore: boolean;
  readonly lastHour: Became;
  readonly lastDay: Became;
  /** From entering to leaving, waiting included, today and yesterday; null where nobody left it. */
  readonly stay: Lengths | null;
  /** The work alone. */
  readonly work: Lengths | null;
}

/** What became of visits. Counted in steps of ten minutes, so an hour is 60 to 70 minutes. */
export interface Became {
  readonly visits: number;
  /** Items that left the stage for the next, or were done with it. */
  readonly passed: number;
  readonly faults: number;
  /** Items that failed for good. */
  readonly failed: number;
}

export interface Lengths {
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly samples: number;
}

export async function readFigures(db: Queryable): Promise<StageFigures[]> {
  const lengths = await stageLengths(db);
  return (await stageFigures(db)).map((row) => {
    const own = lengths.filter((one) => one.pipeline_id === row.pipeline_id && one.stage === row.stage);
    return { ...standing(row), stay: lengthsOf(own, "stayed"), work: lengthsOf(own, "worked") };
  });
}

function standing(row: StageRow): Omit<StageFigures, "stay" | "work"> {
  const { pipeline, version, name: stage, queued, running, asking } = row;
  return {
    ...{ pipeline, version, stage, queued, running },
    waiting: Math.max(0, row.later - asking),
    needsYou: asking,
    isMore: row.is_more,
    lastHour: { visits: row.hour_visits, passed: row.hour_passed, faults: row.hour_faults, failed: row.hour_failed },
    lastDay: { visits: row.day_visits, passed: row.day_passed, faults: row.day_faults, failed: row.day_failed },
  };
}

function lengthsOf(rows: readonly LengthRow[], which: "stayed" | "worked"): Lengths | null {
  const all = remainderOf(new Map(rows.filter((row) => row[which] > 0).map((row) => [row.length, row[which]])));
  if (all.samples === 0) return null;
  return { p50Ms: all.quantile(0.5), p90Ms: all.quantile(0.9), samples: Math.round(all.samples) };
}
