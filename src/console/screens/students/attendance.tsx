import { answer, api, type Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Absences } from './absences.tsx'

type Entry = Schemas['StudentAttendance']
type Status = Entry['status']

const SHOWN = 30
const STATUSES: readonly Status[] = ['present', 'late', 'absent', 'excused']

const shareOf = (entries: readonly Entry[]): number | undefined => {
  const of = (status: Status) => entries.filter((entry) => entry.status === status).length
  const came = of('present') + of('late')
  const counted = came + of('absent')
  return counted === 0 ? undefined : came / counted
}

/** The last lessons as dots, oldest first, each with a shape of its own; the legend counts them in words. */
export const Attendance = ({ studentId, name }: { studentId: string; name: string }) => {
  const { people } = useWords()
  const query = useGet(['/students', studentId, 'attendance'], async (signal) => {
    const params = { path: { id: studentId }, query: { limit: SHOWN } }
    return (await answer(api.GET('/students/{id}/attendance', { params, signal }))).data
  })
  return (
    <Section title={people.attendance}>
      <div className="card">
        <Loaded query={query}>
          {(entries) => (entries.length === 0 ? <Empty>{people.noAttendance}</Empty> : <Marks entries={entries} />)}
        </Loaded>
      </div>
      <Absences studentId={studentId} name={name} />
    </Section>
  )
}

const Marks = ({ entries }: { entries: readonly Entry[] }) => {
  const { people } = useWords()
  const format = useFormat()
  const share = shareOf(entries)
  const counts = STATUSES.map((status) => ({
    status,
    count: entries.filter((entry) => entry.status === status).length,
  })).filter(({ count }) => count > 0)
  return (
    <div className="attendance-sum">
      <div className="between">
        <span className="soft">{people.lastLessons(entries.length)}</span>
        {share !== undefined && <strong>{people.came(format.percent(share))}</strong>}
      </div>
      <ol className="dots">
        {entries.toReversed().map(({ sessionId, status, scheduledStart }) => {
          const said = `${format.date(format.dateOf(scheduledStart))}: ${people.marks[status]}`
          return (
            <li key={sessionId} className={`dot ${status}`} title={said}>
              <span className="unseen">{said}</span>
            </li>
          )
        })}
      </ol>
      <ul className="legend">
        {counts.map(({ status, count }) => (
          <li key={status}>
            <span className={`dot ${status}`} aria-hidden="true" />
            {people.marks[status]}: {format.number(count)}
          </li>
        ))}
      </ul>
    </div>
  )
}
