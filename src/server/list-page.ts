// Which page of a list of ours.

export interface ListPage {
  /** What stands for the last one that was seen. */
  readonly after?: string | undefined;
  readonly limit: number;
}

const STEP = 500;

/** All of it, for whoever has the database at hand. */
export async function allPages<Row>(
  read: (page: ListPage) => Promise<Row[]>,
  placeOf: (row: Row) => string,
): Promise<Row[]> {
  const all: Row[] = [];
  let after: string | undefined;
  for (let isMore = true; isMore; ) {
    const rows = await read({ after, limit: STEP });
    all.push(...rows);
    const last = rows.at(-1);
    isMore = rows.length === STEP;
    if (last !== undefined) after = placeOf(last);
  }
  return all;
}
