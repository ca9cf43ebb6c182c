import { useDeferredValue, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Field } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Initials } from '../../parts/person.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import { readStudents } from '../../records/student/reads.ts'

const SHORTEST = 2

interface AddStudentProps {
  roster: Schemas['Roster']
  onAdded: (studentId: string) => void
  onClose: () => void
}

const Search = ({ roster, onAdded, onClose }: AddStudentProps) => {
  const { attendance: words } = useWords()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const found = useGet(['/students', 'who came', q], (signal) => readStudents({ q, limit: 10 }, signal), {
    isOff: q.length < SHORTEST,
    keepsFormer: true,
  })
  // Whoever came belongs to the group since this class began: only then do they stand on its roster.
  const [enrolledAt] = useState(() => earlier(roster.scheduledStart))
  const enrol = useChange('enrollment', (studentId: string, header) =>
    answer(api.POST('/enrollments', { params: { header }, body: { studentId, groupId: roster.groupId, enrolledAt } })),
  )
  const onRoster = new Set(roster.entries.map(({ studentId }) => studentId))
  const choose = (student: Schemas['Student']) =>
    enrol.mutate(student.id, {
      onSuccess: () => {
        onAdded(student.id)
        onClose()
      },
    })
  return (
    <>
      <Field label={words.addWho} hint={words.addHint} value={typed} onChange={setTyped} autoFocus maxLength={100} />
      {enrol.error && <ProblemNotice problem={enrol.error} />}
      {q.length >= SHORTEST && (
        <Loaded query={found}>
          {({ data }) => {
            const others = data.filter(({ id }) => !onRoster.has(id))
            if (others.length === 0) return <Empty>{words.addNone}</Empty>
            return (
              <ul className="card candidates">
                {others.map((student) => (
                  <li key={student.id}>
                    <AriaButton className="row plain" isDisabled={enrol.isPending} onPress={() => choose(student)}>
                      <Initials name={`${student.firstName} ${student.lastName}`} />
                      <span className="grow">
                        <bdi className="name">{`${student.firstName} ${student.lastName}`}</bdi>
                        <span className="about">
                          <span className="ltr">{student.studentNumber}</span>
                        </span>
                      </span>
                    </AriaButton>
                  </li>
                ))}
              </ul>
            )
          }}
        </Loaded>
      )}
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
