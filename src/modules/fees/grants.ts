import type { ScopedDb } from '#kernel/tables.ts'

/** A student's access to a video course. */
export interface CourseGrant {
  id: string
  studentId: string
  courseId: string
}

/** The grants of these courses that are not dropped. There are no video courses yet, so there are none. */
export const courseGrantsOf = async (
  _whole: ScopedDb,
  _courseIds: readonly string[],
  _studentIds?: readonly string[],
): Promise<CourseGrant[]> => []
