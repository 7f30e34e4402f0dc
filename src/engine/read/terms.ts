// What filters of lists have in common. Pure.

import { formatId, type IdRange, InputError, idsBeginning } from "../../kit/index.ts";

/** One of several, where several are given. */
export type Any<Value> = Value | readonly Value[] | undefined;

export function several<Value>(given: Any<Value>): readonly Value[] | undefined {
  if (given === undefined) return undefined;
  return Array.isArray(given) ? given : [given as Value]; // what is no list is one
}

/** Which ids begin with one of these. */
export function idRangesOf(kind: "item" | "request", given: Any<string>): readonly IdRange[] | undefined {
  return several(given)?.flatMap((text) => {
    const ranges = idsBeginning(kind, text);
    if (ranges !== undefined) return ranges;
    const got = JSON.stringify(text);
    throw new InputError("id", `id is ${formatId(kind, 1n)}, or the beginning of one, got ${got}`);
  });
}
