import { useWords } from '../../words/language.tsx'
import { useDraft, type Draft } from './draft.ts'
import type { Rehearsal } from './rehearsal.ts'
import { fieldOf, type FieldName } from './typed.ts'

/** What is wrong with a field, in words; undefined: nothing is known to be. */
export type FaultOf = (name: FieldName, value: string | null) => string | undefined

const KINDS = {
  firstName: 'noName',
  lastName: 'noName',
  phone: 'noPhone',
  email: 'noEmail',
  birthDate: 'future',
} as const

/** What the server says of the fields, once one has tried to save them. */
export const useFaults = (draft: Draft, rehearsal: Rehearsal | undefined): FaultOf => {
  const { register: words } = useWords()
  const { isTried, problem } = useDraft(draft)
  const issues = isTried ? (problem?.issues.length ? problem.issues : (rehearsal?.issues ?? [])) : []
  const faulty = new Set(issues.map(({ path }) => fieldOf(path)))
  return (name, value) => {
    if (!faulty.has(name)) return undefined
    if (name === 'relationship') return words.faults.noAnswer
    if (value === null || value.trim() === '') return words.faults.missing
    const kind = KINDS[name.split('.')[1] as keyof typeof KINDS]
    return kind === undefined ? words.notTaken : words.faults[kind]
  }
}
