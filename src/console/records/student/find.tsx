import type { Schemas } from '../../api/client.ts'
import type { Option } from '../../parts/choose.tsx'
import { FindPerson } from '../../parts/find-person.tsx'
import { SearchChoice } from '../../parts/search-choice.tsx'
import { useWords } from '../../words/language.tsx'
import { readStudents } from './reads.ts'

const OFFERED = 10

interface FindStudentProps {
  label: string
  hint?: string
  none: string
  takenIds: readonly string[]
  taken?: string
  isBusy?: boolean
  onChoose: (student: Schemas['Student']) => void
}

/** Finds a student as one types, and stays until one is chosen. */
export const FindStudent = (props: FindStudentProps) => {
  const { people } = useWords()
  return (
    <FindPerson
      {...props}
      people={people.title}
      path="/students"
      read={readStudents}
      shown={({ fullName, studentNumber }) => ({ name: fullName, about: studentNumber })}
    />
  )
}

const find = async (q: string, signal: AbortSignal): Promise<Option<string>[]> => {
  const { data } = await readStudents({ limit: OFFERED, ...(q !== '' && { q: q.slice(0, 100) }) }, signal)
  return data.map(({ id, fullName, studentNumber }) => ({ id, label: fullName, about: studentNumber }))
}

/** A field that has the focus at first would open its list over the page: it offers nobody until one types. */
const findTyped: typeof find = async (q, signal) => (q.trim() === '' ? [] : find(q, signal))

interface StudentChoiceProps {
  label: string
  hint?: string
  autoFocus?: boolean
  /** @param student with the name as label, and the number */
  onChoose: (student: Option<string>) => void
}

/** Chooses students in a field, one after the other: the newest are offered when one enters it. */
export const StudentChoice = (props: StudentChoiceProps) => (
  <SearchChoice {...props} find={props.autoFocus ? findTyped : find} />
)
