import { Button as AriaButton } from 'react-aria-components/Button'
import { Link } from 'wouter'
import { useUnsent } from '../../api/intents/marks.ts'
import { Icon } from '../../parts/icon.tsx'
import { Badge } from '../../parts/notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** A class of today, as every list of them shows it. */
export interface TodaySession {
  id: string
  groupName: string
  /** Below the name: the room, the teacher, the course. */
  about: readonly (string | null)[]
  scheduledStart: string
  scheduledEnd: string
  status: 'scheduled' | 'held' | 'cancelled'
  rosterCount: number
  markedCount: number
}

/** Teachers open the list on their way to the class. */
const EARLY_MILLIS = 10 * 60_000

export const isRunning = ({ scheduledStart, scheduledEnd, status }: TodaySession, now: number): boolean =>
  status !== 'cancelled' && Date.parse(scheduledStart) - EARLY_MILLIS <= now && now < Date.parse(scheduledEnd)

export const isOver = ({ scheduledEnd }: Pick<TodaySession, 'scheduledEnd'>, now: number): boolean =>
  Date.parse(scheduledEnd) <= now

export const isMarked = ({ rosterCount, markedCount }: Pick<TodaySession, 'rosterCount' | 'markedCount'>): boolean =>
  rosterCount > 0 && markedCount >= rosterCount

/** Over, with students, and nobody took attendance. */
export const isForgotten = (session: TodaySession, now: number): boolean =>
  session.status !== 'cancelled' && session.rosterCount > 0 && session.markedCount === 0 && isOver(session, now)

/** Whether attendance of the class is kept in this browser and waits for the network. */
export const useIsUnsent = (sessionId: string): boolean =>
  useUnsent().some((kept) => kept.sessionId === sessionId && !kept.refusal)

const Unsent = () => {
  const { attendance } = useWords()
  return (
    <Badge meaning="warn" icon="clock">
      {attendance.unsent}
    </Badge>
  )
}

/** How far a class is marked: 12/14. */
export const Marked = ({ session, now }: { session: TodaySession; now: number }) => {
  const { today: words } = useWords()
  const isUnsent = useIsUnsent(session.id)
  const { status, rosterCount, markedCount } = session
  if (isUnsent) return <Unsent />
  if (status === 'cancelled') return <Badge>{words.cancelled}</Badge>
  if (isForgotten(session, now)) return <Badge meaning="warn">{words.notMarked}</Badge>
  if (rosterCount === 0) return null
  const meaning = isMarked(session) ? 'good' : markedCount > 0 ? 'warn' : undefined
  return (
    <Badge {...(meaning && { meaning })} {...(meaning === 'good' && { icon: 'tick' as const })}>
      <span aria-hidden="true" className="ltr">
        {markedCount}/{rosterCount}
      </span>
      <span className="unseen">{words.marked(markedCount, rosterCount)}</span>
    </Badge>
  )
}

/** Names, side by side. */
export const Names = ({ names }: { names: readonly (string | null)[] }) => {
  const there = names.filter((name): name is string => name !== null && name !== '')
  return there.map((name, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index}>
      {index > 0 && ' · '}
      <bdi>{name}</bdi>
    </span>
  ))
}

interface SessionRowProps {
  session: TodaySession
  now: number
  /** Whether it leads to the attendance. */
  isOpen?: boolean
  /** What it does instead. */
  onPress?: () => void
}

export const SessionRow = ({ session, now, isOpen = false, onPress }: SessionRowProps) => {
  const { today: words } = useWords()
  const format = useFormat()
  const isCancelled = session.status === 'cancelled'
  const isNow = isRunning(session, now)
  const content = (
    <>
      <span className="time">
        {format.time(session.scheduledStart)}
        {isNow && <span className="about">{words.now}</span>}
      </span>
      <span className="grow">
        <span className="name">
          {isCancelled ? <s>{<bdi>{session.groupName}</bdi>}</s> : <bdi>{session.groupName}</bdi>}
        </span>
        <span className="about">
          <Names names={session.about} />
        </span>
      </span>
      <Marked session={session} now={now} />
    </>
  )
  const className = ['row session', isNow && 'now', isCancelled && 'off'].filter(Boolean).join(' ')
  if (onPress) {
    return (
      <AriaButton className={`${className} plain`} onPress={onPress}>
        {content}
        <Icon name="forward" />
      </AriaButton>
    )
  }
  if (!isOpen) return <div className={className}>{content}</div>
  return (
    <Link href={`/sessions/${session.id}`} className={className}>
      {content}
      <Icon name="forward" />
    </Link>
  )
}

interface UnmarkedProps {
  session: { sessionId: string; groupName: string; scheduledStart: string; scheduledEnd: string; rosterCount: number }
}

/** A class of a day before that nobody marked. */
export const UnmarkedRow = ({ session }: UnmarkedProps) => {
  const { today: words, shell } = useWords()
  const format = useFormat()
  const isUnsent = useIsUnsent(session.sessionId)
  const date = format.dateOf(session.scheduledStart)
  const day =
    date === format.today() ? shell.today : date === format.yesterday() ? shell.yesterday : format.longDate(date)
  return (
    <Link href={`/sessions/${session.sessionId}`} className="row session">
      <span className="grow">
        <bdi className="name">{session.groupName}</bdi>
        <span className="about day">
          {day} · <bdi>{format.times(session.scheduledStart, session.scheduledEnd)}</bdi> ·{' '}
          {words.students(session.rosterCount)}
        </span>
      </span>
      {isUnsent && <Unsent />}
      <Icon name="forward" />
    </Link>
  )
}
