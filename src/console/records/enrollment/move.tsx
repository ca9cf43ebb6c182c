import { answer, api } from '../../api/client.ts'
import type { IntentHeader } from '../../api/intents/intent.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
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
}

const send = ({ id, to }: Move, header: IntentHeader) =>
  answer(api.POST('/enrollments/{id}/move', { params: { path: { id }, header }, body: { groupId: to.id } }))

/** Chooses the group that a student goes to from this one. */
export const MoveSheet = ({ enrollmentId, student, group, groupIds, isOpen, onClose }: MoveSheetProps) => {
  const { people, shell } = useWords()
  const { branchId } = useMe()
  const back = useChange('enrollment', send)
  const move = useChange('enrollment', send, (moved, { to }) => {
    onClose()
    toast(people.enrolled(student, to.name), () => back.mutate({ id: moved.id, to: group }))
  })
  return (
    <Sheet title={people.moveTitle(student, group.name)} isOpen={isOpen} onClose={onClose}>
      <p className="soft spaced">{people.moveText}</p>
      {move.error && <ProblemNotice problem={move.error} />}
      <OpenGroups
        groupIds={groupIds}
        isBusy={move.isPending}
        branchId={branchId}
        autoFocus
        onChoose={(to) => move.mutate({ id: enrollmentId, to })}
      />
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
      </div>
    </Sheet>
  )
}
