import type { ScopedDb } from '#kernel/contract/tables.ts'

/** A student's access to a video course. */
export interface CourseGrant {
  id: string
  studentId: string
  courseId: string
  grantedAt: string
}

/** The grants of these courses that are active or pending; a course that is completed or dropped is charged no more. */
export const courseGrantsOf = async (
  whole: ScopedDb,
  courseIds: readonly string[],
  studentIds?: readonly string[],
): Promise<CourseGrant[]> => {
  if (courseIds.length === 0) return []
  let grants = whole
    .selectFrom('course_enrollment')
    .select(['id', 'student_id as studentId', 'course_id as courseId', 'granted_at as grantedAt'])
    .where('course_id', 'in', courseIds)
    .where('status', '=', 'active')
  if (studentIds) grants = grants.where('student_id', 'in', studentIds)
  return grants.execute()
}
