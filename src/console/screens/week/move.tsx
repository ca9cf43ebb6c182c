import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Form } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { TimeField } from '../../parts/time-field.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../shell/language.tsx'
import { useNow } from '../../shell/still.ts'
import { addDays } from '../../words/format.ts'
import { instantOf } from '../../words/zone.ts'
import { ForeseenClashes } from './clashes.tsx'
import { useSessionChange, type LessonFormProps } from './change.ts'
import { DAY_MINUTES } from './layout.ts'
import { useForeseen, useGroup } from './queries.ts'

/** Moves a lesson to another time, after it has said what that means. */
export const MoveForm = ({ session, onBack, onDone }: LessonFormProps) => {
  const { week: words } = useWords()
  const format = useFormat()
  const now = useNow()
  const { id, groupName, rosterCount, room, branchId } = session
  const lasts = (Date.parse(session.scheduledEnd) - Date.parse(session.scheduledStart)) / 60_000
  const [date, setDate] = useState<string | null>(format.dateOf(session.scheduledStart))
  const [start, setStart] = useState<string | null>(format.time(session.scheduledStart))
  const [end, setEnd] = useState<string | null>(format.time(session.scheduledEnd))
  const [isTried, setTried] = useState(false)
  const change = useSessionChange(id)
  const undo = useSessionChange(id)
  const begin = (time: string | null) => {
    setStart(time)
    // It stays as long as it was, within its day.
    if (time !== null && date !== null) {
      const until = new Date(Date.parse(instantOf(date, time, format.zone)) + lasts * 60_000).toISOString()
      if (lasts < DAY_MINUTES) setEnd(format.time(until))
    }
  }
  const times =
    date !== null && start !== null && end !== null ? timesOf({ date, start, end, zone: format.zone }) : undefined
  const isMistyped = date !== null && start !== null && end !== null && times === undefined
  const isSame = times?.start === session.scheduledStart && times.end === session.scheduledEnd
  const group = useGroup(session.teacherStaffId === null ? session.groupId : undefined)
  const teacherStaffId = session.teacherStaffId ?? group.data?.teacherStaffId ?? undefined
  const isKnown = session.teacherStaffId !== null || group.data !== undefined
  const foreseen = useForeseen(
    times && !isSame && isKnown
      ? {
          branchId,
          times: [times],
          own: { sessionId: id },
          ...(teacherStaffId && { teacherStaffId }),
          ...(room !== null && { room }),
        }
      : undefined,
  )
  const submit = async () => {
    setTried(true)
    if (!times || isSame || change.isPending) return
    const before = { scheduledStart: session.scheduledStart, scheduledEnd: session.scheduledEnd }
    const moved = await change
      .mutateAsync({ scheduledStart: times.start, scheduledEnd: times.end })
      .catch(() => undefined)
    if (!moved) return
    toast(words.moved(groupName, format.moment(times.start)), () => undo.mutate(before))
    onDone()
  }
  const missing = (value: string | null) => (isTried && value === null ? words.missing : undefined)
  return (
    <Form onSubmit={() => void submit()}>
      {change.error && <ProblemNotice problem={change.error} />}
      <DateField label={words.date} value={date} onChange={setDate} error={missing(date)} autoFocus />
      <div className="pair">
        <TimeField label={words.starts} value={start} onChange={begin} error={missing(start)} />
        <TimeField
          label={words.ends}
          value={end}
          onChange={setEnd}
          error={missing(end) ?? (isMistyped ? words.endFirst : undefined)}
        />
      </div>
      <div className="foreseen" role="status">
        {!isSame && times && times.start < new Date(now).toISOString() && (
          <Notice meaning="warn">
            <span className="grow">{words.isPast}</span>
          </Notice>
        )}
        {times && !isSame && <ForeseenClashes foreseen={foreseen} free={words.free} />}
        <Notice meaning="info">
          <span className="grow">
            {words.moves(rosterCount)} {rosterCount > 0 && words.movesQuietly}
          </span>
        </Notice>
      </div>
      <div className="actions">
        <Button onPress={onBack}>{words.back}</Button>
        <Button type="submit" look="primary" isBusy={change.isPending} isDisabled={isSame}>
          {words.moveIt}
        </Button>
      </div>
    </Form>
  )
}

interface Typed {
  date: string
  start: string
  end: string
  zone: string
}

/** As long as a lesson may last that ends on the day after: what would be longer is mistyped. */
const LONGEST_NIGHT_MILLIS = 12 * 3_600_000

/** undefined: it would end before it begins. */
const timesOf = ({ date, start, end, zone }: Typed): { start: string; end: string } | undefined => {
  const begins = instantOf(date, start, zone)
  const sameDay = instantOf(date, end, zone)
  if (sameDay > begins) return { start: begins, end: sameDay }
  const dayAfter = instantOf(addDays(date, 1), end, zone)
  const isNight = Date.parse(dayAfter) - Date.parse(begins) <= LONGEST_NIGHT_MILLIS
  return isNight ? { start: begins, end: dayAfter } : undefined
}
