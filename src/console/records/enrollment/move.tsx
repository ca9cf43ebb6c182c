import { answer, api, type Schemas } from '../../api/client.ts'
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

/** Chooses the group that a student goes to from this one. */
export const MoveSheet = ({ enrollmentId, student, group, groupIds, isOpen, onClose }: MoveSheetProps) => {
  const { people, shell } = useWords()
  const { branchId } = useMe()
  const move = useChange('enrollment', ({ id, groupId }: { id: string; groupId: string }, header) =>
    answer(api.POST('/enrollments/{id}/move', { params: { path: { id }, header }, body: { groupId } })),
  )
  const choose = async (to: Schemas['Group']) => {
    const moved = await move.mutateAsync({ id: enrollmentId, groupId: to.id }).catch(() => undefined)
    if (!moved) return
    onClose()
    toast(people.enrolled(student, to.name), () => move.mutate({ id: moved.id, groupId: group.id }))
  }
  return (
    <Sheet title={people.moveTitle(student, group.name)} isOpen={isOpen} onClose={onClose}>
      <p className="soft spaced">{people.moveText}</p>
      {move.error && <ProblemNotice problem={move.error} />}
      <OpenGroups
        groupIds={groupIds}
        isBusy={move.isPending}
        branchId={branchId}
        autoFocus
        onChoose={(to) => void choose(to)}
      />
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
      </div>
    </Sheet>
  )
}
