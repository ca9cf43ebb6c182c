import { readBounded } from '#db/queries/long-reads.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { listUnder, newestFirst } from '#runtime/records/lists.ts'
import { withPending } from './pending.ts'
import { checkCurriculum, type Reader } from './read.ts'

export interface Progress {
  lessonCount: number
  completedCount: number
  lastCompletedAt: string | null
}

/**
 * How far these grants are, of any course. Lessons that are not published do not count, also where they were completed
 * before. It is one query, so that both counts are of the same lessons: a change decides by them whether a course is
 * completed.
 */
export const progressOf = async (
  whole: ScopedDb,
  grants: readonly { id: string; courseId: string }[],
): Promise<(grant: { id: string; courseId: string }) => Progress> => {
  if (grants.length === 0) return () => ({ lessonCount: 0, completedCount: 0, lastCompletedAt: null })
  const counted = await whole
    .selectFrom('lesson_completion')
    .innerJoin('lesson', 'lesson.id', 'lesson_completion.lesson_id')
    .select(({ fn }) => [
      'lesson_completion.course_enrollment_id as of_id',
      fn.countAll<number>().as('count'),
      fn.max<string | null>('lesson_completion.completed_at').as('last'),
    ])
    .where(
      'lesson_completion.course_enrollment_id',
      'in',
      grants.map(({ id }) => id),
    )
    .where('lesson.published_at', 'is not', null)
    .groupBy('lesson_completion.course_enrollment_id')
    .unionAll((union) =>
      union
        .selectFrom('lesson')
        .select(({ fn, lit }) => [
          'course_id as of_id',
          fn.countAll<number>().as('count'),
          lit(null).$castTo<string | null>().as('last'),
        ])
        .where('course_id', 'in', [...new Set(grants.map(({ courseId }) => courseId))])
        .where('published_at', 'is not', null)
        .groupBy('course_id'),
    )
    .execute()
  const countedOf = new Map(counted.map((row) => [row.of_id, row]))
  return ({ id, courseId }) => ({
    lessonCount: countedOf.get(courseId)?.count ?? 0,
    completedCount: countedOf.get(id)?.count ?? 0,
    lastCompletedAt: countedOf.get(id)?.last ?? null,
  })
}

/** The published lessons that were completed under each of these grants, by the grant's id. */
const completedLessonsOf = async (
  whole: ScopedDb,
  grantIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (grantIds.length === 0) return new Map()
  const rows = await readBounded(
    whole
      .selectFrom('lesson_completion')
      .innerJoin('lesson', 'lesson.id', 'lesson_completion.lesson_id')
      .select(['lesson_completion.course_enrollment_id as grantId', 'lesson.id as lessonId'])
      .where('lesson_completion.course_enrollment_id', 'in', grantIds)
      .where('lesson.published_at', 'is not', null)
      .orderBy('lesson_completion.completed_at')
      .orderBy('lesson.id'),
    'lesson.id',
  )
  const byGrant = Map.groupBy(rows, ({ grantId }) => grantId)
  return new Map([...byGrant].map(([grantId, lessons]) => [grantId, lessons.map(({ lessonId }) => lessonId)]))
}

const listed = listUnder(
  { table: 'course', column: 'course_enrollment.course_id' },
  {
    from: (db) =>
      db
        .selectFrom('course_enrollment')
        .innerJoin('student', 'student.id', 'course_enrollment.student_id')
        .selectAll('course_enrollment')
        .select(['student.student_number', 'student.first_name', 'student.last_name'])
        .where('course_enrollment.status', '!=', 'dropped'),
    order: newestFirst('course_enrollment'),
    show: (row) => ({
      id: row.id,
      courseId: row.course_id,
      studentId: row.student_id,
      studentNumber: row.student_number,
      firstName: row.first_name,
      lastName: row.last_name,
      status: row.status,
      grantedAt: row.granted_at,
    }),
  },
)

type Asked = Reader & Omit<Parameters<typeof listed>[0], 'params'> & { params: { courseId: string } }

/** The students who have a course and how far they are, last given first. @throws NotFound */
export const listProgress = async ({ params: { courseId }, ...context }: Asked) => {
  await checkCurriculum(context, courseId)
  const { data, nextCursor } = await listed({ ...context, params: { id: courseId } })
  const progress = await progressOf(context.whole, data)
  const shown = await withPending(context.whole, data, ({ id }) => id)
  const grantIds = data.map(({ id }) => id)
  const completed = await completedLessonsOf(context.whole, grantIds)
  return {
    data: shown.map((grant) => {
      const { id: courseEnrollmentId, courseId: _, ...student } = grant
      return {
        courseEnrollmentId,
        ...student,
        ...progress(grant),
        completedLessonIds: [...(completed.get(courseEnrollmentId) ?? [])],
      }
    }),
    nextCursor,
  }
}
