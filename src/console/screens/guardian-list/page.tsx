import { useCallback } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { PhoneNumber } from '../../parts/phone.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useColumns } from '../../records/directory/columns.ts'
import { Balances, ColumnsMenu, Names, PeopleTable, type Column } from '../../records/directory/people-table.tsx'
import { useGuardianDirectory } from '../../records/directory/reads.ts'
import { DirectoryTabs } from '../../records/directory/tabs.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'

type Row = Schemas['DirectoryGuardian']

const COLUMNS = ['children', 'phone', 'email', 'balance'] as const
const USUAL = ['children', 'phone', 'balance'] as const
type Id = (typeof COLUMNS)[number]

/** All parents by name, narrowed by what the address says. */
export const Screen = () => {
  const { directory, people } = useWords()
  const { filters, set, clear } = useFilters(['q', 'sort'])
  const { q, sort } = filters
  const order = sort === 'newest' ? 'newest' : 'name'
  const guardians = useGuardianDirectory({ q, sort: order, limit: 50 })
  const search = useCallback((typed: string) => set('q', typed), [set])
  const { shown, toggle } = useColumns('guardians', COLUMNS, USUAL)
  const all: readonly Column<Row, Id>[] = [
    {
      id: 'children',
      label: directory.column.children,
      width: 'minmax(0, 1.4fr)',
      cell: ({ children }) => <Names names={children.map(({ fullName }) => fullName)} />,
    },
    {
      id: 'phone',
      label: directory.column.phone,
      width: '10rem',
      cell: ({ phone }) => <PhoneNumber number={phone} />,
    },
    {
      id: 'email',
      label: directory.column.email,
      width: 'minmax(0, 1fr)',
      cell: ({ email }) => email !== null && <span className="ltr">{email}</span>,
    },
    {
      id: 'balance',
      label: directory.column.balance,
      width: '7rem',
      cell: ({ balances }) => <Balances balances={balances} />,
    },
  ]
  return (
    <Page title={directory.guardians} actions={<Download path="/directory/guardians" query={{ q, sort: order }} />}>
      <DirectoryTabs at="guardians" />
      <div className="filters">
        <SearchField label={directory.guardianSearch} value={q ?? ''} onChange={search} />
        <Choice
          label={directory.order}
          isLabelUnseen
          options={(['name', 'newest'] as const).map((id) => ({ id, label: directory.orders[id] }))}
          value={order}
          onChange={(id) => set('sort', id === 'newest' ? id : '')}
        />
        <ColumnsMenu all={COLUMNS} labels={directory.column} shown={shown} toggle={toggle} />
      </div>
      <PeopleTable
        pages={guardians}
        label={directory.guardians}
        to={({ id }) => `/guardians/${id}`}
        columns={all.filter(({ id }) => shown.includes(id))}
        call={({ phone, firstName }) => (phone === null ? undefined : { number: phone, label: people.call(firstName) })}
        empty={
          q ? (
            <>
              <p>{directory.noGuardianFound}</p>
              <Button onPress={clear}>{directory.allGuardians}</Button>
            </>
          ) : (
            <p>{directory.noGuardians}</p>
          )
        }
      />
    </Page>
  )
}
