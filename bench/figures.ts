// What is measured of a contender, and how two of them are compared.

export interface Figures {
  /** Items per second. */
  readonly rate: number;
  /** Bytes of write-ahead log per item. */
  readonly wal: number;
  /** Microseconds of processor time per item in the contender's own process. */
  readonly clientCpu: number;
}

/** The middle of what each round says: a round's figures share a minute of the machine, those of two rounds do not. */
export function medianRatio(
  ours: readonly Figures[],
  theirs: readonly Figures[],
  pick: (one: Figures) => number,
): number {
  return median(ours.map((one, round) => pick(one) / pick(theirs[round] as Figures)));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
