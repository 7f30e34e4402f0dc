// What every item carries, the same for all contenders, and the sizes all of them share.

export interface Payload {
  readonly index: number;
  readonly item: string;
  readonly title: string;
  readonly profile: string;
  /** When it was handed in, by the machine's monotonic clock in milliseconds: latency is measured from here. */
  readonly at: number;
}

export const BATCH = 500;
export const CONNECTIONS = 3;
/** Where a contender can insert many at once, it inserts this many. */
export const INSERT = 2_000;

export const payload = (index: number, at = 0): Payload => ({
  index,
  item: `movie-${index}`,
  title: "The Benchmark",
  profile: "h265-1080p",
  at,
});

/** The same clock in all processes of the machine. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

export function* chunks(from: number, count: number, size: number): Generator<Payload[]> {
  for (let start = from; start < from + count; start += size) {
    const length = Math.min(size, from + count - start);
    yield Array.from({ length }, (_, offset) => payload(start + offset));
  }
}

/** Takes what `source` gives, `width` at a time. */
export async function spread<T>(source: Iterable<T>, width: number, work: (one: T) => Promise<unknown>): Promise<void> {
  const iterator = source[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
