import { addDays } from '../../../shared/dates.ts'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useInstant } from '../../shell/now.ts'
import { AddLesson } from './add-lesson.tsx'
import { HomeworkLine } from '../../records/session/homework.tsx'
import { readSessions } from '../../records/session/reads.ts'

type Session = Schemas['TimetableSession']

/** As far back and ahead; the API answers 62 days at once. */
const DAYS = 28
const SHOWN = 5

/** The next lessons, and the last ones: those that nobody marked lead to attendance. */
export const Lessons = ({ group }: { group: Schemas['Group'] }) => {
  const { id: groupId } = group
  const { can, institute } = useMe()
  const [isAdding, setAdding] = useState(false)
  const { groups: words } = useWords()
  const format = useFormat()
  const today = format.today()
  const sessions = useGet(['/sessions', 'of-group', groupId, today], async (signal) => {
    const query = { groupId, from: addDays(today, -DAYS), to: addDays(today, DAYS), limit: 100 }
    return (await readSessions(query, signal)).data
  })
  const now = useInstant()
  return (
    <Loaded query={sessions}>
      {(all) => {
        const coming = all.filter(({ scheduledEnd }) => scheduledEnd > now).slice(0, SHOWN)
        const past = all.filter(({ scheduledEnd }) => scheduledEnd <= now).toReversed()
        const unmarked = past.filter(isUnmarked)
        const lately = past.filter((session) => !isUnmarked(session)).slice(0, SHOWN)
        return (
          <>
            <Section
              title={words.coming}
              actions={
                can('groups.write') &&
                !institute.isReadOnly && (
                  <Button look="quiet" icon="plus" onPress={() => setAdding(true)}>
                    {words.addLesson}
                  </Button>
                )
              }
            >
              <AddLesson group={group} isOpen={isAdding} onClose={() => setAdding(false)} />
              <List sessions={coming} empty={words.noComing} now={now} />
            </Section>
            <Section title={words.past}>
              <List sessions={[...unmarked, ...lately]} empty={words.noPast} now={now} />
            </Section>
          </>
        )
      }}
    </Loaded>
  )
}

const isUnmarked = ({ status, attendanceState, rosterCount }: Session): boolean =>
  status !== 'cancelled' && attendanceState !== 'complete' && rosterCount > 0

const List = ({ sessions, empty, now }: { sessions: readonly Session[]; empty: string; now: string }) => (
  <ul className="card">
    {sessions.length === 0 && (
      <li>
        <Empty>{empty}</Empty>
      </li>
    )}
    {sessions.map((session) => (
      <li key={session.id}>
        <LessonRow session={session} now={now} />
      </li>
    ))}
  </ul>
)

const LessonRow = ({ session, now }: { session: Session; now: string }) => {
  const { shell } = useWords()
  const format = useFormat()
  const day = format.dateOf(session.scheduledStart)
  const shown = (
    <span className="grow">
      <span className="name day">{day === format.today() ? shell.today : format.longDate(day)}</span>
      <span className="about">
        <Dotted>
          <bdi>{format.times(session.scheduledStart, session.scheduledEnd)}</bdi>
          {session.topic !== null && <bdi>{session.topic}</bdi>}
          {session.cancelReason !== null && <bdi>{session.cancelReason}</bdi>}
        </Dotted>
      </span>
      {session.homework !== null && <HomeworkLine homework={session.homework} day={format.today()} />}
      <LessonState session={session} now={now} />
    </span>
  )
  // What has not begun has no attendance yet: it can be moved, cancelled, or given to somebody else.
  const isAhead = session.scheduledStart > now || session.status === 'cancelled'
  return (
    <Link href={isAhead ? `/week?day=${day}&session=${session.id}` : `/sessions/${session.id}`} className="row">
      {shown}
      <Icon name="forward" />
    </Link>
  )
}

const LessonState = ({ session, now }: { session: Session; now: string }) => {
  const { groups: words } = useWords()
  if (session.status === 'cancelled') return <Badge>{words.cancelled}</Badge>
  if (session.scheduledStart > now) return null
  if (session.scheduledEnd > now && session.markedCount === 0) return <Badge meaning="info">{words.running}</Badge>
  if (session.rosterCount === 0) return null
  if (session.markedCount === 0) return <Badge meaning="warn">{words.unmarked}</Badge>
  return (
    <Badge meaning={session.attendanceState === 'complete' ? 'good' : 'warn'}>
      {words.marked(session.markedCount, session.rosterCount)}
    </Badge>
  )
}
