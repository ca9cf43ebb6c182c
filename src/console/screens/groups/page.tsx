import { useCallback } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Download } from '../../parts/download.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordChoice, type RecordSource } from '../../parts/record-choice.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useCourse, useCourseSource } from '../../records/course/reads.ts'
import { useGroupPages } from '../../records/group/reads.ts'
import { GroupRow } from '../../records/group/row.tsx'
import { useStaffMember, useStaffNames, useStaffSource } from '../../records/staff/reads.ts'

type Status = Schemas['Group']['status']

const STATUSES: readonly Status[] = ['active', 'planned', 'completed', 'cancelled']

const ANY = 'any'

/** All groups, narrowed by what the address says. */
export const Screen = () => {
  const { groups: words, courses: courseWords, reports, rollover } = useWords()
  const { branchId, can } = useMe()
  const { filters, set, clear } = useFilters(['q', 'status', 'course', 'teacher'])
  const { q, status, course, teacher } = filters
  const names = useStaffNames()
  const teachers = useStaffSource()
  const courses = useCourseSource()
  const chosen = { course: useCourse(course ?? null).data, teacher: useStaffMember(teacher ?? null).data }
  const groups = useGroupPages({
    q,
    status: status as Status | undefined,
    courseId: course,
    teacherStaffId: teacher,
    branchId: branchId ?? undefined,
    limit: 50,
  })
  const search = useCallback((typed: string) => set('q', typed), [set])
  const isNarrowed = Object.keys(filters).length > 0
  const narrow = (name: 'status' | 'course' | 'teacher') => ({
    isLabelUnseen: true,
    value: filters[name] ?? ANY,
    onChange: (id: string) => set(name, id === ANY ? '' : id),
  })
  const choice = <R,>(name: 'course' | 'teacher', label: string, any: string, source: RecordSource<R>, record?: R) =>
    !source.isOff && (
      <RecordChoice
        label={label}
        source={source}
        first={[{ id: ANY, label: any }]}
        chosen={record && source.optionOf(record)}
        {...narrow(name)}
      />
    )
  return (
    <Page
      title={words.title}
      actions={
        <>
          <Download path="/groups" query={{ q, status, courseId: course, teacherStaffId: teacher, branchId }} />
          {can('reports.read', 'exams.write') && <ButtonLink to="/progress-reports">{reports.title}</ButtonLink>}
          {can('courses.read') && <ButtonLink to="/courses">{courseWords.title}</ButtonLink>}
          {can('groups.write') && can('enrollments.write') && (
            <ButtonLink to="/groups/rollover">{rollover.title}</ButtonLink>
          )}
          {can('groups.write') && (
            <ButtonLink look="primary" icon="plus" to="/groups/new">
              {courseWords.newGroup}
            </ButtonLink>
          )}
        </>
      }
    >
      <Filters
        search={<SearchField label={words.search} value={q ?? ''} onChange={search} />}
        active={Object.keys(filters).filter((name) => name !== 'q').length}
      >
        <Choice
          label={words.status}
          options={[{ id: ANY, label: words.anyStatus }, ...STATUSES.map((id) => ({ id, label: words.statuses[id] }))]}
          {...narrow('status')}
        />
        {choice('course', words.course, words.anyCourse, courses, chosen.course)}
        {choice('teacher', words.teacher, words.anyTeacher, teachers, chosen.teacher)}
      </Filters>
      <Rows
        pages={groups}
        label={words.title}
        keyOf={({ id }) => id}
        empty={
          isNarrowed ? (
            <>
              <p>{words.noneFound}</p>
              <Button onPress={clear}>{words.clear}</Button>
            </>
          ) : (
            <p>{words.noneYet}</p>
          )
        }
      >
        {(group) => <GroupRow group={group} teacher={names.get(group.teacherStaffId ?? '')} />}
      </Rows>
    </Page>
  )
}
