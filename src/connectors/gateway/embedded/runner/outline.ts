// The outline as it is built up: bounded, as a small PDF can hold one without end.

import type { OutlineEntry } from "../format.ts";

const MOST_ENTRIES = 20_000;
const DEEPEST = 32;

export class OutlineBuilder {
  readonly roots: OutlineEntry[] = [];
  #count = 0;

  /** Undefined where there is no more room; then what is below it is left out as well. */
  add(
    below: OutlineEntry | undefined,
    depth: number,
    title: string,
    page: number | undefined,
  ): OutlineEntry | undefined {
    if (this.#count >= MOST_ENTRIES || depth >= DEEPEST) return undefined;
    this.#count += 1;
    const entry: OutlineEntry = { title: title.trim().slice(0, 1_000), page, entries: [] };
    (below?.entries ?? this.roots).push(entry);
    return entry;
  }
}
