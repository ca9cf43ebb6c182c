import type { Schemas } from '../../api/client.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge } from '../../parts/notice.tsx'
import { useInstant } from '../../shell/now.ts'
import { useFormat, useWords } from '../../words/language.tsx'

type Status = Schemas['AttendanceStatus']

/** Whether a student was there: in a word, with a meaning of its own. */
export const Presence = ({ status, minutesLate }: { status: Status; minutesLate: number }) => {
  const { own: words } = useWords()
  if (status === 'present') {
    return (
      <Badge meaning="good" icon="tick">
        {words.present}
      </Badge>
    )
  }
  if (status === 'absent') {
    return (
      <Badge meaning="bad" icon="cross">
        {words.absent}
      </Badge>
    )
  }
  if (status === 'excused') return <Badge meaning="info">{words.excused}</Badge>
  return (
    <Badge meaning="warn" icon="clock">
      {minutesLate > 0 ? words.lateBy(minutesLate) : words.late}
    </Badge>
  )
}

interface Lesson {
  groupName: string
  room: string | null
  scheduledStart: string
  scheduledEnd: string
  status: Schemas['ScheduledSession']['status']
  cancelReason: string | null
  /** What it is about; left out: not known here. */
  topic?: string | null
}

interface LessonRowProps {
  lesson: Lesson
  /** How it was marked; undefined: nobody looks at that here. */
  mark?: { status: Status; minutesLate: number } | null
  /** Whose lesson it is, where there are several; '' where there is nobody to tell apart. */
  who?: string
}

/** A lesson of a student, as the family sees it. */
export const LessonRow = ({ lesson, mark, who = '' }: LessonRowProps) => {
  const { own: words, today } = useWords()
  const format = useFormat()
  const now = useInstant()
  const { groupName, room, scheduledStart, scheduledEnd, status, cancelReason, topic = null } = lesson
  const isCancelled = status === 'cancelled'
  const isNow = !isCancelled && scheduledStart <= now && now < scheduledEnd
  return (
    <div className={isCancelled ? 'row session off' : 'row session'}>
      <span className="time">{format.time(scheduledStart)}</span>
      <span className="grow">
        <span className="name">
          {isCancelled ? (
            <s>
              <bdi>{groupName}</bdi>
            </s>
          ) : (
            <bdi>{groupName}</bdi>
          )}
        </span>
        <span className="about">
          <Dotted>
            <bdi className="nowrap">{format.times(scheduledStart, scheduledEnd)}</bdi>
            {room !== null && <bdi>{format.room(room)}</bdi>}
            {who !== '' && who}
          </Dotted>
        </span>
        {topic !== null && (
          <span className="about">
            <bdi>{topic}</bdi>
          </span>
        )}
        {isCancelled && cancelReason !== null && (
          <span className="about long">
            <bdi>{cancelReason}</bdi>
          </span>
        )}
      </span>
      {isCancelled && <Badge>{today.cancelled}</Badge>}
      {mark && <Presence {...mark} />}
      {!mark && isNow && <Badge meaning="info">{today.now}</Badge>}
      {mark === null && !isCancelled && scheduledEnd <= now && <Badge>{words.unmarked}</Badge>}
    </div>
  )
}
