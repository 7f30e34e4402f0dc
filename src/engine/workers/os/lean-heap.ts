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

/** None where whoever started the process said themselves how large its heap may be. */
export function leanFlags(given: readonly string[], v8: string): readonly string[] {
  const major = Number.parseInt(v8, 10);
  if (!(major >= KNOWN.from && major <= KNOWN.to)) return [];
  return given.some((one) => SIZES.test(one)) ? [] : LEAN;
}

export function keepHeapLean(): void {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ""];
  for (const flag of leanFlags(given, process.versions.v8)) setFlagsFromString(flag);
}
