import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Form, useForm } from '../../parts/form.tsx'
import { RecordChoice } from '../../parts/record-choice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useStaffMember, useStaffSource } from '../../records/staff/reads.ts'
import { ForeseenClashes } from '../../records/session/clashes.tsx'
import { useMe } from '../../shell/me.tsx'
import { useSessionChange, type LessonFormProps } from './change.ts'
import { useForeseen } from '../../records/session/reads.ts'

const OWN = 'own'

/** Gives a lesson to another teacher, or corrects who gave it. */
export const SubstituteForm = ({ session, onBack, onDone }: LessonFormProps) => {
  const { week: words, groups } = useWords()
  const { groupName, branchId, scheduledStart, scheduledEnd } = session
  const teachers = useStaffSource()
  const { can } = useMe()
  const before = useStaffMember(session.teacherStaffId)
  const [chosen, setChosen] = useState<Schemas['Staff']>()
  const change = useSessionChange(session.id)
  const form = useForm({
    start: { teacherStaffId: session.teacherStaffId ?? OWN },
    send: async (typed) => {
      await change.mutateAsync({ teacherStaffId: typed.teacherStaffId === OWN ? null : typed.teacherStaffId })
      toast(chosen === undefined ? words.ownAgain(groupName) : words.substituted(chosen.fullName, groupName))
      onDone()
    },
  })
  const { teacherStaffId } = form.typed
  const isSame = teacherStaffId === (session.teacherStaffId ?? OWN)
  const times = [{ start: scheduledStart, end: scheduledEnd }]
  const foreseen = useForeseen(
    isSame || teacherStaffId === OWN ? undefined : { teacherStaffId, branchId, times, own: { sessionId: session.id } },
  )
  return (
    <Form form={form} isDisabled={isSame} onCancel={onBack} cancelVerb={words.back}>
      <RecordChoice
        label={groups.teacher}
        source={teachers}
        first={[{ id: OWN, label: words.ownTeacher }]}
        chosen={before.data && teachers.optionOf(before.data)}
        {...form.field('teacherStaffId')}
        onChange={(id, teacher) => {
          form.set({ teacherStaffId: id })
          setChosen(teacher)
        }}
        autoFocus
      />
      {/* Whoever works for the whole institute sees its members. */}
      {!can('members.read') && <p className="hint">{words.ofYourBranches}</p>}
      <div className="foreseen" role="status">
        {!isSame && teacherStaffId !== OWN && <ForeseenClashes foreseen={foreseen} free={words.teacherFree} />}
      </div>
    </Form>
  )
}
