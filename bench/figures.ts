// How samples of several rounds become one figure, and how two contenders are compared.

import { type ContenderName, peers } from "./contenders/catalogue.ts";
import type { Sample, Workload } from "./workload.ts";

/** One contender in one round. */
export interface Measured {
  readonly label: string;
  readonly contender: ContenderName;
  readonly items: number;
  readonly round: number;
  readonly sample: Sample;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function valuesOf(all: readonly Measured[], label: string, figure: string): number[] {
  return all.filter((one) => one.label === label).flatMap(({ sample }) => sample[figure] ?? []);
}

/** The middle of what each round says: a round's figures share a minute of the machine, those of two rounds do not. */
export function medianRatio(all: readonly Measured[], ours: string, theirs: string, figure: string): number {
  const ratios = all
    .filter((one) => one.label === ours)
    .flatMap(({ round, sample }) => {
      const other = all.find((one) => one.label === theirs && one.round === round)?.sample[figure];
      const own = sample[figure];
      return own === undefined || other === undefined ? [] : own / other;
    });
  return median(ratios);
}

/** The label of the peer that does best in one figure, by its median. */
export function bestPeer(all: readonly Measured[], figure: string, isMore: boolean): string | undefined {
  const labels = new Set(all.filter((one) => peers.has(one.contender)).map((one) => one.label));
  const ranked = [...labels]
    .map((label) => ({ label, value: median(valuesOf(all, label, figure)) }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => (isMore ? b.value - a.value : a.value - b.value));
  return ranked[0]?.label;
}

/** A table of all contenders: medians with the lowest and the highest, and ratios to the limit. */
export function tableOf(workload: Workload, all: readonly Measured[]): string[][] {
  const labels = [...new Set(all.map((one) => one.label))];
  const head = [
    "",
    "rounds × items",
    ...workload.columns.flatMap(({ title, isCompared }) => (isCompared === undefined ? [title] : [title, "×"])),
  ];
  const rows = labels.map((label) => {
    const own = all.filter((one) => one.label === label);
    const cells = workload.columns.flatMap(({ figure, digits, isCompared }) => {
      const values = valuesOf(all, label, figure);
      const shown = values.length === 0 ? "–" : withSpread(values, digits);
      return isCompared === undefined ? [shown] : [shown, shortRatio(medianRatio(all, label, workload.limit, figure))];
    });
    return [label, `${own.length} × ${number(own[0]?.items ?? 0, 0)}`, ...cells];
  });
  return [head, ...rows];
}

function withSpread(values: readonly number[], digits: number): string {
  const middle = number(median(values), digits);
  if (values.length === 1) return middle;
  return `${middle} (${number(Math.min(...values), digits)}–${number(Math.max(...values), digits)})`;
}

export const number = (value: number, digits: number): string =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const shortRatio = (value: number): string =>
  Number.isNaN(value) ? "–" : value.toFixed(value < 0.1 ? 3 : value < 10 ? 2 : 1);
