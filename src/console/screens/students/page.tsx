import { useCallback } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Download } from '../../parts/download.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { PhoneNumber } from '../../parts/phone.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useColumns } from '../../records/directory/columns.ts'
import { Balances, ColumnsMenu, Names, PeopleTable, type Column } from '../../records/directory/people-table.tsx'
import { useStudentDirectory } from '../../records/directory/reads.ts'
import { DirectoryTabs } from '../../records/directory/tabs.tsx'
import { StudentStatus } from '../../records/student/status.tsx'

const STATUSES = ['active', 'lead', 'paused', 'graduated', 'withdrawn'] as const

type Status = (typeof STATUSES)[number]

type Row = Schemas['DirectoryStudent']

const COLUMNS = ['groups', 'phone', 'number', 'branch', 'balance'] as const
const USUAL = ['groups', 'phone', 'branch', 'balance'] as const
type Id = (typeof COLUMNS)[number]

/** All students, narrowed by what the address says. */
export const Screen = () => {
  const { people, register, imports, directory } = useWords()
  const { branches, branchId, can } = useMe()
  const { filters, set, clear } = useFilters(['q', 'status', 'tag', 'sort'])
  const { q, status, tag, sort } = filters
  const order = sort === 'newest' ? 'newest' : 'name'
  const students = useStudentDirectory({
    q,
    status: status as Status | undefined,
    tag,
    branchId: branchId ?? undefined,
    sort: order,
    limit: 50,
  })
  const { shown, toggle } = useColumns('students', COLUMNS, USUAL)
  const search = useCallback((typed: string) => set('q', typed), [set])
  const isNarrowed = Boolean(q || status || tag)
  const hasBranches = branches.length > 1 && branchId === null
  const offered = COLUMNS.filter((id) => id !== 'branch' || hasBranches)
  const columns: Readonly<Record<Id, Omit<Column<Row, Id>, 'id' | 'label'>>> = {
    groups: {
      width: 'minmax(0, 1.2fr)',
      cell: ({ groups }) => <Names names={groups.map(({ groupName }) => groupName)} />,
    },
    phone: {
      width: 'minmax(9.5rem, 1fr)',
      cell: ({ phone, contact }) => (
        <>
          <PhoneNumber number={contact?.phone ?? phone} />
          {contact && <bdi className="soft">{contact.fullName}</bdi>}
        </>
      ),
    },
    balance: { width: '7rem', cell: ({ balances }) => <Balances balances={balances} /> },
    number: { width: '7rem', cell: ({ studentNumber }) => <span className="ltr">{studentNumber}</span> },
    branch: {
      width: '9rem',
      cell: (row) => <bdi>{branches.find(({ id }) => id === row.branchId)?.name}</bdi>,
    },
  }
  const all = offered.map((id) => ({ id, label: directory.column[id], ...columns[id] }))
  const statuses = STATUSES.map((id) => ({ id, label: people.statuses[id] }))

  return (
    <Page
      title={people.title}
      actions={
        <>
          <Download path="/directory/students" query={{ q, status, tag, branchId, sort: order }} />
          {can('students.write') && can('files.write') && <ButtonLink to="/import">{imports.open}</ButtonLink>}
          {can('students.write') && (
            <ButtonLink to="/register" look="primary" icon="plus">
              {register.save}
            </ButtonLink>
          )}
        </>
      }
    >
      <DirectoryTabs at="students" />
      <Filters
        search={<SearchField label={people.search} hint={people.searchHint} value={q ?? ''} onChange={search} />}
        active={[status, order === 'newest', tag].filter(Boolean).length}
      >
        <Choice
          label={people.status}
          isLabelUnseen
          options={[{ id: 'any', label: people.anyStatus }, ...statuses]}
          value={status ?? 'any'}
          onChange={(id) => set('status', id === 'any' ? '' : id)}
        />
        <Choice
          label={directory.order}
          isLabelUnseen
          options={(['name', 'newest'] as const).map((id) => ({ id, label: directory.orders[id] }))}
          value={order}
          onChange={(id) => set('sort', id === 'newest' ? id : '')}
        />
        <ColumnsMenu all={offered} labels={directory.column} shown={shown} toggle={toggle} />
        {tag !== undefined && (
          <Button icon="cross" onPress={() => set('tag', '')}>
            {people.tagged(tag)}
          </Button>
        )}
      </Filters>
      <PeopleTable
        pages={students}
        label={people.title}
        to={({ id }) => `/students/${id}`}
        columns={all.filter(({ id }) => shown.includes(id))}
        badge={({ status: standing }) => standing !== 'active' && <StudentStatus status={standing} />}
        call={({ phone, firstName, contact }) => {
          if (contact && contact.phone !== null) return { number: contact.phone, label: people.call(contact.fullName) }
          return phone === null ? undefined : { number: phone, label: people.call(firstName) }
        }}
        empty={
          isNarrowed ? (
            <>
              <p>{people.noneFound}</p>
              <Button onPress={clear}>{people.clear}</Button>
            </>
          ) : (
            <p>{people.noneYet}</p>
          )
        }
      />
    </Page>
  )
}
