import { useEffect } from 'react'
import { useParams } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { jumpedTo, Jumps } from '../../parts/jumps.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { VideoCourse } from '../../records/curriculum/links.tsx'
import { Files } from '../../records/file/section.tsx'
import { remember } from '../../records/search/recent.ts'
import { useGroup } from '../../records/group/reads.ts'
import { GroupStatus, isFull, Seats } from '../../records/group/row.tsx'
import { useStaffMember } from '../../records/staff/reads.ts'
import { Attendance } from './attendance.tsx'
import { AttendanceSummary } from './attendance-summary.tsx'
import { Exams } from './exams.tsx'
import { Details } from './details.tsx'
import { Lessons } from './lessons.tsx'
import { Reports } from './reports.tsx'
import { Roster } from './roster.tsx'
import { Waiting } from './waiting.tsx'
import { Schedule } from '../../records/group/schedule.tsx'

type Group = Schemas['Group']

/** One group: who gives it, when, who is in it, its lessons. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { groups: words } = useWords()
  const group = useGroup(id)
  if (group.data) return <One group={group.data} />
  return (
    <Page title={words.title}>
      <Loaded query={group}>{() => null}</Loaded>
    </Page>
  )
}

const One = ({ group }: { group: Group }) => {
  const { groups: words, gradebook, messages, people, rollover } = useWords()
  const { can, institute } = useMe()
  const { id, name, courseName } = group
  useEffect(() => remember({ type: 'group', id, label: name, sublabel: courseName }), [id, name, courseName])
  const teacher = useStaffMember(group.teacherStaffId)
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
      {...(group.status !== 'cancelled' && {
        actions: (
          <>
            {can('groups.write') && can('enrollments.write') && (
              <ButtonLink to={`/groups/rollover?group=${id}`}>{rollover.goOnGroup}</ButtonLink>
            )}
            {can('notifications.send', 'attendance.mark') && !institute.isReadOnly && (
              <ButtonLink to={`/messages/new?groupId=${id}`} icon="mail">
                {messages.toGroup}
              </ButtonLink>
            )}
          </>
        ),
      })}
    >
      <Jumps
        label={words.parts}
        places={[
          ...(can('attendance.read') ? ([['attendance', people.attendance]] as const) : []),
          ...(can('exams.read') ? ([['exams', gradebook.title]] as const) : []),
          ['lessons', words.coming],
          ['details', words.details],
        ]}
      />
      <div className="two">
        <div>
          <div className="printed">
            <Roster group={group} />
          </div>
          {can('enrollments.read') && (
            <div className="not-printed">
              <Waiting group={group} />
            </div>
          )}
          {can('attendance.read') && (
            <div className="not-printed" {...jumpedTo('attendance')}>
              <Attendance groupId={id} />
              <AttendanceSummary groupId={id} />
            </div>
          )}
          {can('exams.read') && (
            <div className="not-printed" {...jumpedTo('exams')}>
              <Exams groupId={id} />
            </div>
          )}
          {can('reports.read', 'exams.write') && (
            <div className="not-printed">
              <Reports groupId={id} />
            </div>
          )}
        </div>
        <div className="not-printed">
          <div {...jumpedTo('lessons')}>
            <Lessons group={group} />
          </div>
          <div {...jumpedTo('details')}>
            <Details group={group} teacher={teacher.data?.fullName} />
          </div>
          <VideoCourse courseId={group.courseId} isQuiet />
          {can('files.read') && <Files of="group" id={id} />}
        </div>
      </div>
    </Page>
  )
}
