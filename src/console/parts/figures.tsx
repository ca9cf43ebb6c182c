import type { Key, ReactNode } from 'react'
import { Link } from 'wouter'

interface Figure {
  label: string
  number: string
  /** The list of what is behind it; undefined: there is none. */
  to?: string | undefined
}

/** The figures of a whole report. */
export const Totals = ({ figures }: { figures: readonly Figure[] }) => (
  <div className="figures">
    {figures.map(({ label, number, to }) => (
      <div key={label} className="figure">
        <div className="number">
          <bdi>{to === undefined ? number : <Link href={to}>{number}</Link>}</bdi>
        </div>
        <div className="label">{label}</div>
      </div>
    ))}
  </div>
)

export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
}

interface RowsTableProps<Row> {
  label: string
  rows: readonly Row[]
  keyOf: (row: Row) => Key
  /** What each row is of. */
  head: string
  of: (row: Row) => ReactNode
  columns: readonly Column<Row>[]
}

/** The rows of a report; what each is of stands first, its figures at the end of their columns. */
export const RowsTable = <Row,>({ label, rows, keyOf, head, of, columns }: RowsTableProps<Row>) => (
  <div className="card rows-table">
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {columns.map((column) => (
            <th key={column.head} scope="col" className="sum">
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row">{of(row)}</th>
            {columns.map((column) => (
              <td key={column.head} className="sum">
                <span className="over" aria-hidden="true">
                  {column.head}
                </span>
                <bdi>{column.cell(row)}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
