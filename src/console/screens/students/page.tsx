import { useCallback } from 'react'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { PersonRow } from '../../parts/person.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useStudentPages } from '../../records/student/reads.ts'
import { StudentStatus } from '../../records/student/status.tsx'

const STATUSES = ['active', 'lead', 'paused', 'graduated', 'withdrawn'] as const

type Status = (typeof STATUSES)[number]

/** All students, narrowed by what the address says. */
export const Screen = () => {
  const { people, register, imports } = useWords()
  const { branches, branchId, can } = useMe()
  const { filters, set, clear } = useFilters(['q', 'status', 'tag'])
  const { q, status, tag } = filters
  const students = useStudentPages({
    q,
    status: status as Status | undefined,
    tag,
    branchId: branchId ?? undefined,
    limit: 50,
  })
  const search = useCallback((typed: string) => set('q', typed), [set])
  const isNarrowed = Boolean(q || status || tag)
  const branchOf = (id: string): string | undefined =>
    branches.length > 1 && branchId === null ? branches.find((branch) => branch.id === id)?.name : undefined
  const statuses = STATUSES.map((id) => ({ id, label: people.statuses[id] }))

  return (
    <Page
      title={people.title}
      actions={
        <>
          <Download path="/students" query={{ q, status, tag, branchId }} />
          {can('students.write') && can('files.write') && <ButtonLink to="/import">{imports.open}</ButtonLink>}
          {can('students.write') && (
            <ButtonLink to="/register" look="primary" icon="plus">
              {register.save}
            </ButtonLink>
          )}
        </>
      }
    >
      <div className="filters">
        <SearchField label={people.search} value={q ?? ''} onChange={search} />
        <Choice
          label={people.status}
          isLabelUnseen
          options={[{ id: 'any', label: people.anyStatus }, ...statuses]}
          value={status ?? 'any'}
          onChange={(id) => set('status', id === 'any' ? '' : id)}
        />
        {tag !== undefined && (
          <Button icon="cross" onPress={() => set('tag', '')}>
            {people.tagged(tag)}
          </Button>
        )}
      </div>
      <Rows
        pages={students}
        label={people.title}
        keyOf={({ id }) => id}
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
      >
        {(student) => {
          const branch = branchOf(student.branchId)
          return (
            <PersonRow
              to={`/students/${student.id}`}
              name={student.fullName}
              about={
                <Dotted>
                  <span className="ltr">{student.studentNumber}</span>
                  {branch !== undefined && <bdi>{branch}</bdi>}
                </Dotted>
              }
              end={student.status === 'active' ? undefined : <StudentStatus status={student.status} />}
            />
          )
        }}
      </Rows>
    </Page>
  )
}
