import { addDays } from '../../../shared/dates.ts'
import type { Schemas } from '../../api/client.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Offers } from './offers.tsx'
import { OwnPerson } from './own-people.tsx'
import { LessonRow } from '../../records/family/lesson-row.tsx'
import { useOwnFamily, useOwnLessons } from '../../records/family/reads.ts'
import { FilesOfLesson } from '../../records/file/of-lesson.tsx'
import { ToldLesson } from '../../records/session/told-lesson.tsx'

type Session = Schemas['ScheduledSession']

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

const DAYS_AHEAD = 7
/** Homework that was set before is still to be done. */
const DAYS_BACK = 14

/** Homework without a day is for the next lesson, which is within a week or so. */
const UNDATED_DAYS = 7

const isToDo = ({ homework, scheduledStart }: Session, today: string, dateOf: (instant: string) => string): boolean =>
  homework !== null && (homework.dueOn ?? addDays(dateOf(scheduledStart), UNDATED_DAYS)) >= today

/** What was set in lessons and is still to be done, by lesson, the last first. */
const Homework = ({ lessons, whoOf }: { lessons: readonly Attended[]; whoOf: (ids: readonly string[]) => string }) => {
  const { lesson: words } = useWords()
  return (
    <Section title={words.homework}>
      <ul className="card">
        {lessons.map(({ session, studentIds }) => (
          <li key={session.sessionId}>
            <ToldLesson session={session} who={whoOf(studentIds)}>
              <FilesOfLesson session={session} />
            </ToldLesson>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The day of the student or of each child, and the days that follow. */
export const OwnSchedule = () => {
  const { today: words, shell } = useWords()
  const format = useFormat()
  const today = format.today()
  const schedule = useOwnLessons(addDays(today, -DAYS_BACK), DAYS_BACK + DAYS_AHEAD)
  const family = useOwnFamily()
  const persons = family.data?.people ?? []
  const namesOf = (ids: readonly string[]): string =>
    persons.length < 2
      ? ''
      : format.list(persons.filter(({ studentId }) => ids.includes(studentId)).map(({ fullName }) => fullName))
  const dayOf = (date: string): string => (date === format.tomorrow() ? shell.tomorrow : format.longDate(date))
  return (
    <Page title={words.title} about={format.longDate(today)}>
      {persons.length > 0 && <Offers />}
      <Loaded query={family}>
        {({ people, isPaidOnline }) =>
          people.map((person) => <OwnPerson key={person.studentId} person={person} isPaidOnline={isPaidOnline} />)
        }
      </Loaded>
      <Loaded query={schedule}>
        {(sessions) => {
          const dateOf = (instant: string): string => format.dateOf(instant)
          const days = byDay(sessions, dateOf)
          const toDo = days
            .flatMap(([, ofDay]) => ofDay)
            .filter(({ session }) => isToDo(session, today, dateOf))
            .toReversed()
          // Today stands with each student.
          const ahead = days.filter(([date]) => date > today)
          return (
            <>
              {toDo.length > 0 && <Homework lessons={toDo} whoOf={namesOf} />}
              {/* Each student's own card says when the next lesson is. */}
              {ahead.length === 0 && family.data?.people.length === 0 && <Empty>{words.noClassesAhead}</Empty>}
              {ahead.map(([date, ofDay]) => (
                <Section key={date} title={<span className="day">{dayOf(date)}</span>}>
                  <ul className="card">
                    {ofDay.map(({ session, studentIds }) => (
                      <li key={session.sessionId}>
                        <LessonRow lesson={session} who={namesOf(studentIds)} />
                        <FilesOfLesson session={session} />
                      </li>
                    ))}
                  </ul>
                </Section>
              ))}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
