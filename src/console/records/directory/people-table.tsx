import { Fragment, type CSSProperties, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import type { Pages } from '../../api/queries.ts'
import { Menu } from '../../parts/menu.tsx'
import { CallIcon } from '../../parts/person.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

interface Person {
  id: string
  firstName: string
  lastName: string
}

export interface Column<Row, Id extends string> {
  id: Id
  label: string
  /** Of the column on a desk, as a track of a grid. */
  width: string
  cell: (row: Row) => ReactNode
}

interface PeopleTableProps<Row, Id extends string> {
  pages: Pages<Row>
  label: string
  empty: ReactNode
  /** The columns that are shown, from the name on. */
  columns: readonly Column<Row, Id>[]
  to: (row: Row) => string
  /** What stands beside a name. */
  badge?: (row: Row) => ReactNode
  /** Who is called from the row; undefined: nobody can be. */
  call: (row: Row) => { number: string; label: string } | undefined
}

/** People by family name. On a desk the columns stand below each other; on a phone what they hold follows the name. */
export const PeopleTable = <Row extends Person, Id extends string>(props: PeopleTableProps<Row, Id>) => {
  const { directory } = useWords()
  const { pages, label, empty, columns, to, badge, call } = props
  const tracks = { '--columns': columns.map(({ width }) => width).join(' ') } as CSSProperties
  return (
    <div className="directory" style={tracks}>
      <Rows
        pages={pages}
        label={label}
        keyOf={({ id }) => id}
        empty={empty}
        head={
          <div className="directory-head" aria-hidden="true">
            <span>{directory.column.name}</span>
            {columns.map(({ id, label: over }) => (
              <span key={id} className={`of-${id}`}>
                {over}
              </span>
            ))}
          </div>
        }
      >
        {(row) => {
          const called = call(row)
          return (
            <div className="directory-line">
              <Link href={to(row)} className="directory-person">
                <span className="who">
                  <bdi className="name">
                    <b>{row.lastName}</b> {row.firstName}
                  </bdi>
                  {badge?.(row)}
                </span>
                {columns.map(({ id, cell }) => (
                  <span key={id} className={`cell of-${id}`}>
                    {cell(row)}
                  </span>
                ))}
              </Link>
              {called && <CallIcon {...called} />}
            </div>
          )
        }}
      </Rows>
    </div>
  )
}

/** Chooses the columns. */
export const ColumnsMenu = <Id extends string>(props: {
  all: readonly Id[]
  labels: Readonly<Record<Id, string>>
  shown: readonly Id[]
  toggle: (id: Id) => void
}) => {
  const { directory } = useWords()
  const { all, labels, shown, toggle } = props
  return (
    <Menu
      label={directory.columns}
      text={directory.columns}
      className="button"
      entries={all.map((id) => ({
        id,
        label: labels[id],
        isChosen: shown.includes(id),
        onSelect: () => toggle(id),
      }))}
    />
  )
}

/** Names one behind another, each in its own direction. */
export const Names = ({ names }: { names: readonly string[] }) => {
  const format = useFormat()
  if (names.length === 0) return null
  return (
    <span>
      {names.map((name, at) => (
        <Fragment key={`${at} ${name}`}>
          {at > 0 && format.commas(['', ''])}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
    </span>
  )
}

/** What is owed, in each currency in which something is. */
export const Balances = ({ balances }: { balances: readonly Schemas['Money'][] | null }) => {
  const format = useFormat()
  if (balances === null || balances.length === 0) return null
  return balances.map((balance) => <bdi key={balance.currency}>{format.money(balance)}</bdi>)
}
