import type { Schemas } from '../../api/client.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../shell/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useSchedule } from './queries.ts'

type Session = Schemas['ScheduledSession']

const Row = ({ session }: { session: Session }) => {
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
          <bdi>{format.times(session.scheduledStart, session.scheduledEnd)}</bdi> · <bdi>{session.courseName}</bdi>
        </span>
      </span>
      {isCancelled && <Badge>{words.cancelled}</Badge>}
    </div>
  )
}

/** One entry for each session, also where two children of one family go to it. */
const byDay = (sessions: readonly Session[], dateOf: (instant: string) => string): [string, Session[]][] => {
  const days = new Map<string, Map<string, Session>>()
  for (const session of sessions) {
    const date = dateOf(session.scheduledStart)
    days.set(date, (days.get(date) ?? new Map<string, Session>()).set(session.sessionId, session))
  }
  return [...days].map(([date, ofDay]) => [date, [...ofDay.values()]])
}

/** The week of a student or of a family. */
export const OwnSchedule = () => {
  const { today: words, shell } = useWords()
  const format = useFormat()
  const { institute } = useMe()
  const schedule = useSchedule(institute.today)
  const dayOf = (date: string): string =>
    ({ [institute.today]: shell.today, [format.tomorrow()]: shell.tomorrow })[date] ?? format.longDate(date)
  return (
    <Page title={words.title} about={format.longDate(institute.today)}>
      <Loaded query={schedule}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Empty>{words.noClassesAhead}</Empty>
          ) : (
            byDay(sessions, (instant) => format.dateOf(instant)).map(([date, ofDay]) => (
              <Section key={date} title={<span className="day">{dayOf(date)}</span>}>
                <ul className="card">
                  {ofDay.map((session) => (
                    <li key={session.sessionId}>
                      <Row session={session} />
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
