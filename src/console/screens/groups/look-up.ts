import { readStudents } from '../../records/student/reads.ts'
import type { PastedLine } from './pasted.ts'

/** A student whom somebody may mean. */
export interface Candidate {
  id: string
  name: string
  /** What tells those of one name apart. */
  number: string
}

export interface LookedUp extends PastedLine {
  candidates: readonly Candidate[]
}

const AT_ONCE = 4
const CANDIDATES = 6

const findStudents = async (q: string): Promise<Candidate[]> => {
  const { data } = await readStudents({ q: q.slice(0, 100), limit: CANDIDATES })
  return data.map(({ id, fullName, studentNumber }) => ({ id, name: fullName, number: studentNumber }))
}

/** Looks each line up, a few at a time. @throws Problem */
export const lookUp = async (lines: readonly PastedLine[]): Promise<LookedUp[]> => {
  const found: LookedUp[] = []
  for (let done = 0; done < lines.length; done += AT_ONCE) {
    const some = lines.slice(done, done + AT_ONCE)
    // oxlint-disable-next-line no-await-in-loop -- the server has others to serve too
    found.push(...(await Promise.all(some.map(async (one) => ({ ...one, candidates: await findStudents(one.line) })))))
  }
  return found
}
