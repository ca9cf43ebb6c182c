import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Form } from '../../parts/field.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useStaff } from '../../records/staff/reads.ts'
import { ForeseenClashes } from '../../records/session/clashes.tsx'
import { useSessionChange, type LessonFormProps } from './change.ts'
import { useForeseen } from '../../records/session/reads.ts'

const OWN = 'own'

/** Gives a lesson to another teacher, or corrects who gave it. */
export const SubstituteForm = ({ session, onBack, onDone }: LessonFormProps) => {
  const { week: words, groups, shell } = useWords()
  const { groupName, branchId, scheduledStart, scheduledEnd } = session
  const staff = useStaff()
  const before = session.teacherStaffId ?? OWN
  const [chosen, setChosen] = useState(before)
  const change = useSessionChange(session.id)
  const isSame = chosen === before
  const times = [{ start: scheduledStart, end: scheduledEnd }]
  const foreseen = useForeseen(
    isSame || chosen === OWN ? undefined : { teacherStaffId: chosen, branchId, times, own: { sessionId: session.id } },
  )
  const submit = async () => {
    if (isSame || change.isPending) return
    const changed = await change.mutateAsync({ teacherStaffId: chosen === OWN ? null : chosen }).catch(() => undefined)
    if (!changed) return
    const name = staff.data?.find(({ id }) => id === chosen)?.fullName
    toast(name === undefined ? words.ownAgain(groupName) : words.substituted(name, groupName))
    onDone()
  }
  return (
    <Form onSubmit={() => void submit()}>
      {change.error && <ProblemNotice problem={change.error} />}
      <Choice
        label={groups.teacher}
        options={[
          { id: OWN, label: words.ownTeacher },
          ...(staff.data ?? []).map(({ id, fullName }) => ({ id, label: fullName })),
        ]}
        value={chosen}
        onChange={setChosen}
        autoFocus
      />
      <div className="foreseen" role="status">
        {!isSame && chosen !== OWN && <ForeseenClashes foreseen={foreseen} free={words.teacherFree} />}
      </div>
      <div className="actions">
        <Button onPress={onBack}>{words.back}</Button>
        <Button type="submit" look="primary" isBusy={change.isPending} isDisabled={isSame}>
          {shell.save}
        </Button>
      </div>
    </Form>
  )
}
