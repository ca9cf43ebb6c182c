import type { Schemas } from '../../api/client.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { OwnPerson } from './own-people.tsx'
import { useOwnFamily, useSchedule } from './reads.ts'
import { Names } from '../../records/session/row.tsx'

type Session = Schemas['ScheduledSession']

/** @param who the children who go to it, where there are several; '' where there is nobody to tell apart */
const Row = ({ session, who }: { session: Session; who: string }) => {
  const { today: words } = useWords()
  const format = useFormat()
  const isCancelled = session.status === 'cancelled'
  return (
    <div className={isCancelled ? 'row session off' : 'row session'}>
      <span className="time">{format.time(session.scheduledStart)}</span>
      <span className="grow">
        <span className="name">
          {isCancelled ? (
            <s>
              <bdi>{session.groupName}</bdi>
            </s>
          ) : (
            <bdi>{session.groupName}</bdi>
          )}
        </span>
        <span className="about">
          <bdi>{format.times(session.scheduledStart, session.scheduledEnd)}</bdi> ·{' '}
          <Names names={[session.room, session.courseName]} />
          {who !== '' && <> · {who}</>}
        </span>
      </span>
      {isCancelled && <Badge>{words.cancelled}</Badge>}
    </div>
  )
}

interface Attended {
  session: Session
  studentIds: string[]
}

/** One entry for each session, also where two children of one family go to it. */
const byDay = (sessions: readonly Session[], dateOf: (instant: string) => string): [string, Attended[]][] => {
  const days = new Map<string, Map<string, Attended>>()
  for (const session of sessions) {
    const date = dateOf(session.scheduledStart)
    const ofDay = days.get(date) ?? new Map<string, Attended>()
    const attended = ofDay.get(session.sessionId) ?? { session, studentIds: [] }
    if (session.studentId !== null) attended.studentIds.push(session.studentId)
    days.set(date, ofDay.set(session.sessionId, attended))
  }
  return [...days].map(([date, ofDay]) => [date, [...ofDay.values()]])
}

/** How the student or each child stands, and their week. */
export const OwnSchedule = () => {
  const { today: words, shell } = useWords()
  const format = useFormat()
  const today = format.today()
  const schedule = useSchedule(today)
  const family = useOwnFamily()
  const persons = family.data?.people ?? []
  const namesOf = (ids: readonly string[]): string =>
    persons.length < 2
      ? ''
      : format.list(persons.filter(({ studentId }) => ids.includes(studentId)).map(({ fullName }) => fullName))
  const dayOf = (date: string): string =>
    ({ [today]: shell.today, [format.tomorrow()]: shell.tomorrow })[date] ?? format.longDate(date)
  return (
    <Page title={words.title} about={format.longDate(today)}>
      <Loaded query={family}>
        {({ people }) => people.map((person) => <OwnPerson key={person.studentId} person={person} />)}
      </Loaded>
      <Loaded query={schedule}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Empty>{words.noClassesAhead}</Empty>
          ) : (
            byDay(sessions, (instant) => format.dateOf(instant)).map(([date, ofDay]) => (
              <Section key={date} title={<span className="day">{dayOf(date)}</span>}>
                <ul className="card">
                  {ofDay.map(({ session, studentIds }) => (
                    <li key={session.sessionId}>
                      <Row session={session} who={namesOf(studentIds)} />
                    </li>
                  ))}
                </ul>
              </Section>
            ))
          )
        }
      </Loaded>
    </Page>
  )
}
