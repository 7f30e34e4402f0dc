// What a settlement says beyond the usual, in the SQL that writes it. Most batches say nothing: for them the same statement is
// made without it, and the planner leaves out everything that hangs on it.

export interface Detail {
  /** What stands in a row's detail under a name. */
  of(row: string, name: string): string;
  isMissing(row: string): string;
  /** It, as a column more. */
  column(row: string): string;
}

export const detailed: Detail = {
  of: (row, name) => `${row}detail ->> '${name}'`,
  isMissing: (row) => `${row}detail is null`,
  column: (row) => `, ${row}detail`,
};

export const plain: Detail = { of: () => "null::text", isMissing: () => "true", column: () => "" };
