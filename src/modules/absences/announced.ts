import { compiledByIds } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

export interface AnnouncedAbsence {
  id: string
  student_id: string
  from_date: string
  to_date: string
  reason: string
}

const ofStudents = compiledByIds((whole, ids) =>
  whole
    .selectFrom('announced_absence')
    .select(['id', 'student_id', 'from_date', 'to_date', 'reason'])
    .where('student_id', 'in', ids),
)

/** Who of the students announced not to come, by day. */
export const announcedOf = async (
  whole: ScopedDb,
  studentIds: readonly string[],
): Promise<(studentId: string, date: string) => AnnouncedAbsence | undefined> => {
  const absences: AnnouncedAbsence[] = studentIds.length === 0 ? [] : await ofStudents(whole, studentIds)
  return (studentId, date) =>
    absences.find((one) => one.student_id === studentId && one.from_date <= date && date <= one.to_date)
}

/** The absences of a student that are not over on this day, first begun first. */
export const announcedFrom = async (whole: ScopedDb, studentId: string, day: string): Promise<AnnouncedAbsence[]> => {
  const all: AnnouncedAbsence[] = await ofStudents(whole, [studentId])
  return all.filter(({ to_date: to }) => to >= day).toSorted((one, other) => (one.from_date < other.from_date ? -1 : 1))
}
