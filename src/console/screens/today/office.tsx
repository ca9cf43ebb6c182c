import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Loaded, Waiting } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Format } from '../../words/format.ts'
import { useMe } from '../../shell/me.tsx'
import { useNow } from '../../shell/now.ts'
import { useStill } from '../../shell/user-idle.ts'
import { FirstSteps, NoClasses } from './first-steps.tsx'
import { Needs } from './needs.tsx'
import { useTeaching } from '../../records/session/reads.ts'
import { Absent } from './absent.tsx'
import { useAttention, useDay } from './reads.ts'
import { WalkIns } from './walk-ins.tsx'
import { isForgotten, SessionRow, type TodaySession } from '../../records/session/row.tsx'
import { CurrentClass, currentOf, taughtSession } from './teacher-day.tsx'

const timetabled = ({ room, teacherName, ...session }: Schemas['TimetableSession'], format: Format): TodaySession => ({
  ...session,
  about: [session.cancelReason, teacherName, room && format.room(room)],
})

const Classes = ({ all }: { all: readonly Schemas['TimetableSession'][] }) => {
  const { can } = useMe()
  const format = useFormat()
  const now = useNow()
  const sessions = useStill(all, (seen) => seen.map(({ id }) => id).join())
  if (sessions.length === 0) return <NoClasses />
  return (
    <ul className="card">
      {sessions.map((session) => (
        <li key={session.id}>
          <SessionRow session={timetabled(session, format)} now={now} isOpen={can('attendance.read')} />
        </li>
      ))}
    </ul>
  )
}

/** What somebody of the office teaches themself. */
const OwnClass = ({ day }: { day: Schemas['TeachingDay'] }) => {
  const format = useFormat()
  const now = useNow()
  const fresh = useMemo(
    () =>
      currentOf(
        day.sessions.map((session) => taughtSession(session, format)),
        now,
      ),
    [day, format, now],
  )
  const current = useStill(fresh, (seen) => seen?.id ?? '')
  return current ? <CurrentClass session={current} now={now} /> : null
}

/** The day of an office: what needs somebody, then all classes. */
export const Office = () => {
  const { today: words } = useWords()
  const { can, branchId } = useMe()
  const format = useFormat()
  const now = useNow()
  const mayRead = can('groups.read')
  const attention = useAttention()
  const teaching = useTeaching({ isOff: !can('attendance.mark') })
  const day = useDay(branchId, { isOff: !mayRead })
  const setUp = attention.data?.setUp
  const forgotten = (day.data ?? []).filter((session) => isForgotten(timetabled(session, format), now)).length
  // What stands above others comes first, so that nothing moves down.
  if (attention.isPending || teaching.isLoading) {
    return (
      <Page title={words.title} about={format.longDate(format.today())}>
        <Waiting />
      </Page>
    )
  }
  return (
    <Page title={words.title} about={format.longDate(attention.data?.date ?? format.today())}>
      {setUp && !setUp.group && <FirstSteps done={setUp} />}
      {teaching.data && <OwnClass day={teaching.data} />}
      <Section title={words.needs}>
        <Loaded query={attention}>
          {(needed) => <Needs attention={needed} forgottenToday={can('attendance.read') ? forgotten : 0} />}
        </Loaded>
      </Section>
      {attention.data?.walkIns ? <WalkIns /> : null}
      {mayRead && (
        <Section title={words.classes}>
          <Loaded query={day}>{(sessions) => <Classes all={sessions} />}</Loaded>
        </Section>
      )}
      {can('attendance.read') && <Absent />}
      {/* Once there are classes, these come first. */}
      {setUp?.group && <FirstSteps done={setUp} />}
    </Page>
  )
}
