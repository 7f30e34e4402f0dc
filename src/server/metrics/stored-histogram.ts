// A histogram whose counts were added up elsewhere. The library's own can only be observed into, one value at a time.

import type { CallLengths } from "../../engine/index.ts";

/** Powers of two milliseconds, for on these the stored steps end: no count is split. */
const BELOW_SECONDS = [4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536].map((ms) => ms / 1_000);

/** For what is no pipeline's: an empty label would be none at all. */
export const NONE = "none";

export interface StoredHistogram {
  readonly name: string;
  set(lengths: readonly CallLengths[], serviceName: (service: string) => string): void;
  get(): Promise<{
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly values: readonly Value[];
  }>;
}

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export function storedHistogram(name: string, help: string): StoredHistogram {
  let values: readonly Value[] = [];
  return {
    name,
    set: (lengths, serviceName) => {
      values = merged(lengths, serviceName).flatMap((one) => valuesOf(name, one));
    },
    get: async () => ({ name, help, type: "histogram", values }),
  };
}

interface Merged {
  readonly labels: Readonly<Record<string, string>>;
  readonly all: CallLengths[];
}

/** Services beyond the number that is shown share a name, and a series may be there only once. */
function merged(lengths: readonly CallLengths[], serviceName: (service: string) => string): Merged[] {
  const series = new Map<string, Merged>();
  for (const one of lengths) {
    const labels = {
      service: serviceName(one.service),
      pipeline: one.pipeline ?? NONE,
      version: String(one.version ?? NONE),
    };
    const key = JSON.stringify(labels);
    const known: Merged = series.get(key) ?? { labels, all: [] };
    known.all.push(one);
    series.set(key, known);
  }
  return [...series.values()];
}

function valuesOf(name: string, { labels, all }: Merged): Value[] {
  const steps = all.flatMap((one) => one.steps);
  const times = all.reduce((sum, one) => sum + one.times, 0);
  const seconds = all.reduce((sum, one) => sum + one.totalMs, 0) / 1_000;
  const below = (bound: number) =>
    steps.reduce((sum, step) => (step.belowMs <= bound * 1_000 * 1.000_001 ? sum + step.times : sum), 0);
  return [
    ...BELOW_SECONDS.map((bound) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: String(bound) },
      value: below(bound),
    })),
    { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: times },
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: times },
  ];
}
