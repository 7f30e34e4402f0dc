// How a request stands, from how its items do. What looks for a series' episodes is bookkeeping: it is counted nowhere, but while it
// is under way the request is, and where it found nothing the request has failed. Pure.

import { progressOf, type RequestCounts, type RequestStatus, rollUp, type StageFacts } from "../../../engine/index.ts";
import type { StandingRow } from "./card-items.sql.ts";

const [LIVE, DONE, FAILED, CANCELLED] = [0, 1, 2, 3];

export interface RequestStanding {
  readonly status: RequestStatus;
  readonly counts: RequestCounts;
  /** The mean over what was not cancelled, in percent. */
  readonly progress: number;
}

export type StagesOf = (pipeline: {
  readonly name: string;
  readonly version: number;
}) => readonly StageFacts[] | undefined;

export function standingOf(rows: readonly StandingRow[], partly: number, stagesOf: StagesOf): RequestStanding {
  const of = (pipeline: StandingRow["pipeline"], state?: number) =>
    rows.filter((row) => row.pipeline === pipeline && (state === undefined || row.end_state === state));
  const sum = (some: readonly StandingRow[]) => some.reduce((all, { items }) => all + items, 0);
  const counts = {
    total: sum(of("media")),
    completed: sum(of("media", DONE)),
    partly,
    failed: sum(of("media", FAILED)),
    cancelled: sum(of("media", CANCELLED)),
  };
  const hasBegun = of("media", LIVE).some((row) => row.was_begun);
  const asks = { live: sum(of("media-series", LIVE)), failed: sum(of("media-series", FAILED)) };
  const status = statusOf(counts, hasBegun, { ...asks, cancelled: sum(of("media-series", CANCELLED)) });
  return { status, counts, progress: progressOver(of("media"), stagesOf) };
}

interface Asks {
  readonly live: number;
  readonly failed: number;
  readonly cancelled: number;
}

function statusOf(counts: RequestCounts, hasBegun: boolean, asks: Asks): RequestStatus {
  const { total, completed, failed } = counts;
  if (asks.live > 0) return hasBegun || completed + failed > 0 ? "PROCESSING" : "PENDING";
  if (total === 0) {
    if (asks.failed > 0) return "FAILED";
    // All that was asked for was there already.
    return asks.cancelled > 0 ? "CANCELLED" : "COMPLETED";
  }
  const status = rollUp(counts, hasBegun);
  return status === "COMPLETED" && asks.failed > 0 ? "PARTIAL" : status;
}

function progressOver(rows: readonly StandingRow[], stagesOf: StagesOf): number {
  let [items, sum] = [0, 0];
  for (const row of rows.filter(({ end_state }) => end_state !== CANCELLED)) {
    items += row.items;
    sum += row.items * progressIn(row, stagesOf, row.progress / row.items);
  }
  return items === 0 ? 0 : Math.min(100, sum / items);
}

/** Of one that stands so. */
export function progressIn(
  { end_state, version, stages, stage }: Pick<StandingRow, "end_state" | "version" | "stages" | "stage">,
  stagesOf: StagesOf,
  percent: number,
): number {
  if (end_state === DONE) return 100;
  return progressOf(stagesOf({ name: "media", version }) ?? stages.map(() => ({ weight: 1 })), stage ?? 0, percent);
}
