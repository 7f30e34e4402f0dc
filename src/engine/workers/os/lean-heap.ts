// V8 lets its young generation grow to 128 MB as long as anything is allocated, and the old one to four times what is alive,
// whether or not that gains anything. A worker on PostgreSQL has 15 MB alive: with what it had when it started and at most
// twice what is alive it stays at half of the memory, for a twentieth more processor time.

import { setFlagsFromString } from "node:v8";

/** Both are read whenever the heap might grow, so they can be set while it is in use. */
const LEAN = ["--semi-space-growth-factor=1", "--heap-growing-percent=100"];
/** In these V8 was seen to know them, Node 22 to 24; where it does not, it complains on the process's standard error. */
const KNOWN = { from: 12, to: 13 };
const SIZES =
  /--(max|min)[-_]semi[-_]space[-_]size|--semi[-_]space[-_]growth|--heap[-_]growing|--(max|initial)[-_](old|heap)/;

/** A process that has more before it begins to work is somebody's application, and its heap is theirs. */
const OWN_MOST_BYTES = 80 * 1024 * 1024;

/** None where whoever started the process said themselves how large its heap may be, or has filled it with something else. */
export function leanFlags(given: readonly string[], v8: string, heapBytes: number): readonly string[] {
  if (heapBytes > OWN_MOST_BYTES) return [];
  const major = Number.parseInt(v8, 10);
  if (!(major >= KNOWN.from && major <= KNOWN.to)) return [];
  return given.some((one) => SIZES.test(one)) ? [] : LEAN;
}

export function keepHeapLean(): void {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ""];
  const { heapTotal } = process.memoryUsage();
  for (const flag of leanFlags(given, process.versions.v8, heapTotal)) setFlagsFromString(flag);
}
