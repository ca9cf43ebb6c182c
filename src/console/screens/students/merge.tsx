import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { FindPerson } from '../../parts/find-person.tsx'
import { usePhoneText } from '../../parts/phone.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Compared, MergeSheet, type CompareProps, type Facts, type MergeProps } from '../../records/merge/sheet.tsx'
import { readStudents, useStudent } from '../../records/student/reads.ts'

/** Two records of one student become one. */
export const MergeStudent = ({ kept, isOpen, onClose }: MergeProps) => {
  const { merge: words, people, family } = useWords()
  return (
    <MergeSheet
      kept={kept}
      isOpen={isOpen}
      onClose={onClose}
      find={(onChoose) => (
        <FindPerson
          label={words.find}
          none={family.noneFound}
          takenIds={[kept.id]}
          people={people.student}
          path="/students"
          read={readStudents}
          shown={({ fullName, studentNumber }) => ({ name: fullName, about: studentNumber })}
          onChoose={({ id }) => onChoose(id)}
        />
      )}
      compare={(props) => <Students {...props} />}
    />
  )
}

const Students = ({ kept, otherId, onClose }: CompareProps) => {
  const {
    people,
    imports: {
      labels: { fields },
    },
  } = useWords()
  const format = useFormat()
  const phoneText = usePhoneText()
  const [one, other] = [useStudent(kept.id), useStudent(otherId)]
  const change = useChange('merge', (dryRun: boolean, header) => {
    const params = { path: { id: kept.id }, header }
    return answer(api.POST('/students/{id}/merge', { params, body: { otherId, dryRun } }))
  })
  const factsOf = (student: Schemas['StudentDetail']): Facts => [
    [people.firstName, student.firstName],
    [people.lastName, student.lastName],
    [fields.studentNumber, student.studentNumber],
    [fields.nationalId, student.nationalId],
    [people.phone, student.phone && phoneText(student.phone)],
    [people.email, student.email],
    [fields.birthDate, student.birthDate && format.date(student.birthDate)],
    [fields.status, people.statuses[student.status]],
  ]
  const both = one.data && other.data ? ([factsOf(one.data), factsOf(other.data)] as const) : undefined
  return <Compared both={both} change={change} onClose={onClose} />
}
