import { answer, api, type Schemas } from '../../api/client.ts'
import { rosterKey } from '../../api/intents/marks.ts'
import { queryClient, useChange } from '../../api/queries.ts'
import { FindPerson } from '../../parts/find-person.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'

interface AddWalkInProps {
  roster: Schemas['Roster']
  /** @param roster with whoever was added */
  onAdded: (studentId: string, roster: Schemas['Roster']) => void
  onClose: () => void
}

/** Somebody who came and is not on the list, for who marks and does not enrol: found, and marked as a guest. */
export const AddWalkIn = ({ roster, onAdded, onClose }: AddWalkInProps) => {
  const { attendance: words, people } = useWords()
  const { sessionId } = roster
  const path = { id: sessionId }
  const add = useChange('attendance', async (studentId: string, header) => {
    const params = { path, header }
    const added = await answer(api.POST('/sessions/{id}/walk-ins', { params, body: { studentId } }))
    queryClient.setQueryData(rosterKey(sessionId), added)
    return added
  })
  const choose = (id: string) =>
    add.mutate(id, {
      onSuccess: (added) => {
        onAdded(id, added)
        onClose()
      },
    })
  return (
    <Sheet title={words.addTitle} isOpen onClose={onClose}>
      {add.error && <ProblemNotice problem={add.error} />}
      <FindPerson
        label={words.addWho}
        hint={words.walkInHint}
        none={words.walkInNone}
        people={people.title}
        path={`/sessions/${sessionId}/walk-ins`}
        read={async ({ q }, signal) => {
          const params = { path, query: { q } }
          const { students } = await answer(api.GET('/sessions/{id}/walk-ins/candidates', { params, signal }))
          return { data: students.map((student) => ({ ...student, id: student.studentId })), nextCursor: null }
        }}
        shown={({ fullName, studentNumber }) => ({ name: fullName, about: studentNumber })}
        takenIds={[]}
        isBusy={add.isPending}
        onChoose={({ id }) => choose(id)}
      />
    </Sheet>
  )
}
