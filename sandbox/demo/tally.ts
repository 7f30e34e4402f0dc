// What happened in each stage, added up from the histories of items and their parts. Pure.

import type { HistoryEntry } from "../../src/engine/index.ts";
import type { Column } from "../../src/main/render/table.ts";

/** As much of an entry as is added up. */
export type Happened = Pick<HistoryEntry, "outcome" | "from" | "to" | "attempt" | "tookMs" | "ended" | "code">;

export interface StageTally {
  readonly stage: string;
  readonly visits: number;
  /** Times that something had to be waited for, without spending anything. */
  readonly waits: number;
  readonly retries: number;
  /** How long items, or parts, were in it. */
  readonly tookMs: readonly number[];
  /** Why it was waited or tried again, most often first. */
  readonly reasons: readonly string[];
}

export function tally(histories: readonly (readonly Happened[])[], stages: readonly string[]): StageTally[] {
  return stages.map((stage) => {
    const own = histories.map((one) => one.filter(({ from }) => from === stage));
    const all = own.flat();
    const isWait = ({ outcome, attempt }: Happened) =>
      (outcome === "fault" && attempt === null) || outcome === "wait" || outcome === "again" || outcome === "ask";
    const isRetry = ({ outcome, attempt }: Happened) => outcome === "fault" && attempt !== null;
    const troubles = all.filter((one) => isWait(one) || isRetry(one)).flatMap(({ code }) => code ?? []);
    return {
      stage,
      visits: all.filter(({ tookMs }) => tookMs !== null).length,
      waits: all.filter(isWait).length,
      retries: all.filter(isRetry).length,
      tookMs: histories.flatMap((one) => stayMs(one, stage)),
      reasons: byFrequency(troubles),
    };
  });
}

/** From entering the stage to leaving it; nothing where it is not known. */
function stayMs(history: readonly Happened[], stage: string): number[] {
  const entered = history.find(({ to }) => to === stage)?.ended;
  const left = history.findLast(({ from, to }) => from === stage && to !== stage)?.ended;
  return entered === undefined || left === undefined ? [] : [left.getTime() - entered.getTime()];
}

function byFrequency(codes: readonly string[]): string[] {
  const counted = [...Map.groupBy(codes, (code) => code)].map(([code, all]) => ({ code, count: all.length }));
  return counted.sort((a, b) => b.count - a.count).map(({ code, count }) => `${count} × ${code}`);
}

const seconds = (ms: number | undefined) => (ms === undefined ? "" : `${(ms / 1_000).toFixed(1)} s`);

export const TALLY_COLUMNS: readonly Column<StageTally>[] = [
  { title: "stage", value: ({ stage }) => stage },
  { title: "visits", value: ({ visits }) => visits, isRight: true },
  { title: "waits", value: ({ waits }) => waits, isRight: true },
  { title: "retries", value: ({ retries }) => retries, isRight: true },
  { title: "half took", value: ({ tookMs }) => seconds(middle(tookMs)), isRight: true },
  { title: "longest", value: ({ tookMs }) => seconds(tookMs.toSorted((a, b) => a - b).at(-1)), isRight: true },
  { title: "because of", value: ({ reasons }) => reasons.join(", ") },
];

function middle(times: readonly number[]): number | undefined {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}
