import { useState } from 'react'
import { Link } from 'wouter'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useNow } from '../../shell/now.ts'
import { isMarked, Marked } from '../../records/session/row.tsx'
import { CancelForm } from './cancel.tsx'
import { ClashesOf } from '../../records/session/clashes.tsx'
import { MoveForm } from './move.tsx'
import type { Clash, Session } from '../../records/session/reads.ts'
import { SubstituteForm } from './substitute.tsx'

type Doing = 'reading' | 'moving' | 'cancelling' | 'substituting'

interface SessionSheetProps {
  /** undefined: none is open. */
  session: Session | undefined
  /** All of the week, among which are those that it clashes with. */
  sessions: readonly Session[]
  clashes: ReadonlyMap<string, readonly Clash[]>
  onClose: () => void
}

/** One lesson: when, where, who, and what can be done with it. */
export const SessionSheet = ({ session, onClose, ...rest }: SessionSheetProps) => {
  // What was open stays readable while the sheet closes.
  const [last, setLast] = useState(session)
  const [doing, setDoing] = useState<Doing>('reading')
  if (session && session !== last) {
    if (session.id !== last?.id) setDoing('reading')
    setLast(session)
  }
  const { week: words } = useWords()
  const close = () => {
    setDoing('reading')
    onClose()
  }
  if (!last) return null
  const { groupName, status } = last
  const titles: Readonly<Record<Doing, string>> = {
    reading: groupName,
    moving: words.moveTitle(groupName),
    cancelling: words.cancelTitle(groupName),
    substituting: (status === 'held' ? words.correctTitle : words.substituteTitle)(groupName),
  }
  const form = { session: last, onBack: () => setDoing('reading'), onDone: close }
  return (
    <Sheet title={titles[doing]} isOpen={session !== undefined} onClose={close}>
      {doing === 'reading' && <About session={last} {...rest} onDo={setDoing} onClose={close} />}
      {doing !== 'reading' && (
        <p className="soft spaced">
          <When session={last} />
        </p>
      )}
      {doing === 'moving' && <MoveForm {...form} />}
      {doing === 'cancelling' && <CancelForm {...form} />}
      {doing === 'substituting' && <SubstituteForm {...form} />}
    </Sheet>
  )
}

const When = ({ session }: { session: Session }) => {
  const format = useFormat()
  return (
    <Dotted>
      {format.longDate(format.dateOf(session.scheduledStart))}
      <bdi className="nowrap">{format.times(session.scheduledStart, session.scheduledEnd)}</bdi>
    </Dotted>
  )
}

/** Attendance is taken from half an hour before the lesson. */
const EARLY_MILLIS = 30 * 60_000

interface AboutProps extends Pick<SessionSheetProps, 'sessions' | 'clashes'> {
  session: Session
  onDo: (doing: Doing) => void
  onClose: () => void
}

const About = ({ session, sessions, clashes, onDo, onClose }: AboutProps) => {
  const { week: words, today, groups, shell } = useWords()
  const { can, institute } = useMe()
  const now = useNow()
  const isCancelled = session.status === 'cancelled'
  const isOpen = !isCancelled && Date.parse(session.scheduledStart) - EARLY_MILLIS <= now
  // Whoever may mark gives the lesson, or runs the office: the server refuses the others.
  const mayChange = can('groups.write', 'attendance.mark') && !institute.isReadOnly
  const mayMove = mayChange && session.status === 'scheduled'
  const isToTake = can('attendance.mark') && !isMarked(session)
  return (
    <>
      <Facts look="inset">
        <dt>{groups.when}</dt>
        <dd>
          <span>
            <When session={session} />
          </span>
        </dd>
        <dt>{groups.room}</dt>
        <dd>{session.room === null ? <span className="soft">{groups.noRoom}</span> : <bdi>{session.room}</bdi>}</dd>
        <dt>{groups.teacher}</dt>
        <dd>
          {session.teacherName === null ? (
            <span className="soft">{groups.noTeacher}</span>
          ) : (
            <bdi>{session.teacherName}</bdi>
          )}
        </dd>
        <dt>{groups.roster}</dt>
        <dd className="chips">
          {words.students(session.rosterCount)}
          {isOpen && <Marked session={{ ...session, about: [] }} now={now} />}
        </dd>
        {session.cancelReason !== null && (
          <>
            <dt>{shell.reason}</dt>
            <dd>
              <bdi>{session.cancelReason}</bdi>
            </dd>
          </>
        )}
        {session.topic !== null && (
          <>
            <dt>{groups.topic}</dt>
            <dd>
              <bdi>{session.topic}</bdi>
            </dd>
          </>
        )}
      </Facts>
      <ClashesOf session={session} sessions={sessions} clashes={clashes.get(session.id) ?? []} />
      {can('attendance.read') && isOpen && (
        <ButtonLink look={isToTake ? 'primary' : 'plain'} isWide to={`/sessions/${session.id}`}>
          {isToTake ? today.takeAttendance : today.seeAttendance}
        </ButtonLink>
      )}
      {mayChange && !isCancelled && (
        <div className="choices-of-lesson">
          {mayMove && <Button onPress={() => onDo('moving')}>{words.move}</Button>}
          {can('staff.read') && (
            <Button onPress={() => onDo('substituting')}>
              {session.status === 'held' ? words.correctTeacher : words.substitute}
            </Button>
          )}
          {mayMove && <Button onPress={() => onDo('cancelling')}>{words.cancel}</Button>}
        </div>
      )}
      <div className="actions">
        <Link href={`/groups/${session.groupId}`} className="button quiet">
          {words.openGroup}
        </Link>
        <span className="grow" />
        <Button onPress={onClose}>{shell.close}</Button>
      </div>
    </>
  )
}
