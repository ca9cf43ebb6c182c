import { useEffect } from 'react'
import { useParams } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { Files } from '../../records/file/section.tsx'
import { remember } from '../../records/search/recent.ts'
import { GroupStatus, isFull, Seats } from './page.tsx'
import { readGroup } from '../students/groups.tsx'
import { Attendance } from './attendance.tsx'
import { Details } from './details.tsx'
import { Lessons } from './lessons.tsx'
import { Roster } from './roster.tsx'
import { Schedule } from '../../records/group/schedule.tsx'

type Group = Schemas['Group']

/** One group: who gives it, when, who is in it, its lessons. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { groups: words } = useWords()
  const group = useGet(['/groups', id], (signal) => readGroup(id, signal))
  if (group.data) return <One group={group.data} />
  return (
    <Page title={words.title}>
      <Loaded query={group}>{() => null}</Loaded>
    </Page>
  )
}

const useTeacher = (id: string | null) => {
  const { can } = useMe()
  return useGet(
    ['/staff', id],
    (signal) => answer(api.GET('/staff/{id}', { params: { path: { id: id ?? '' } }, signal })),
    { isOff: id === null || !can('staff.read') },
  )
}

const One = ({ group }: { group: Group }) => {
  const { can } = useMe()
  const { id, name, courseName } = group
  useEffect(() => remember({ type: 'group', id, label: name, sublabel: courseName }), [id, name, courseName])
  const teacher = useTeacher(group.teacherStaffId)
  return (
    <Page
      name={name}
      title={<bdi>{name}</bdi>}
      about={
        <>
          <span className="chips">
            <span>
              <Dotted>
                <bdi>{courseName}</bdi>
                {teacher.data && <bdi>{teacher.data.fullName}</bdi>}
                {!isFull(group) && <Seats group={group} />}
              </Dotted>
            </span>
            {isFull(group) && <Seats group={group} />}
            {group.status !== 'active' && <GroupStatus status={group.status} />}
          </span>
          <Schedule group={group} />
        </>
      }
    >
      <div className="two">
        <div>
          <div className="printed">
            <Roster group={group} />
          </div>
          {can('attendance.read') && (
            <div className="not-printed">
              <Attendance groupId={id} />
            </div>
          )}
        </div>
        <div className="not-printed">
          <Lessons group={group} />
          <Details group={group} teacher={teacher.data?.fullName} />
          {can('files.read') && <Files of="group" id={id} />}
        </div>
      </div>
    </Page>
  )
}
