import { useState } from 'react'
import { useParams } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Loaded, Waiting } from '../../parts/loaded.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useNow } from '../../shell/now.ts'
import { useStill } from '../../shell/user-idle.ts'
import { useRoster } from '../../records/session/reads.ts'
import { Conflict } from './conflict.tsx'
import { LastLesson } from './last-lesson.tsx'
import { Lesson } from './lesson.tsx'
import { useAbout, useAround, type About } from './reads.ts'
import { useSaving } from './saving.ts'
import { LessonMenu } from './lesson-menu.tsx'
import { RosterList } from './list.tsx'
import { useMarks } from './use-marks.ts'

/** `/sessions/:id`: one lesson: who came, what it is about, and what the last one was. */
export const Screen = () => {
  const { id = '' } = useParams()
  const { attendance: words } = useWords()
  const roster = useRoster(id)
  const around = useAround(roster.data)
  const about = useAbout(id, around)
  const format = useFormat()
  return (
    <Page
      title={about ? <bdi>{about.groupName}</bdi> : words.status}
      name={about?.groupName}
      about={about ? <When {...about} /> : '\u00a0'}
      actions={roster.data && about && <LessonMenu roster={roster.data} groupName={about.groupName} />}
    >
      <Loaded query={roster}>
        {(loaded) => (
          <div className="lesson-page">
            {around && <LastLesson day={format.dateOf(loaded.scheduledStart)} last={around.last} due={around.due} />}
            <div className="taking">
              <Taking key={id} roster={loaded} groupName={about?.groupName ?? ''} />
            </div>
            {around && <Lesson session={around.session} next={around.next} />}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const When = ({ scheduledStart, scheduledEnd, room, teacherName }: About) => {
  const format = useFormat()
  return (
    <>
      {format.longDate(format.dateOf(scheduledStart))} ·{' '}
      <bdi className="nowrap">{format.times(scheduledStart, scheduledEnd)}</bdi>
      {room && (
        <>
          {' · '}
          <bdi>{format.room(room)}</bdi>
        </>
      )}
      {teacherName && (
        <>
          {' · '}
          <bdi>{teacherName}</bdi>
        </>
      )}
    </>
  )
}

/** Whoever marks a class so early may have opened another one than they wanted. */
const LONG_BEFORE_MILLIS = 30 * 60_000

const Taking = ({ roster: fresh, groupName }: { roster: Schemas['Roster']; groupName: string }) => {
  const { attendance: words } = useWords()
  const { can, institute } = useMe()
  const still = useStill(fresh, ({ entries }) => entries.map(({ studentId }) => studentId).join())
  const [hasAdded, setAdded] = useState(false)
  // Whom others enrol comes when nobody is about to tap; whom one adds oneself comes at once.
  const roster = hasAdded ? fresh : still
  const { sessionId, scheduledStart } = roster
  const marks = useMarks({ sessionId, scheduledStart, groupName }, roster)
  const saving = useSaving(marks)
  const format = useFormat()
  const now = useNow()
  const isCancelled = roster.status === 'cancelled'
  const isAhead = !isCancelled && Date.parse(scheduledStart) - now > LONG_BEFORE_MILLIS
  const mayMark = can('attendance.mark') && !institute.isReadOnly && !isCancelled
  if (!marks.isReady) return <Waiting />
  if (marks.conflict) {
    const { entries } = marks.conflict
    return <Conflict entries={entries} ours={marks.ours} isSaving={saving.isBusy} onSettle={saving.settle} />
  }
  return (
    <>
      {isCancelled && (
        <Notice meaning="info">
          <span className="grow">
            {words.cancelled} {roster.cancelReason !== null && words.cancelledFor(roster.cancelReason)}
          </span>
        </Notice>
      )}
      {isAhead && (
        <Notice meaning="info" icon="clock">
          <span className="grow">{words.notBegun(format.moment(scheduledStart))}</span>
        </Notice>
      )}
      {roster.entries.length === 0 && <Empty>{words.nobody}</Empty>}
      <RosterList roster={roster} marks={marks} saving={saving} mayMark={mayMark} onAdded={() => setAdded(true)} />
    </>
  )
}
