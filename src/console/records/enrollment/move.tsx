import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import type { IntentHeader } from '../../api/intents/intent.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { OpenGroups } from '../group/open-groups.tsx'

interface MoveSheetProps {
  enrollmentId: string
  student: string
  group: { id: string; name: string }
  /** The groups that the student is in already, as far as they are known. */
  groupIds: readonly string[]
  isOpen: boolean
  onClose: () => void
}

interface Move {
  /** Of the enrolment that ends. */
  id: string
  to: { id: string; name: string }
  /** The first day in the other group; null: now. */
  firstDay: string | null
}

const send = ({ id, to, firstDay }: Move, header: IntentHeader) => {
  const body = { groupId: to.id, ...(firstDay !== null && { enrolledAt: firstDay }) }
  return answer(api.POST('/enrollments/{id}/move', { params: { path: { id }, header }, body }))
}

/** Chooses the group that a student goes to from this one. */
export const MoveSheet = ({ enrollmentId, student, group, groupIds, isOpen, onClose }: MoveSheetProps) => {
  const { people, shell } = useWords()
  const { branchId } = useMe()
  const [firstDay, setFirstDay] = useState<string | null>(null)
  const back = useChange('enrollment', send)
  const move = useChange('enrollment', send, (moved, { to }) => {
    onClose()
    // What begins on another day has no way back by one press.
    const undo = firstDay === null ? () => back.mutate({ id: moved.id, to: group, firstDay }) : undefined
    toast(people.enrolled(student, to.name), undo)
  })
  return (
    <Sheet title={people.moveTitle(student, group.name)} isOpen={isOpen} onClose={onClose}>
      <p className="soft spaced">{people.moveText}</p>
      <DateField
        label={people.firstDay}
        hint={people.firstDayHint}
        isOptional
        value={firstDay}
        onChange={setFirstDay}
      />
      {move.error && <ProblemNotice problem={move.error} />}
      <OpenGroups
        groupIds={groupIds}
        isBusy={move.isPending}
        branchId={branchId}
        autoFocus
        onChoose={(to) => move.mutate({ id: enrollmentId, to, firstDay })}
      />
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
      </div>
    </Sheet>
  )
}
