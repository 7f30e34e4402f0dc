// What an action is to be done to: rows that were ticked, or all that a filter finds. It is of one filter, and means nothing to
// another. Pure.

export interface Selection {
  readonly filter: string;
  readonly ids: ReadonlySet<string>;
  /** All that the filter finds, also what no page showed. */
  readonly isAll: boolean;
}

export function select(filter: string, ids: Iterable<string> = []): Selection {
  return { filter, ids: new Set(ids), isAll: false };
}

/** What is left of it for this filter. */
export function selectionFor(filter: string, selection: Selection): Selection {
  return selection.filter === filter ? selection : select(filter);
}

/** The filter that finds what is meant, and nothing else. */
export function meantBy({ filter, ids, isAll }: Selection): string {
  return isAll ? filter : `id:${[...ids].join(",")}`;
}
