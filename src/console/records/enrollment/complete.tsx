import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'

interface CompleteQuestionProps {
  enrollmentId: string
  student: string
  group: string
  isOpen: boolean
  onClose: () => void
}

/** Asks before it is said that a student has completed the group, which nothing takes back. */
export const CompleteQuestion = ({ enrollmentId, student, group, isOpen, onClose }: CompleteQuestionProps) => {
  const { people } = useWords()
  const complete = useChange('enrollment', async (_: void, header) => {
    await answer(api.POST('/enrollments/{id}/complete', { params: { path: { id: enrollmentId }, header } }))
    toast(people.completed(student, group))
  })
  return (
    <Confirm
      title={people.completeTitle(student, group)}
      verb={people.complete}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => complete.mutateAsync()}
    >
      <p>{people.completeText}</p>
    </Confirm>
  )
}
