import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays } from '#kernel/time/zone.ts'

/** The days of a pause, both included. */
export interface Pause {
  from: string
  /** null: until the status is changed. */
  to: string | null
}

/** Adds a pause. The caller has locked the student. */
export const addPause = async ({ whole, now, id }: Tx, studentId: string, { from, to }: Pause): Promise<void> => {
  const row = { id: id(), student_id: studentId, paused_from: from, paused_to: to, created_at: now, updated_at: now }
  await whole.insertInto('student_pause').values(row).execute()
}

/** Ends what is left of a student's pauses: today the student is here again. The caller has locked the student. */
export const endPauses = async ({ whole, now, today }: Tx, studentId: string): Promise<void> => {
  await whole
    .deleteFrom('student_pause')
    .where('student_id', '=', studentId)
    .where('paused_from', '>=', today)
    .execute()
  await whole
    .updateTable('student_pause')
    .set({ paused_to: addDays(today, -1), updated_at: now })
    .where('student_id', '=', studentId)
    .where((eb) => eb.or([eb('paused_to', 'is', null), eb('paused_to', '>=', today)]))
    .execute()
}

/** The pauses of each of these students. */
export const pausesOf = async (
  whole: ScopedDb,
  studentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Pause[]>> => {
  if (studentIds.length === 0) return new Map()
  const rows = await whole
    .selectFrom('student_pause')
    .select(['student_id', 'paused_from', 'paused_to'])
    .where('student_id', 'in', studentIds)
    .execute()
  const byStudent = new Map<string, Pause[]>()
  for (const { student_id: id, paused_from: from, paused_to: to } of rows) {
    byStudent.set(id, [...(byStudent.get(id) ?? []), { from, to }])
  }
  return byStudent
}
