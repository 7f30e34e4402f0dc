// How many jobs go into one call. Pure.

export const LOOK_LIMIT = 100;

/** Servers and proxies cut request lines off at 8 KB or more. */
const QUERY_CHARACTERS = 6_000;

export function batches(refs: readonly string[], limit: number = LOOK_LIMIT): readonly (readonly string[])[] {
  const all: string[][] = [];
  let characters = 0;
  for (const ref of new Set(refs)) {
    const last = all.at(-1);
    const size = encodeURIComponent(ref).length + 3; // an encoded comma
    if (last === undefined || last.length >= limit || characters + size > QUERY_CHARACTERS) {
      all.push([ref]);
      characters = size;
    } else {
      last.push(ref);
      characters += size;
    }
  }
  return all;
}

/** How many calls `look` needs for these. */
export function lookCalls(refs: readonly string[], limit: number = LOOK_LIMIT): number {
  return batches(refs, limit).length;
}
