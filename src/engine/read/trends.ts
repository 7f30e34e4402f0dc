// How work went over time, for pages: how many were done and failed step by step, why they failed, and what a week came to.

import { InputError, orElse } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { remainderOf } from "../explain/lengths.ts";
import { CLEANUP } from "../workers/registry.ts";
import { COUNT_MOST } from "./figures.sql.ts";
import {
  type CauseRow,
  type PointRow,
  type TrendSpan,
  trendCauses,
  trendPoints,
  trendWeek,
  type WeekRow,
} from "./trends.sql.ts";
import { type OwnWeekRow, ownTrendCauses, ownTrendPoints, ownTrendWeek } from "./trends-own.sql.ts";
import { pipelineNames } from "./versions.sql.ts";

const HOUR = 60;
const DAY = 24 * HOUR;

/** The steps begin at round times, so that the first one begins a little before the range does. */
const SPANS = {
  "1h": { back: HOUR, step: 10, sums: 10 },
  "24h": { back: DAY, step: HOUR, sums: 60 },
  "7d": { back: 7 * DAY, step: 6 * HOUR, sums: 60 },
  "30d": { back: 30 * DAY, step: DAY, sums: 60 },
} as const satisfies { readonly [range: string]: TrendSpan };

export type TrendRange = keyof typeof SPANS;

export interface TrendsOptions {
  /** Default "24h". */
  readonly range?: TrendRange | undefined;
  readonly pipeline?: string | undefined;
  /** Of this owner's items alone, the newest 10,000. */
  readonly owner?: string | undefined;
}

export interface Trends {
  readonly range: TrendRange;
  readonly stepMs: number;
  /** The beginning of each step, oldest first; the last one is not over. */
  readonly at: readonly Date[];
  /** By step. What the engine removes for itself is not among them. */
  readonly done: readonly number[];
  readonly failed: readonly number[];
  /** Those in which anything ended. */
  readonly pipelines: readonly PipelineTrend[];
  /** Of the items that failed, most frequent first. */
  readonly causes: readonly { readonly code: string; readonly count: number }[];
  /** Failures whose code is not among the causes that are told. */
  readonly otherCauses: number;
  readonly week: WeekSums;
  /** Only the newest of an owner's items were looked at; there are more. */
  readonly isMore: boolean;
}

export interface PipelineTrend {
  readonly pipeline: string;
  readonly done: readonly number[];
  readonly failed: readonly number[];
}

/** Of the last seven days. Null where it cannot be told of one owner. */
export interface WeekSums {
  readonly done: number;
  readonly failed: number;
  /** Of those that ended, from 0 to 1; null where none did. */
  readonly failureRate: number | null;
  /** From submission to completion. */
  readonly took: WeekTook | null;
  readonly stalls: number | null;
  readonly breakerOpenings: number | null;
  readonly checkpointResumes: number | null;
}

export interface WeekTook {
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
}

const CAUSES_MOST = 20;
/** Codes that were too many to be told apart, as they are stored. */
const OTHER = "";

export async function readTrends(db: Queryable, options: TrendsOptions = {}): Promise<Trends> {
  const { range = "24h", owner } = options;
  const span: TrendSpan | undefined = SPANS[range];
  if (span === undefined) throw new InputError("range", `range is one of ${Object.keys(SPANS).join(", ")}`);
  const pipeline = await knownPipeline(db, options.pipeline);
  if (owner === undefined) {
    const points = await trendPoints(db, span, pipeline);
    const causes = await trendCauses(db, span, pipeline, CAUSES_MOST);
    const week = weekOf(await trendWeek(db, pipeline));
    return { range, ...toldOf(span, points, pipeline), ...causesOf(causes), week, isMore: false };
  }
  const points = await ownTrendPoints(db, span, pipeline, owner);
  const causes = await ownTrendCauses(db, span, pipeline, owner, CAUSES_MOST);
  const week = await ownTrendWeek(db, pipeline, owner);
  const isMore = week.looked >= COUNT_MOST;
  return { range, ...toldOf(span, points, pipeline), ...causesOf(causes), week: ownWeekOf(week), isMore };
}

async function knownPipeline(db: Queryable, name: string | undefined): Promise<string | null> {
  if (name === undefined) return null;
  const known = await pipelineNames(db);
  if (!known.includes(name)) throw new InputError("pipeline", `there is no pipeline ${name}; ${orElse(name, known)}`);
  return name;
}

/** Pure. */
export function toldOf({ step }: TrendSpan, rows: readonly PointRow[], pipeline: string | null) {
  const steps = [...Map.groupBy(rows, (row) => row.at.getTime())];
  const names = [...new Set(rows.flatMap((row) => row.pipeline ?? []))].toSorted();
  const along = (of: "done" | "failed", isMeant: (name: string) => boolean) =>
    steps.map(([, all]) =>
      all.reduce((sum, row) => (row.pipeline !== null && isMeant(row.pipeline) ? sum + row[of] : sum), 0),
    );
  const isWork = (name: string) => pipeline !== null || name !== CLEANUP;
  return {
    stepMs: step * 60_000,
    at: steps.map(([at]) => new Date(at)),
    done: along("done", isWork),
    failed: along("failed", isWork),
    pipelines: names.map((name) => ({
      pipeline: name,
      done: along("done", (one) => one === name),
      failed: along("failed", (one) => one === name),
    })),
  };
}

function causesOf(rows: readonly CauseRow[]): Pick<Trends, "causes" | "otherCauses"> {
  const causes = rows.filter(({ code }) => code !== OTHER).map(({ code, times: count }) => ({ code, count }));
  return { causes, otherCauses: causes.reduce((rest, { count }) => rest - count, rows[0]?.all_times ?? 0) };
}

function rateOf(done: number, failed: number): number | null {
  return done + failed === 0 ? null : failed / (done + failed);
}

function weekOf(rows: readonly WeekRow[]): WeekSums {
  const sum = (kind: string) => rows.reduce((all, row) => (row.kind === kind ? all + row.times : all), 0);
  const took = remainderOf(new Map(rows.filter((row) => row.kind === "took").map((row) => [row.length, row.times])));
  const [done, failed] = [sum("done"), sum("failed")];
  return {
    ...{ done, failed, failureRate: rateOf(done, failed) },
    took: took.samples === 0 ? null : rounded(took.mean(), took.quantile(0.5), took.quantile(0.9)),
    ...{ stalls: sum("stall"), breakerOpenings: sum("opened"), checkpointResumes: sum("resume") },
  };
}

function ownWeekOf({ done, failed, took, mean }: OwnWeekRow): WeekSums {
  const [p50, p90] = took ?? [];
  return {
    ...{ done, failed, failureRate: rateOf(done, failed) },
    took: p50 === undefined || p90 === undefined || mean === null ? null : rounded(mean, p50, p90),
    // Of these nobody wrote down whose they were.
    ...{ stalls: null, breakerOpenings: null, checkpointResumes: null },
  };
}

const rounded = (mean: number, p50: number, p90: number): WeekTook => ({
  ...{ meanMs: Math.round(mean), p50Ms: Math.round(p50), p90Ms: Math.round(p90) },
});
