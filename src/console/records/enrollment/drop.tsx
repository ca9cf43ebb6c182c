import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

interface DropQuestionProps {
  enrollmentId: string
  student: string
  group: string
  isOpen: boolean
  onClose: () => void
}

/** Asks before a student is dropped from a group. */
export const DropQuestion = ({ enrollmentId, student, group, isOpen, onClose }: DropQuestionProps) => {
  const { people } = useWords()
  const drop = useChange('enrollment', async (_, header) => {
    await answer(api.POST('/enrollments/{id}/drop', { params: { path: { id: enrollmentId }, header }, body: {} }))
    toast(people.dropped(student, group))
  })
  return (
    <Confirm
      title={people.dropTitle(student, group)}
      verb={people.drop}
      isDangerous
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => drop.mutateAsync(undefined)}
    >
      <p>{people.dropText}</p>
    </Confirm>
  )
}
