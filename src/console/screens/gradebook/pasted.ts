import { isSameName } from '../../../shared/names.ts'
import { DASHES, type Line } from './scores.ts'
import { pointsOf } from '../../records/exam/points.ts'

/** What was pasted, by student, and the lines of which nobody knows whose they are. */
interface Pasted {
  scores: ReadonlyMap<string, string>
  unknown: readonly string[]
}

interface PastedLine {
  name: string
  score: string | undefined
}

const isScore = (text: string): boolean => DASHES.test(text) || pointsOf(text) !== undefined

const readLine = (line: string): PastedLine => {
  const cells = line.split('\t').map((cell) => cell.trim())
  const at = cells.findLastIndex(isScore)
  return {
    name: cells.filter((cell, index) => index !== at && cell !== '').join(' '),
    score: at === -1 ? undefined : cells[at],
  }
}

/** Rows that begin with a number of their own have the name after it. */
const withoutNumber = (name: string): string => name.replace(/^[\d.\s]+/, '')

const byNames = (lines: readonly PastedLine[], students: readonly Line[]): Pasted => {
  const scores = new Map<string, string>()
  const unknown: string[] = []
  for (const { name, score } of lines) {
    if (score === undefined) continue
    const found = students.filter((student) => isSameName(student.name, withoutNumber(name)))
    const [student] = found
    if (found.length === 1 && student && !scores.has(student.studentId)) scores.set(student.studentId, score)
    else unknown.push(`${name} ${score}`)
  }
  return { scores, unknown }
}

/**
 * Reads rows of a sheet: scores beside names go to the students of these names, in whatever order; scores alone go to the
 * students from `first` on, an empty line to nobody.
 */
export const readPasted = (text: string, students: readonly Line[], first: number): Pasted => {
  const lines = text
    .replace(/[\r\n]+$/, '')
    .split(/\r?\n/)
    .map(readLine)
  if (lines.some(({ name, score }) => name !== '' && score !== undefined)) return byNames(lines, students)
  const hasHead = lines.length > 1 && lines[0]?.score === undefined && lines[0]?.name !== ''
  const scores = new Map<string, string>()
  const unknown: string[] = []
  for (const [index, { name, score }] of lines.slice(hasHead ? 1 : 0).entries()) {
    const student = students[first + index]
    if (score !== undefined && student) scores.set(student.studentId, score)
    else if (score !== undefined || name !== '') unknown.push(score ?? name)
  }
  return { scores, unknown }
}
