// What filters of lists have in common. Pure.

import { formatId, type IdRange, InputError, idsBeginning } from "../../kit/index.ts";

/** One of several, where several are given. */
export type Any<Value> = Value | readonly Value[] | undefined;

/** Each once: a list looks for every one of them, and would find what is named twice twice. */
export function several<Value>(given: Any<Value>): readonly Value[] | undefined {
  if (given === undefined) return undefined;
  return Array.isArray(given) ? [...new Set(given)] : [given as Value]; // what is no list is one
}

/** Which ids begin with one of these. No id lies in two of the ranges. */
export function idRangesOf(kind: "item" | "request", given: Any<string>): readonly IdRange[] | undefined {
  const ranges = several(given)?.flatMap((text) => {
    const ranges = idsBeginning(kind, text);
    if (ranges !== undefined) return ranges;
    const got = JSON.stringify(text);
    throw new InputError("id", `id is ${formatId(kind, 1n)}, or the beginning of one, got ${got}`);
  });
  return ranges && apart(ranges);
}

function apart(ranges: readonly IdRange[]): IdRange[] {
  const merged: IdRange[] = [];
  for (const range of ranges.toSorted((a, b) => (BigInt(a.low) < BigInt(b.low) ? -1 : 1))) {
    const last = merged.at(-1);
    if (last === undefined || BigInt(range.low) > BigInt(last.high)) merged.push(range);
    else if (BigInt(range.high) > BigInt(last.high)) merged.splice(-1, 1, { low: last.low, high: range.high });
  }
  return merged;
}
