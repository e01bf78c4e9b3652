import type { ReactNode } from 'react';
import { ScrollRegion } from './scroll-region.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Aligned at the right, with figures of one width. */
  readonly isNumber?: boolean;
  /** True for the column that names the row; the first one if none is. */
  readonly isName?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** It scrolls on its own where it is wider than the page. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const name = columns.find(({ isName }) => isName) ?? columns[0];
  return (
    <ScrollRegion aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) =>
                column === name ? (
                  <th key={column.title} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} className={column.isNumber ? 'number' : undefined}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
