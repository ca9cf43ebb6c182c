import type { Schemas } from '../../api/schemas.ts'
import { pointsOf } from '../../records/exam/points.ts'

export type Cell = Schemas['GradebookResult']

/** A student of the exam, and what stands of them. */
export interface Line {
  studentId: string
  name: string
  stands: Cell
}

/** What somebody typed for a student. */
export interface Typed {
  /** A number, or `-` for whoever was absent. */
  score: string
  remarks: string
  /** When what stood there was entered; null: nothing stood there. */
  seenAt: string | null
}

export type TypedOf = ReadonlyMap<string, Typed>

/** The one sign for whoever was absent. */
export const ABSENT = '-'

/** How people write it: a dash of any keyboard, or the word that stands in their own lists. */
const ABSENCE = /^(?:[-\u2010-\u2015\u2212\u05BE]+|נעדר[הת]?|נעדר\/ה|חסרה?|غائبة?|غائب\/ة|غياب|absent)$/i
export const isAbsence = (text: string): boolean => ABSENCE.test(text)

/** What a typed score means; `wrong`: it is no number, or more than the exam has. */
export const readScore = (typed: string, maxScore: number): { score: number | null; isAbsent: boolean } | 'wrong' => {
  const text = typed.trim()
  if (text === '') return { score: null, isAbsent: false }
  if (isAbsence(text)) return { score: null, isAbsent: true }
  const score = pointsOf(text)
  return score === undefined || score > maxScore ? 'wrong' : { score, isAbsent: false }
}

/** What stands, as one would type it. */
export const typedOf = ({ score, isAbsent, remarks, updatedAt }: Cell): Typed => ({
  score: isAbsent ? ABSENT : score === null ? '' : String(score),
  remarks: remarks ?? '',
  seenAt: updatedAt,
})

/** What an entry means; a score that nobody changed is the one that stands, also where nobody would type it so. */
export const readEntry = ({ score }: Typed, stands: Cell, maxScore: number): ReturnType<typeof readScore> =>
  score === typedOf(stands).score ? stands : readScore(score, maxScore)

export const isAsBefore = (typed: Typed, stands: Cell): boolean => {
  const { score, remarks } = typedOf(stands)
  return typed.score.trim() === score && typed.remarks.trim() === remarks
}
