import type { Caller } from '#kernel/actor.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { found, NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { ownStudentId } from '#modules/people/index.ts'
import { listOf, newestFirst } from '#runtime/lists.ts'
import { changeRecord, keepRow, lockRow, type LockedRow } from '#runtime/records.ts'
import { grantRecord } from './grants.ts'
import { lessonRecord, toLesson } from './lessons.ts'
import { progressOf, type Progress } from './progress.ts'
import { sectionsWithLessons } from './read.ts'
import type { CompletedLesson, OwnCourse, OwnCourseDetail } from './schemas.ts'
import { toSection } from './sections.ts'

const coursesOf = (whole: ScopedDb) =>
  whole
    .selectFrom('course_enrollment')
    .innerJoin('course', 'course.id', 'course_enrollment.course_id')
    .selectAll('course_enrollment')
    .select(['course.name', 'course.description'])
    .where('course_enrollment.status', '!=', 'dropped')

type CourseRow = Awaited<ReturnType<ReturnType<typeof coursesOf>['execute']>>[number]

const toOwnCourse = (row: CourseRow, progress: Progress): OwnCourse => ({
  courseEnrollmentId: row.id,
  courseId: row.course_id,
  name: row.name,
  description: row.description,
  status: row.status,
  grantedAt: row.granted_at,
  endedAt: row.ended_at,
  ...progress,
})

const listed = listOf({
  filters: { studentId: 'course_enrollment.student_id' },
  from: coursesOf,
  order: newestFirst('course_enrollment'),
  show: (row) => ({ row, id: row.id, courseId: row.course_id }),
})

interface Learner {
  whole: ScopedDb
  caller: Caller
}

type Asked = Learner & { cursors: Cursors; query: { cursor?: string | undefined; limit: number } }

/** The courses that the caller was given, last given first; none for somebody who is no student. */
export const ownCourses = async ({ whole, caller, cursors, query }: Asked): Promise<Page<OwnCourse>> => {
  const studentId = await ownStudentId(whole, caller)
  if (studentId === null) return { data: [], nextCursor: null }
  const { data, nextCursor } = await listed({ db: whole, cursors, query: { ...query, studentId } })
  const progress = await progressOf(whole, data)
  return { data: data.map((one) => toOwnCourse(one.row, progress(one))), nextCursor }
}

/** @throws NotFound for somebody who is no student */
const learnerId = async (whole: ScopedDb, caller: Caller): Promise<string> => {
  const studentId = await ownStudentId(whole, caller)
  if (studentId === null) throw NotFound()
  return studentId
}

/** When each lesson was completed under a grant, by the lesson's id. */
const completionsOf = async (whole: ScopedDb, grantId: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await whole
    .selectFrom('lesson_completion')
    .select(['lesson_id', 'completed_at'])
    .where('course_enrollment_id', '=', grantId)
    .execute()
  return new Map(rows.map((row) => [row.lesson_id, row.completed_at]))
}

/** A course that the caller was given, with its published lessons. @throws NotFound */
export const ownCourse = async ({ whole, caller }: Learner, courseId: string): Promise<OwnCourseDetail> => {
  const row = found(
    await coursesOf(whole)
      .where('course_enrollment.student_id', '=', await learnerId(whole, caller))
      .where('course_enrollment.course_id', '=', courseId)
      .executeTakeFirst(),
  )
  const grant = { id: row.id, courseId }
  const progress = await progressOf(whole, [grant])
  const completedAt = await completionsOf(whole, row.id)
  const sections = await sectionsWithLessons(whole, courseId, { published: true })
  return {
    ...toOwnCourse(row, progress(grant)),
    sections: sections.flatMap(({ section, lessons }) =>
      lessons.length === 0
        ? []
        : {
            ...toSection(section),
            lessons: lessons.map((lesson) => ({
              ...toLesson(lesson),
              completedAt: completedAt.get(lesson.id) ?? null,
            })),
          },
    ),
  }
}

/** Locks the caller's grant of a course. @throws NotFound */
const lockGrant = async (tx: Tx, studentId: string, courseId: string): Promise<LockedRow<'course_enrollment'>> => {
  const { id } = found(
    await tx.whole
      .selectFrom('course_enrollment')
      .select('id')
      .where('student_id', '=', studentId)
      .where('course_id', '=', courseId)
      .executeTakeFirst(),
  )
  const grant = await lockRow({ db: tx.whole }, grantRecord, id)
  if (grant.status === 'dropped') throw NotFound()
  return grant
}

/** @returns false: the lesson was completed before */
const addCompletion = async (tx: Tx, grantId: string, lessonId: string): Promise<boolean> => {
  const added = await tx.whole
    .insertInto('lesson_completion')
    .values({ course_enrollment_id: grantId, lesson_id: lessonId, completed_at: tx.now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'course_enrollment_id', 'lesson_id']).doNothing())
    .returning('lesson_id')
    .executeTakeFirst()
  return added !== undefined
}

/**
 * Reports that the caller completed a lesson; one reported before stays as it is. The lock on the grant keeps the last two
 * lessons, reported at once, from completing the course twice, or never. Records lesson.completed, and course.completed the
 * first time that every published lesson is completed.
 * @throws NotFound for a lesson that is not published or of a course that the caller was not given
 */
export const completeLesson = async (tx: Tx, caller: Caller, lessonId: string): Promise<CompletedLesson> => {
  const studentId = await learnerId(tx.whole, caller)
  const lesson = await keepRow(tx, lessonRecord, lessonId)
  if (lesson.published_at === null) throw NotFound()
  const { course_id: courseId } = lesson
  const grant = await lockGrant(tx, studentId, courseId)
  if (await addCompletion(tx, grant.id, lessonId)) tx.record('lesson.completed', { lessonId, courseId, studentId })

  const own = { id: grant.id, courseId }
  const progress = (await progressOf(tx.whole, [own]))(own)
  const { lessonCount, completedCount } = progress
  const completes = grant.status === 'active' && completedCount === lessonCount
  if (completes && grant.completed_at === null) tx.record('course.completed', { courseId, studentId, lessonCount })
  const { status } = await changeRecord(
    tx,
    grantRecord,
    grant,
    completes ? { status: 'completed', endedAt: tx.now, completedAt: grant.completed_at ?? tx.now } : {},
    { metadata: { lessonId } },
  )
  const completedAt = (await completionsOf(tx.whole, grant.id)).get(lessonId) ?? tx.now
  return { lessonId, courseId, completedAt, status, ...progress }
}
