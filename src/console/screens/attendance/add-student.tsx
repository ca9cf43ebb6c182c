import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import { FindStudent } from '../../records/student/find.tsx'

interface AddStudentProps {
  roster: Schemas['Roster']
  onAdded: (studentId: string) => void
  onClose: () => void
}

const Search = ({ roster, onAdded, onClose }: AddStudentProps) => {
  const { attendance: words } = useWords()
  // Whoever came belongs to the group since this class began: only then do they stand on its roster.
  const [enrolledAt] = useState(() => earlier(roster.scheduledStart))
  const enrol = useChange('enrollment', (studentId: string, header) =>
    answer(api.POST('/enrollments', { params: { header }, body: { studentId, groupId: roster.groupId, enrolledAt } })),
  )
  const since = useChange('enrollment', async (studentId: string): Promise<void> => {
    const query = { studentId, groupId: roster.groupId, status: 'active' as const }
    const { data } = await answer(api.GET('/enrollments', { params: { query } }))
    for (const { id } of data) {
      await answer(api.PATCH('/enrollments/{id}', { params: { path: { id } }, body: { enrolledAt } }))
    }
  })
  const [chosen, setChosen] = useState({ id: '', name: '' })
  const added = (id: string) => {
    onAdded(id)
    onClose()
  }
  const choose = ({ id, fullName }: Schemas['Student']) => {
    setChosen({ id, name: fullName })
    enrol.mutate(id, { onSuccess: () => added(id) })
  }
  return (
    <>
      {enrol.error?.reason === 'already_enrolled' ? (
        <Notice meaning="warn" isAlert>
          <span className="grow">{words.addedLater(chosen.name)}</span>
          <Button
            isBusy={since.isPending}
            onPress={() => since.mutate(chosen.id, { onSuccess: () => added(chosen.id) })}
          >
            {words.sinceThis}
          </Button>
        </Notice>
      ) : (
        enrol.error && <ProblemNotice problem={enrol.error} />
      )}
      {since.error && <ProblemNotice problem={since.error} />}
      <FindStudent
        label={words.addWho}
        hint={words.addHint}
        none={words.addNone}
        takenIds={roster.entries.map(({ studentId }) => studentId)}
        isBusy={enrol.isPending}
        onChoose={choose}
      />
    </>
  )
}

/** Nobody is enrolled in the future. */
const earlier = (start: string): string => {
  const now = new Date().toISOString()
  return start < now ? start : now
}

/** A child who came and is not on the list: found, enrolled, and marked like the others. */
export const AddStudent = (props: AddStudentProps) => {
  const { attendance: words } = useWords()
  return (
    <Sheet title={words.addTitle} isOpen onClose={props.onClose}>
      <Search {...props} />
    </Sheet>
  )
}
