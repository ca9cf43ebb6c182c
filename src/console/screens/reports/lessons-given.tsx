import { Link } from 'wouter'
import { usePages } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { readSessions, type Session } from '../../records/session/reads.ts'
import { dayOf } from '../../../shared/typed.ts'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** `/reports/staff-hours/lessons`: the lessons that were held in some days, as the hours of a teacher count them. */
export const Screen = () => {
  const { reporting: words } = useWords()
  const format = useFormat()
  const { can, branchId } = useMe()
  const { filters } = useFilters(['teacher', 'from', 'to', 'group'])
  const from = dayOf(filters.from) || format.today()
  const to = dayOf(filters.to) || from
  const query = {
    from,
    to,
    status: ['held' as const],
    ...(filters.teacher && { teacherStaffId: filters.teacher }),
    ...(filters.group && { groupId: filters.group }),
    ...(branchId !== null && { branchId }),
  }
  const lessons = usePages<Session>(['/sessions', 'held', query], (cursor, signal) =>
    readSessions({ ...query, limit: 100, ...(cursor && { cursor }) }, signal),
  )
  const first = lessons.rows?.[0]
  const row = ({ groupName, scheduledStart, scheduledEnd, room, courseName, teacherName }: Session) => (
    <>
      <span className="grow">
        <bdi className="name">{groupName}</bdi>
        <span className="about">
          <Dotted>
            {format.longDate(format.dateOf(scheduledStart))}
            <bdi className="nowrap">{format.times(scheduledStart, scheduledEnd)}</bdi>
            <bdi>{courseName}</bdi>
            {room !== null && <bdi>{format.room(room)}</bdi>}
            {filters.teacher === undefined && teacherName !== null && <bdi>{teacherName}</bdi>}
          </Dotted>
        </span>
      </span>
    </>
  )
  return (
    <>
      <Back to="/reports/staff-hours" label={words.hours} />
      <Page
        title={words.lessonsGiven}
        about={
          <Dotted>
            {filters.teacher !== undefined && first?.teacherName && <bdi>{first.teacherName}</bdi>}
            {format.range(from, to)}
          </Dotted>
        }
      >
        <Rows pages={lessons} label={words.lessonsGiven} keyOf={({ id }) => id} empty={<p>{words.nothing}</p>}>
          {(session) =>
            can('attendance.read') ? (
              <Link href={`/sessions/${session.id}`} className="row">
                {row(session)}
              </Link>
            ) : (
              <div className="row">{row(session)}</div>
            )
          }
        </Rows>
      </Page>
    </>
  )
}
