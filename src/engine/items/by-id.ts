// The order in which statements over many items lock their rows. Everybody has the same, or two of them deadlock.

/** Ids are decimal numbers as text, without leading zeros. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

export function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => compareIds(a.id, b.id));
}
