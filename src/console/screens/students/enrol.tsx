import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { OpenGroups } from '../../records/group/open-groups.tsx'

interface EnrolSheetProps {
  student: Schemas['StudentDetail']
  /** The groups that the student is in already. */
  groupIds: readonly string[]
  isOpen: boolean
  onClose: () => void
}

/** Chooses the group to enrol in, with the free places of each. */
export const EnrolSheet = ({ student, groupIds, isOpen, onClose }: EnrolSheetProps) => {
  const { people, shell } = useWords()
  const { branchId } = useMe()
  const undo = useChange('enrollment', (id: string, header) =>
    answer(api.POST('/enrollments/{id}/drop', { params: { path: { id }, header }, body: {} })),
  )
  const enrol = useChange(
    'enrollment',
    ({ id: groupId }: Schemas['Group'], header) =>
      answer(api.POST('/enrollments', { params: { header }, body: { studentId: student.id, groupId } })),
    ({ id }, group) => {
      onClose()
      toast(people.enrolled(student.fullName, group.name), () => undo.mutate(id))
    },
  )
  return (
    <Sheet title={people.enrolTitle(student.fullName)} isOpen={isOpen} onClose={onClose}>
      {enrol.error && <ProblemNotice problem={enrol.error} />}
      <OpenGroups
        groupIds={groupIds}
        isBusy={enrol.isPending}
        branchId={branchId}
        autoFocus
        onChoose={(group) => enrol.mutate(group)}
      />
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
      </div>
    </Sheet>
  )
}
