import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Form } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useNow } from '../../shell/now.ts'
import { ForeseenClashes } from '../../records/session/clashes.tsx'
import { useSessionChange, type LessonFormProps } from './change.ts'
import { useGroup } from '../../records/group/reads.ts'
import { useForeseen } from '../../records/session/reads.ts'
import { LessonTimes, timesOf, type TypedTimes } from '../../records/session/times.tsx'

/** Moves a lesson to another time, after it has said what that means. */
export const MoveForm = ({ session, onBack, onDone }: LessonFormProps) => {
  const { week: words } = useWords()
  const format = useFormat()
  const now = useNow()
  const { id, groupName, rosterCount, room, branchId } = session
  const lasts = (Date.parse(session.scheduledEnd) - Date.parse(session.scheduledStart)) / 60_000
  const [typed, setTyped] = useState<TypedTimes>({
    date: format.dateOf(session.scheduledStart),
    start: format.time(session.scheduledStart),
    end: format.time(session.scheduledEnd),
  })
  const [isTried, setTried] = useState(false)
  const change = useSessionChange(id)
  const undo = useSessionChange(id)
  const times = timesOf(typed, format.zone)
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
  const isPast = times !== undefined && times.start < new Date(now).toISOString()
  return (
    <Form onSubmit={() => void submit()}>
      {change.error && <ProblemNotice problem={change.error} />}
      <LessonTimes typed={typed} onChange={setTyped} lasts={lasts} isTried={isTried} />
      <div className="foreseen" role="status">
        {!isSame && isPast && (
          <Notice meaning="warn">
            <span className="grow">{words.isPast}</span>
          </Notice>
        )}
        {times && !isSame && <ForeseenClashes foreseen={foreseen} free={words.free} />}
        <Notice meaning="info">
          <span className="grow">
            {words.moves(rosterCount)} {rosterCount > 0 && !isPast && words.movesTold}
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
