import { readStudents } from '../../records/student/reads.ts'
import type { PastedLine, Question } from './pasted.ts'

/** A student whom somebody may mean. */
export interface Candidate {
  id: string
  name: string
  /** What tells those of one name apart. */
  number: string
}

export interface LookedUp extends PastedLine {
  candidates: readonly Candidate[]
  /** Whether the one candidate is whom the line means: nobody else has its numbers. */
  isSure: boolean
}

const AT_ONCE = 4
const CANDIDATES = 6

const ask = async (question: Question): Promise<Candidate[]> => {
  const asked = 'q' in question ? { q: question.q.slice(0, 100) } : { nationalId: question.nationalId }
  const { data } = await readStudents({ ...asked, limit: CANDIDATES })
  return data.map(({ id, fullName, studentNumber }) => ({ id, name: fullName, number: studentNumber }))
}

/** Those whom the surest question finds that finds anybody. A name alone is not who has another number. */
const findStudents = async (questions: readonly Question[]): Promise<Pick<LookedUp, 'candidates' | 'isSure'>> => {
  let isSure = true
  for (const question of questions) {
    // oxlint-disable-next-line no-await-in-loop -- the next is asked only where this one finds nobody
    const candidates = await ask(question)
    if (candidates.length > 0) return { candidates, isSure: isSure && candidates.length === 1 }
    if ('nationalId' in question || question.isNumber) isSure = false
  }
  return { candidates: [], isSure: false }
}

/** Looks each line up, a few at a time. @throws Problem */
export const lookUp = async (lines: readonly PastedLine[]): Promise<LookedUp[]> => {
  const found: LookedUp[] = []
  for (let done = 0; done < lines.length; done += AT_ONCE) {
    const some = lines.slice(done, done + AT_ONCE)
    // oxlint-disable-next-line no-await-in-loop -- the server has others to serve too
    found.push(...(await Promise.all(some.map(async (one) => ({ ...one, ...(await findStudents(one.questions)) })))))
  }
  return found
}
