import type { ScopedDb } from '#kernel/tables.ts'

/** A student's access to a video course. */
export interface CourseGrant {
  id: string
  studentId: string
  courseId: string
}

/**
 * The grants of these courses that were not dropped. @param studentIds only those of these students; undefined: of all
 */
export const courseGrantsOf = async (
  whole: ScopedDb,
  courseIds: readonly string[],
  studentIds?: readonly string[],
): Promise<CourseGrant[]> => {
  if (courseIds.length === 0) return []
  const grants = whole
    .selectFrom('course_enrollment')
    .select(['id', 'student_id as studentId', 'course_id as courseId'])
    .where('course_id', 'in', courseIds)
    .where('status', '!=', 'dropped')
  return (studentIds ? grants.where('student_id', 'in', studentIds) : grants).execute()
}
