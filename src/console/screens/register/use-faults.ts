import { Problem } from '../../api/problem.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { useDraft, type Draft } from './draft.ts'
import { faultsOf, type FieldName } from './typed.ts'

/** What is wrong with a field, in words; undefined: nothing is known to be. */
export type FaultOf = (name: FieldName) => string | undefined

/** The faults of what is typed, once one has tried to save it, and what the server did not take. */
export const useFaults = (draft: Draft): FaultOf => {
  const { register: words } = useWords()
  const format = useFormat()
  const { typed, saved, isTried, failure } = useDraft(draft)
  const faults = isTried ? faultsOf(typed, saved, format.today()) : {}
  const issues = failure?.problem instanceof Problem ? failure.problem.issues : []
  return (name) => {
    const fault = faults[name]
    if (fault) return words.faults[fault]
    const [part, field] = name.split('.')
    const isRefused = part === failure?.part && issues.some(({ path }) => path[0] === field)
    if (!isRefused) return undefined
    return field === 'phone' ? words.faults.noPhone : field === 'email' ? words.faults.noEmail : words.notTaken
  }
}
