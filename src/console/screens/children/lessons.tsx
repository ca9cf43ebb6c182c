import { useState } from 'react'
import { Redirect, useParams } from 'wouter'
import { addDays } from '../../../shared/dates.ts'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { usePointed } from '../../parts/pointed.ts'
import { Rows } from '../../parts/rows.tsx'
import { AnnounceAbsence } from '../../records/absence/announce.tsx'
import { useTakeBack } from '../../records/absence/take-back.ts'
import { LessonRow, Presence } from '../../records/family/lesson-row.tsx'
import { useOwnAttendance, useOwnLessons } from '../../records/family/reads.ts'
import { FilesOfLesson } from '../../records/file/of-lesson.tsx'
import { ToldLesson } from '../../records/session/told-lesson.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { ChildPage, type Child } from './child.tsx'

/** `/children/:id`: the next lessons, what was announced, and whether the child was there. */
export const Screen = () => {
  const { id } = useParams<{ id: string }>()
  const { people, own: words } = useWords()
  const { institute } = useMe()
  const [isAnnouncing, setAnnouncing] = useState(false)
  return (
    <ChildPage
      id={id}
      at="lessons"
      actions={({ relation, seesLearning }) =>
        relation === 'guardian' &&
        seesLearning &&
        !institute.isReadOnly && (
          <Button look="primary" onPress={() => setAnnouncing(true)}>
            {people.announce}
          </Button>
        )
      }
    >
      {(child) =>
        child.seesLearning ? (
          <>
            <Announced child={child} />
            <Lessons id={id} />
            <Told id={id} />
            <Attendance id={id} />
            {isAnnouncing && (
              <AnnounceAbsence
                studentId={id}
                name={child.fullName}
                follows={words.announceFollows}
                onClose={() => setAnnouncing(false)}
              />
            )}
          </>
        ) : (
          <Redirect to={`/children/${id}/money`} replace />
        )
      }
    </ChildPage>
  )
}

const Announced = ({ child: { absences, relation } }: { child: Child }) => {
  const { people } = useWords()
  const format = useFormat()
  const takeBack = useTakeBack()
  const { institute } = useMe()
  if (absences.length === 0) return null
  return (
    <Section title={people.absences}>
      <ul className="card" aria-label={people.absences}>
        {absences.map(({ id, from, to, reason }) => (
          <li key={id} className="row">
            <span className="grow">
              <span className="name">{from === to ? format.longDate(from) : format.range(from, to)}</span>
              <span className="about long">
                <bdi>{reason}</bdi>
              </span>
            </span>
            {relation === 'guardian' && !institute.isReadOnly && (
              <Button onPress={() => takeBack(id)}>{people.withdraw}</Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const DAYS_AHEAD = 14
/** As long as one looks for a worksheet that was handed out, or follows the link of a message. */
const DAYS_BACK = 50
const DAYS_LINKED = 49

/** The lessons around today: one read for all that the page shows of them. */
const useLessons = () => useOwnLessons(addDays(useFormat().today(), -DAYS_BACK), DAYS_BACK + DAYS_LINKED)

type Session = Schemas['ScheduledSession']

const Lessons = ({ id }: { id: string }) => {
  const { own: words, shell } = useWords()
  const format = useFormat()
  const today = format.today()
  const lessons = useLessons()
  const { filters } = useFilters(['day'])
  const pointed = usePointed('day')
  const isShown = (date: string): boolean =>
    date === filters.day || (date >= today && date <= addDays(today, DAYS_AHEAD))
  const marks = useOwnAttendance(id).rows
  const markOf = ({ sessionId }: Session) => marks?.find((entry) => entry.sessionId === sessionId) ?? null
  const dayOf = (date: string): string =>
    ({ [today]: shell.today, [format.tomorrow()]: shell.tomorrow })[date] ?? format.longDate(date)
  return (
    <Section title={words.nextLessons}>
      <Loaded query={lessons}>
        {(sessions) => {
          const dateOf = ({ scheduledStart }: Session): string => format.dateOf(scheduledStart)
          const own = sessions.filter((session) => session.studentId === id && isShown(dateOf(session)))
          if (own.length === 0) return <Empty>{words.noLessons}</Empty>
          return [...new Set(own.map(dateOf))].map((date) => (
            <section key={date} className="calendar" {...pointed(date)}>
              <h3>
                <span className="day">{dayOf(date)}</span>
              </h3>
              <ul className="card" aria-label={dayOf(date)}>
                {own
                  .filter((session) => dateOf(session) === date)
                  .map((session) => (
                    <li key={session.sessionId}>
                      <LessonRow lesson={session} mark={markOf(session)} />
                      <FilesOfLesson session={session} />
                    </li>
                  ))}
              </ul>
            </section>
          ))
        }}
      </Loaded>
    </Section>
  )
}

/** What the lessons of the last weeks left to be done or read, the last first. */
const Told = ({ id }: { id: string }) => {
  const { own: words } = useWords()
  const format = useFormat()
  const today = format.today()
  const lessons = useLessons().data ?? []
  const told = lessons
    .filter(({ studentId }) => studentId === id)
    // The files of today stand with its lesson.
    .filter(({ homework, fileCount, scheduledStart }) => {
      const date = format.dateOf(scheduledStart)
      return date < today ? homework !== null || fileCount > 0 : date === today && homework !== null
    })
  if (told.length === 0) return null
  return (
    <Section title={words.told}>
      <ul className="card" aria-label={words.told}>
        {told.toReversed().map((session) => (
          <li key={session.sessionId}>
            <ToldLesson session={session}>
              {format.dateOf(session.scheduledStart) < today && <FilesOfLesson session={session} />}
            </ToldLesson>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const Attendance = ({ id }: { id: string }) => {
  const { people } = useWords()
  const format = useFormat()
  const entries = useOwnAttendance(id)
  return (
    <Section title={people.attendance}>
      <Rows pages={entries} label={people.attendance} keyOf={({ sessionId }) => sessionId} empty={people.noAttendance}>
        {({ scheduledStart, groupName, status, minutesLate, note }) => (
          <div className="row">
            <span className="grow">
              <span className="name">{format.longDate(format.dateOf(scheduledStart))}</span>
              <span className="about">
                <bdi>{groupName}</bdi> · <bdi className="nowrap">{format.time(scheduledStart)}</bdi>
              </span>
              {note !== null && (
                <span className="about long">
                  <bdi>{note}</bdi>
                </span>
              )}
            </span>
            <Presence status={status} minutesLate={minutesLate} />
          </div>
        )}
      </Rows>
    </Section>
  )
}
