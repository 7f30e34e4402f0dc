// Rows of facts: a table where there is room, and on a phone a card for each row, every fact with its label.

import type { ReactNode } from "react";

export interface Column<Row> {
  readonly label: string;
  readonly isNumber?: boolean;
  /** On a phone it has a line to itself. */
  readonly isWide?: boolean;
  /** What one presses says itself what it is. */
  readonly isAction?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What a row is about comes first, and names it. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
}

const side = <Row,>({ isNumber }: Column<Row>) => (isNumber === true ? "sm:text-right tabular-nums" : "text-left");
const CELL = "sm:px-3 sm:py-2 sm:first:pl-4 sm:last:pr-4";

export function Table<Row>({ rows, keyOf, columns }: Props<Row>) {
  const [first, ...rest] = columns;
  return (
    <div className="sm:overflow-x-auto">
      <table className="w-full max-sm:block">
        <thead className="text-sm text-soft max-sm:sr-only">
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={`${CELL} ${side(column)} font-medium align-bottom`}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-sm:block">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className="max-sm:grid max-sm:grid-cols-3 max-sm:gap-x-3 max-sm:gap-y-1.5 max-sm:px-4 max-sm:py-3"
            >
              <th scope="row" className={`${CELL} align-top text-left font-medium max-sm:col-span-3`}>
                {first.cell(row)}
              </th>
              {rest.map((column) => (
                <td
                  key={column.label}
                  className={`${CELL} align-top ${side(column)} ${column.isWide === true ? "max-sm:col-span-3" : ""}`}
                >
                  {column.isAction === true ? null : (
                    <span aria-hidden className="block text-xs text-soft sm:hidden">
                      {column.label}
                    </span>
                  )}
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
