import { useCallback } from 'react'
import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet, usePages } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice, type Option } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Download } from '../../parts/download.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'

type Group = Schemas['Group']
type Status = Group['status']

const STATUSES: readonly Status[] = ['active', 'planned', 'completed', 'cancelled']

/** The active staff; an institute has few teachers. */
export const useStaff = (isOff = false) => {
  const { can } = useMe()
  return useGet(
    ['/staff', 'active'],
    async (signal) =>
      (await answer(api.GET('/staff', { params: { query: { isActive: true, limit: 100 } }, signal }))).data,
    { isOff: isOff || !can('staff.read') },
  )
}

export const useCourses = () => {
  const { can } = useMe()
  return useGet(
    ['/courses', 'active'],
    async (signal) =>
      (await answer(api.GET('/courses', { params: { query: { isActive: true, limit: 100 } }, signal }))).data,
    { isOff: !can('courses.read') },
  )
}

/** All groups, narrowed by what the address says. */
export const Screen = () => {
  const { groups: words, courses: courseWords } = useWords()
  const { branchId, can } = useMe()
  const { filters, set, clear } = useFilters(['q', 'status', 'course', 'teacher'])
  const { q, status, course, teacher } = filters
  const staff = useStaff()
  const courses = useCourses()
  const groups = usePages<Group>(['/groups', 'list', filters, branchId], (cursor, signal) =>
    answer(
      api.GET('/groups', {
        params: {
          query: {
            ...(q && { q }),
            ...(status && { status: status as Status }),
            ...(course && { courseId: course }),
            ...(teacher && { teacherStaffId: teacher }),
            ...(branchId && { branchId }),
            ...(cursor && { cursor }),
            limit: 50,
          },
        },
        signal,
      }),
    ),
  )
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

export const isFull = ({ capacity, enrolledCount }: Group): boolean => capacity !== null && enrolledCount >= capacity

interface GroupRowProps {
  group: Group
  teacher: string | undefined
  /** Whether the page is that of the course. */
  isOfCourse?: boolean
}

export const GroupRow = ({ group, teacher, isOfCourse = false }: GroupRowProps) => {
  return (
    <Link href={`/groups/${group.id}`} className="row">
      <span className="grow">
        <bdi className="name">{group.name}</bdi>
        <span className="about">
          <Dotted>
            {!isOfCourse && <bdi>{group.courseName}</bdi>}
            {teacher !== undefined && <bdi>{teacher}</bdi>}
            {group.room !== null && <bdi>{group.room}</bdi>}
          </Dotted>
        </span>
      </span>
      <span className="ends">
        {group.status !== 'active' && <GroupStatus status={group.status} />}
        <Seats group={group} />
      </span>
      <Icon name="forward" />
    </Link>
  )
}

export const GroupStatus = ({ status }: { status: Status }) => {
  const { groups: words } = useWords()
  return <Badge {...(status === 'active' && { meaning: 'good' })}>{words.statuses[status]}</Badge>
}

/** How many places are taken, in words. */
export const Seats = ({ group }: { group: Group }) => {
  const { groups: words } = useWords()
  const { capacity, enrolledCount } = group
  if (isFull(group)) return <Badge meaning="warn">{words.full}</Badge>
  return (
    <span className="soft">
      {capacity === null ? words.students(enrolledCount) : words.seats(enrolledCount, capacity)}
    </span>
  )
}
