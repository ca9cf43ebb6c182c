import { useMemo, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import type { Format } from '../../words/format.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useNow } from '../../shell/now.ts'
import { useStill } from '../../shell/user-idle.ts'
import { useTeaching } from '../../records/session/reads.ts'
import { useReadAhead } from './reads.ts'
import {
  isMarked,
  isOver,
  isRunning,
  Marked,
  Names,
  SessionRow,
  UnmarkedRow,
  useIsUnsent,
  type TodaySession,
} from '../../records/session/row.tsx'

export const taughtSession = (
  { sessionId, room, courseName, ...session }: Schemas['TeachingSession'],
  format: Format,
): TodaySession => ({
  ...session,
  id: sessionId,
  about: [session.cancelReason, room && format.room(room), courseName],
})

/** The class that runs and is not marked, else the one that runs, else the next. */
export const currentOf = (sessions: readonly TodaySession[], now: number): TodaySession | undefined => {
  const running = sessions.filter((session) => isRunning(session, now))
  return (
    running.find((session) => !isMarked(session)) ??
    running[0] ??
    sessions.find((session) => session.status !== 'cancelled' && !isOver(session, now))
  )
}

/** The class that one is about to give, large, with the one thing to do. */
export const CurrentClass = ({ session, now }: { session: TodaySession; now: number }) => {
  const { today: words } = useWords()
  const { can } = useMe()
  const format = useFormat()
  useReadAhead(session.id)
  const isUnsent = useIsUnsent(session.id)
  const isToTake = can('attendance.mark') && !isMarked(session) && !isUnsent
  return (
    <section className="card current" aria-label={isRunning(session, now) ? words.currentClass : words.nextClass}>
      <div className="grow">
        <span className="small">{isRunning(session, now) ? words.currentClass : words.nextClass}</span>
        <bdi className="name">{session.groupName}</bdi>
        <span className="when">
          <bdi>{format.times(session.scheduledStart, session.scheduledEnd)}</bdi>
          <span className="soft">
            <Names names={session.about} />
          </span>
          {session.markedCount > 0 || isUnsent ? (
            <Marked session={session} now={now} />
          ) : (
            <span className="soft">{words.students(session.rosterCount)}</span>
          )}
        </span>
      </div>
      <ButtonLink look={isToTake ? 'primary' : 'plain'} isBig to={`/sessions/${session.id}`}>
        {isToTake ? words.takeAttendance : words.seeAttendance}
      </ButtonLink>
    </section>
  )
}

/** As many as one looks through without scrolling. */
const FEW = 5

/** Classes of days before that one has forgotten to mark. */
export const Backlog = ({ sessions }: { sessions: readonly Schemas['UnmarkedSession'][] }) => {
  const { today: words } = useWords()
  const [isAll, setAll] = useState(false)
  if (sessions.length === 0) return null
  const shown = isAll ? sessions : sessions.slice(0, FEW)
  return (
    <Section title={words.earlierUnmarked}>
      <ul className="card">
        {shown.map((session) => (
          <li key={session.sessionId}>
            <UnmarkedRow session={session} />
          </li>
        ))}
      </ul>
      {shown.length < sessions.length && (
        <Button look="quiet" onPress={() => setAll(true)}>
          {words.showAll(sessions.length)}
        </Button>
      )}
    </Section>
  )
}

const Day = ({ day }: { day: Schemas['TeachingDay'] }) => {
  const { looking, today: words } = useWords()
  const { preview } = useMe()
  const format = useFormat()
  const now = useNow()
  const fresh = useMemo(() => {
    const taught = day.sessions.map((session) => taughtSession(session, format))
    return { sessions: taught, current: currentOf(taught, now)?.id, backlog: day.unmarkedBacklog }
  }, [day, format, now])
  const { sessions, current, backlog } = useStill(fresh, (seen) =>
    [seen.current, seen.sessions.map(({ id }) => id), seen.backlog.map(({ sessionId }) => sessionId)].join(),
  )
  const first = sessions.find(({ id }) => id === current)
  const others = sessions.filter(({ id }) => id !== current)
  const ofToday = new Set(sessions.map(({ id }) => id))
  if (preview !== null) return <Empty>{looking.teacherDay}</Empty>
  if (day.staffId === null) return <Empty>{words.notOnStaff}</Empty>
  return (
    <>
      {first && <CurrentClass session={first} now={now} />}
      {sessions.length === 0 && <NoClasses />}
      {others.length > 0 && (
        <Section title={words.classes}>
          <ul className="card">
            {others.map((session) => (
              <li key={session.id}>
                <SessionRow session={session} now={now} isOpen />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Backlog sessions={backlog.filter(({ sessionId }) => !ofToday.has(sessionId))} />
    </>
  )
}

const NoClasses = () => {
  const { today: words } = useWords()
  const { can } = useMe()
  return (
    <Empty>
      <p>{words.noClasses}</p>
      {can('groups.read') && <ButtonLink to="/groups">{words.toGroups}</ButtonLink>}
    </Empty>
  )
}

/** The day of somebody who teaches. */
export const TeacherDay = () => {
  const { today: words } = useWords()
  const format = useFormat()
  const teaching = useTeaching()
  return (
    <Page title={words.title} about={format.longDate(teaching.data?.date ?? format.today())}>
      <Loaded query={teaching}>{(day) => <Day day={day} />}</Loaded>
    </Page>
  )
}
