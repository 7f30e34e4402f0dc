// Whether every film is everywhere exactly once: by what lies on the shelves, which is what counts in the end. Pure.

/** The names of the files at each target. */
export type Shelves = ReadonlyMap<string, readonly string[]>;

export interface EndedItem {
  readonly id: string;
  readonly state: string;
}

/** In words; none where nothing is wrong. */
export function lost(films: number, before: Shelves, after: Shelves, ended: readonly EndedItem[]): string[] {
  const failed = ended.filter(({ state }) => state !== "done").map(({ id, state }) => `${id} ended as ${state}`);
  const wrong = [...after].flatMap(([target, files]) => {
    const old = new Set(before.get(target));
    const count = files.filter((file) => !old.has(file)).length;
    return count === films ? [] : [`${target} got ${count} files for ${films} films`];
  });
  return [...failed, ...wrong];
}
