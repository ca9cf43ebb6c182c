import { useCallback } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice, type Option } from '../../parts/choose.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useCourses } from '../../records/course/reads.ts'
import { useGroupPages } from '../../records/group/reads.ts'
import { GroupRow } from '../../records/group/row.tsx'
import { useStaff } from '../../records/staff/reads.ts'

type Status = Schemas['Group']['status']

const STATUSES: readonly Status[] = ['active', 'planned', 'completed', 'cancelled']

/** All groups, narrowed by what the address says. */
export const Screen = () => {
  const { groups: words, courses: courseWords } = useWords()
  const { branchId, can } = useMe()
  const { filters, set, clear } = useFilters(['q', 'status', 'course', 'teacher'])
  const { q, status, course, teacher } = filters
  const staff = useStaff()
  const courses = useCourses()
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
  const choice = (name: 'status' | 'course' | 'teacher', label: string, any: string, options: Option<string>[]) => (
    <Choice
      label={label}
      isLabelUnseen
      options={[{ id: 'any', label: any }, ...options]}
      value={filters[name] ?? 'any'}
      onChange={(id) => set(name, id === 'any' ? '' : id)}
    />
  )
  return (
    <Page
      title={words.title}
      actions={
        <>
          <Download path="/groups" query={{ q, status, courseId: course, teacherStaffId: teacher, branchId }} />
          {can('courses.read') && <ButtonLink to="/courses">{courseWords.title}</ButtonLink>}
          {can('groups.write') && (
            <ButtonLink look="primary" icon="plus" to="/groups/new">
              {courseWords.newGroup}
            </ButtonLink>
          )}
        </>
      }
    >
      <div className="filters">
        <SearchField label={words.search} value={q ?? ''} onChange={search} />
        {choice(
          'status',
          words.status,
          words.anyStatus,
          STATUSES.map((id) => ({ id, label: words.statuses[id] })),
        )}
        {courses.data &&
          choice(
            'course',
            words.course,
            words.anyCourse,
            courses.data.map(({ id, name }) => ({ id, label: name })),
          )}
        {staff.data &&
          choice(
            'teacher',
            words.teacher,
            words.anyTeacher,
            staff.data.map(({ id, fullName }) => ({ id, label: fullName })),
          )}
      </div>
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
        {(group) => (
          <GroupRow group={group} teacher={staff.data?.find(({ id }) => id === group.teacherStaffId)?.fullName} />
        )}
      </Rows>
    </Page>
  )
}
