import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../shell/language.tsx'

type Summary = Schemas['StudentAttendanceSummary']

const STATUSES = ['present', 'late', 'absent', 'excused'] as const

/** How often each student came in the last 30 days, in one request; who came least stands first. */
export const Attendance = ({ groupId }: { groupId: string }) => {
  const { groups: words } = useWords()
  const summary = useGet(['/groups', groupId, 'attendance-summary'], (signal) =>
    answer(api.GET('/groups/{id}/attendance/summary', { params: { path: { id: groupId } }, signal })),
  )
  return (
    <Section title={words.attendance}>
      <div className="card">
        <Loaded query={summary}>
          {({ students }) => {
            const marked = students.filter(({ totalHeld }) => totalHeld > 0)
            return marked.length === 0 ? <Empty>{words.noAttendance}</Empty> : <Grid students={marked} />
          }}
        </Loaded>
      </div>
    </Section>
  )
}

const Grid = ({ students }: { students: readonly Summary[] }) => {
  const { groups: words, people } = useWords()
  const format = useFormat()
  return (
    <table className="grid">
      <thead>
        <tr>
          <th scope="col">{people.student}</th>
          <th scope="col">{words.rate}</th>
          <th scope="col" className="wide-only">
            {people.attendance}
          </th>
        </tr>
      </thead>
      <tbody>
        {students.map((student) => (
          <tr key={student.studentId}>
            {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the student's name is in it */}
            <th scope="row">
              <Link href={`/students/${student.studentId}`} className="link">
                <bdi>{`${student.firstName} ${student.lastName}`}</bdi>
              </Link>
            </th>
            <td>{student.rate === null ? '–' : format.percent(student.rate / 100)}</td>
            <td className="wide-only">
              <ul className="legend">
                {STATUSES.filter((status) => student[status] > 0).map((status) => (
                  <li key={status}>
                    <span className={`dot ${status}`} aria-hidden="true" />
                    {people.marks[status]}: {format.number(student[status])}
                  </li>
                ))}
              </ul>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
