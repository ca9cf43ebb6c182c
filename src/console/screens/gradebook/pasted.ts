import { isSameName } from '../../../shared/names.ts'
import { isAbsence, type Line } from './scores.ts'
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

const isScore = (text: string): boolean => isAbsence(text) || pointsOf(text) !== undefined

const readLine = (line: string): PastedLine => {
  const cells = line.split('\t').map((cell) => cell.trim())
  const at = cells.findLastIndex(isScore)
  return {
    name: cells.filter((cell, index) => index !== at && cell !== '').join(' '),
    score: at === -1 ? undefined : cells[at],
  }
}

/** A line of a message: the name, and the score after a space, a colon or a dash. */
const BESIDE = /^(.*\p{L})[\s:=,;\u2010-\u2015-]+(\S+)$/u

const readMessageLine = (line: string): PastedLine => {
  const [, name, score = ''] = BESIDE.exec(line.trim()) ?? []
  return name !== undefined && isScore(score) ? { name, score } : { name: line.trim(), score: undefined }
}

/** Rows that begin with a number of their own have the name after it. */
const withoutNumber = (name: string): string => name.replace(/^[\d.\s]+/, '')

const named = (name: string, students: readonly Line[]): readonly Line[] =>
  students.filter((student) => isSameName(student.name, withoutNumber(name)))

/** Whether a line without a score is a student’s all the same, and says something else of them. */
const saysOther = (line: string, students: readonly Line[]): boolean => {
  const words = line.split(/\s+/)
  const begins = words.map((_, at) => words.slice(0, at).join(' '))
  return named(line, students).length === 0 && begins.some((begin) => named(begin, students).length > 0)
}

const byNames = (lines: readonly PastedLine[], students: readonly Line[]): Pasted => {
  const scores = new Map<string, string>()
  const unknown: string[] = []
  for (const { name, score } of lines) {
    if (score === undefined) {
      if (saysOther(name, students)) unknown.push(name)
      continue
    }
    const found = named(name, students)
    const [student] = found
    if (found.length === 1 && student && !scores.has(student.studentId)) scores.set(student.studentId, score)
    else unknown.push(`${name} ${score}`)
  }
  return { scores, unknown }
}

/**
 * Reads rows of a sheet or of a message: scores beside names go to the students of these names, in whatever order; scores alone go to the
 * students from `first` on, an empty line to nobody.
 */
export const readPasted = (text: string, students: readonly Line[], first: number): Pasted => {
  const written = text.replace(/[\r\n]+$/, '').split(/\r?\n/)
  const lines = written.map(readLine)
  if (lines.some(({ name, score }) => name !== '' && score !== undefined)) return byNames(lines, students)
  const message = written.map(readMessageLine)
  // The head of a column may end in a number too.
  if (message.some(({ name, score }) => score !== undefined && named(name, students).length > 0)) {
    return byNames(message, students)
  }
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
