import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { DateField } from '../../parts/date-field.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

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
  const format = useFormat()
  const [lastDay, setLastDay] = useState<string | null>(null)
  const drop = useChange('enrollment', async (endedAt: string | null, header) => {
    const body = endedAt === null ? {} : { endedAt }
    await answer(api.POST('/enrollments/{id}/drop', { params: { path: { id: enrollmentId }, header }, body }))
    const isAhead = endedAt !== null && endedAt > format.today()
    toast(isAhead ? people.willDrop(student, group, format.date(endedAt)) : people.dropped(student, group))
  })
  return (
    <Confirm
      title={people.dropTitle(student, group)}
      verb={people.drop}
      isDangerous
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => drop.mutateAsync(lastDay)}
    >
      <p>{people.dropText}</p>
      <DateField label={people.lastDay} hint={people.lastDayHint} isOptional value={lastDay} onChange={setLastDay} />
    </Confirm>
  )
}
