import type { Schemas } from '../../api/client.ts'
import type { Mark } from '../../api/intents/marks.ts'

/** The marks of some students, by their ids. */
export type Marks = ReadonlyMap<string, Mark>

export const byStudent = (marks: readonly Mark[]): Marks => new Map(marks.map((mark) => [mark.studentId, mark]))

/** A student of the roster as the page shows them. */
export interface Line {
  studentId: string
  name: string
  /** What stands already, or is on its way; undefined: nothing. */
  stands: Mark | undefined
  mark: Mark
  /** What counts where nobody says otherwise. */
  proposed: Mark
  /** Why the student does not come, as it was announced; null: nothing was. */
  announced: string | null
  /** Whether they came without being enrolled, and the desk has not decided yet. */
  isWalkIn: boolean
  /** Whether saving changes something. */
  isNew: boolean
}

const presentByDefault = (studentId: string): Mark => ({
  studentId,
  status: 'present',
  minutesLate: 0,
  note: null,
  isProposed: true,
})

export const isSame = (one: Mark, other: Mark): boolean =>
  one.status === other.status && one.minutesLate === other.minutesLate && one.note === other.note

/** Whoever announced not to come is excused. */
const proposedFor = ({ studentId, announced }: Schemas['RosterEntry']): Mark => ({
  ...presentByDefault(studentId),
  status: announced?.proposed ?? 'present',
})

const standing = (entry: Schemas['RosterEntry']): Mark | undefined => {
  const { studentId, status, minutesLate, note } = entry
  return status === null ? undefined : { studentId, status, minutesLate, note }
}

/** Whoever is not marked is as proposed until somebody says otherwise. */
export const linesOf = (
  entries: readonly Schemas['RosterEntry'][],
  { onTheWay, chosen }: { onTheWay: Marks; chosen: Marks },
): Line[] =>
  entries.map((entry) => {
    const { studentId } = entry
    const stands = onTheWay.get(studentId) ?? standing(entry)
    const proposed = proposedFor(entry)
    const mark = chosen.get(studentId) ?? stands ?? proposed
    return {
      studentId,
      name: `${entry.firstName} ${entry.lastName}`,
      stands,
      mark,
      proposed,
      announced: entry.announced?.reason ?? null,
      isWalkIn: entry.isWalkIn,
      isNew: stands === undefined || !isSame(mark, stands),
    }
  })

/** What saving sends. */
export const newMarks = (lines: readonly Line[]): Mark[] => lines.filter(({ isNew }) => isNew).map(({ mark }) => mark)

/** What takes back the marks of these lines: what stood before, or what was proposed. */
export const formerMarks = (lines: readonly Line[]): Mark[] =>
  lines
    .filter(({ stands, mark, proposed, isNew }) => isNew && !isSame(stands ?? proposed, mark))
    .map(({ stands, proposed }) => stands ?? proposed)

/**
 * What was chosen for a student, without a choice that says nothing new.
 * @param counts what counts without a choice
 */
export const withChoice = (chosen: Marks, mark: Mark, counts: Mark | undefined): Marks => {
  const next = new Map(chosen)
  if (isSame(mark, counts ?? presentByDefault(mark.studentId))) next.delete(mark.studentId)
  else next.set(mark.studentId, mark)
  return next
}

/** Beyond this, a class is marked long after somebody came late to it. */
const LONGEST_PROPOSED_MINUTES = 30

/** The minutes that somebody is late who comes in now; 0: nobody can tell. */
export const minutesSince = (start: string, now: number): number => {
  const minutes = Math.floor((now - Date.parse(start)) / 60_000)
  return minutes > 0 && minutes <= LONGEST_PROPOSED_MINUTES ? minutes : 0
}
