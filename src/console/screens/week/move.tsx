import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useNow } from '../../shell/now.ts'
import { ForeseenClashes } from '../../records/session/clashes.tsx'
import { useSessionChange, type LessonFormProps } from './change.ts'
import { useGroup } from '../../records/group/reads.ts'
import { useForeseen } from '../../records/session/reads.ts'
import { faultsOf, LessonTimes, timesOf, type TypedTimes } from '../../records/session/times.tsx'

/** Moves a lesson to another time, after it has said what that means. */
export const MoveForm = ({ session, onBack, onDone }: LessonFormProps) => {
  const { week: words } = useWords()
  const format = useFormat()
  const now = useNow()
  const { id, groupName, rosterCount, room, branchId } = session
  const lasts = (Date.parse(session.scheduledEnd) - Date.parse(session.scheduledStart)) / 60_000
  const change = useSessionChange(id)
  const undo = useSessionChange(id)
  const form = useForm<TypedTimes>({
    start: {
      date: format.dateOf(session.scheduledStart),
      start: format.time(session.scheduledStart),
      end: format.time(session.scheduledEnd),
    },
    rules: (typed) => faultsOf(typed, words, format.zone),
    send: async () => {
      if (!times) return
      await change.mutateAsync({ scheduledStart: times.start, scheduledEnd: times.end })
      const before = { scheduledStart: session.scheduledStart, scheduledEnd: session.scheduledEnd }
      toast(words.moved(groupName, format.moment(times.start)), () => undo.mutate(before))
      onDone()
    },
  })
  const times = timesOf(form.typed, format.zone)
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
  const isPast = times !== undefined && times.start < new Date(now).toISOString()
  return (
    <Form form={form} verb={words.moveIt} isDisabled={isSame} onCancel={onBack} cancelVerb={words.back}>
      <LessonTimes form={form} lasts={lasts} />
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
    </Form>
  )
}
