// How each pipeline fares as a whole, for a first look.

import type { Queryable } from "../db/database.ts";
import { COUNT_MOST } from "./figures.sql.ts";
import { readFigures, type StageFigures } from "./figures.ts";
import { type OwnRow, ownStanding, pipelinesTook } from "./standing.sql.ts";

export interface PipelineStanding {
  readonly pipeline: string;
  readonly queued: number;
  readonly running: number;
  readonly waiting: number;
  readonly needsYou: number;
  /** One of these counts stopped; there are more. */
  readonly isMore: boolean;
  /** Within a day. */
  readonly done: number;
  readonly failed: number;
  /** From submission to completion, of the newest items; null where none of them was completed. */
  readonly took: { readonly p50Ms: number; readonly p90Ms: number } | null;
}

/** All versions of a pipeline together; of one owner's items, where one is named. */
export async function readStanding(db: Queryable, owner: string | undefined): Promise<PipelineStanding[]> {
  if (owner !== undefined) return (await ownStanding(db, owner)).map(ownOf);
  const took = new Map((await pipelinesTook(db)).map((row) => [row.pipeline, row.took]));
  const stages = Map.groupBy(await readFigures(db), (stage) => stage.pipeline);
  return [...stages].map(([pipeline, all]) => wholeOf(pipeline, all, took.get(pipeline) ?? null));
}

function ownOf(row: OwnRow): PipelineStanding {
  const { pipeline, queued, running, waiting, asking: needsYou, done_day: done, failed_day: failed } = row;
  const isMore = row.looked >= COUNT_MOST;
  return { pipeline, queued, running, waiting, needsYou, isMore, done, failed, took: tookOf(row.took) };
}

function wholeOf(pipeline: string, stages: readonly StageFigures[], took: readonly number[] | null): PipelineStanding {
  const sum = (of: (stage: StageFigures) => number) => stages.reduce((total, stage) => total + of(stage), 0);
  // Whoever leaves a version's last stage is done.
  const isLast = (stage: StageFigures, index: number) => stages[index + 1]?.version !== stage.version;
  return {
    pipeline,
    queued: sum((stage) => stage.queued),
    running: sum((stage) => stage.running),
    waiting: sum((stage) => stage.waiting),
    needsYou: sum((stage) => stage.needsYou),
    isMore: stages.some((stage) => stage.isMore),
    done: stages.filter(isLast).reduce((total, stage) => total + stage.lastDay.passed, 0),
    failed: sum((stage) => stage.lastDay.failed),
    took: tookOf(took),
  };
}

function tookOf(took: readonly number[] | null): PipelineStanding["took"] {
  const [p50, p90] = took ?? [];
  return p50 === undefined || p90 === undefined ? null : { p50Ms: Math.round(p50), p90Ms: Math.round(p90) };
}
