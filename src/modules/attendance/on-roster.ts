import type { ScopedDb } from '#kernel/contract/tables.ts'
import { enrolledAtStart } from './roster.ts'

/** Whether one of these students is on the roster of a session, or has an entry in it. */
export const isAnyOnRoster = async (
  whole: ScopedDb,
  sessionId: string,
  studentIds: readonly string[],
): Promise<boolean> => {
  if (studentIds.length === 0) return false
  const found = await whole
    .selectFrom('session')
    .innerJoin('enrollment', 'enrollment.group_id', 'session.group_id')
    .select('enrollment.student_id')
    .where('session.id', '=', sessionId)
    .where('enrollment.student_id', 'in', studentIds)
    .where(enrolledAtStart)
    .unionAll(
      whole
        .selectFrom('attendance')
        .select('attendance.student_id')
        .where('attendance.session_id', '=', sessionId)
        .where('attendance.student_id', 'in', studentIds),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
