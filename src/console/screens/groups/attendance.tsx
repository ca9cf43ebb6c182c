import { Link } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

type Grid = Schemas['AttendanceGrid']
type Mark = Grid['students'][number]['marks'][number]

const STATUSES = ['present', 'late', 'absent', 'excused'] as const

/** Who came to the last lessons. */
export const Attendance = ({ groupId }: { groupId: string }) => {
  const { groups: words, people } = useWords()
  const grid = useGet(['/groups', groupId, 'attendance'], (signal) =>
    answer(api.GET('/groups/{id}/attendance', { params: { path: { id: groupId } }, signal })),
  )
  return (
    <Section title={words.lastAttendance}>
      <div className="card">
        <Loaded query={grid}>
          {(loaded) => (loaded.sessions.length === 0 ? <Empty>{people.noAttendance}</Empty> : <Marks grid={loaded} />)}
        </Loaded>
      </div>
    </Section>
  )
}

/** An excused absence counts neither way. */
const attendedOf = (marks: readonly Mark[]): { came: number; counted: number } => {
  const counted = marks.filter((mark) => mark !== null && mark !== 'excused')
  return { came: counted.filter((mark) => mark !== 'absent').length, counted: counted.length }
}

const Marks = ({ grid: { sessions, students } }: { grid: Grid }) => {
  const { groups: words, people } = useWords()
  const format = useFormat()
  const rows = students.map((student) => ({ ...student, ...attendedOf(student.marks) }))
  // Who came least stands first, and last whom nothing is known of.
  const shareOf = ({ came, counted }: { came: number; counted: number }) => (counted === 0 ? 2 : came / counted)
  const dates = sessions.map(({ scheduledStart }) => format.dateOf(scheduledStart))
  return (
    <>
      <div className="across">
        <table className="grid marks-grid">
          <thead>
            <tr>
              <th scope="col">{people.student}</th>
              {sessions.map(({ id }, index) => (
                // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the lesson's day is in it
                <th key={id} scope="col">
                  <Link href={`/sessions/${id}`} className="to-session" title={format.longDate(dates[index] ?? '')}>
                    <span className="ltr" aria-hidden="true">
                      {format.dayAndMonth(dates[index] ?? '')}
                    </span>
                    <span className="unseen">{format.longDate(dates[index] ?? '')}</span>
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              .toSorted((a, b) => shareOf(a) - shareOf(b))
              .map(({ studentId, fullName, marks, came, counted }) => (
                <tr key={studentId}>
                  <th scope="row">
                    <Link href={`/students/${studentId}`} className="link">
                      <bdi>{fullName}</bdi>
                    </Link>
                    {counted > 0 && <span className="about">{words.came(came, counted)}</span>}
                  </th>
                  {sessions.map(({ id }, index) => {
                    const mark = marks[index] ?? null
                    return (
                      <td key={id}>
                        {mark !== null && (
                          // Whoever uses the keyboard takes the one in the head.
                          <Link
                            href={`/sessions/${id}`}
                            className="to-session"
                            tabIndex={-1}
                            title={people.marks[mark]}
                          >
                            <span className={`dot ${mark}`} />
                            <span className="unseen">{people.marks[mark]}</span>
                          </Link>
                        )}
                      </td>
                    )
                  })}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      <ul className="legend below">
        {STATUSES.map((status) => (
          <li key={status}>
            <span className={`dot ${status}`} aria-hidden="true" />
            {people.marks[status]}
          </li>
        ))}
      </ul>
    </>
  )
}
