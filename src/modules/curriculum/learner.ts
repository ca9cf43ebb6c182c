import { readBounded } from '#db/queries/long-reads.ts'
import type { Caller } from '#kernel/who/actor.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import { failure, found, NotFound } from '#kernel/values/errors.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { ownStudentId } from '#modules/people/index.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import { changeRecord, lockRow, type LockedRow, type Row } from '#runtime/records/records.ts'
import { grantRecord } from './grants.ts'
import { lessonRecord, toLesson } from './lessons.ts'
import { withPending } from './pending.ts'
import { progressOf, type Progress } from './progress.ts'
import { sectionsWithLessons } from './read.ts'
import type { CompletedLesson, CourseEnrollment, OwnCourse, OwnCourseDetail } from './schemas.ts'
import { toSection } from './sections.ts'

export const LessonClosed = failure(
  'CONFLICT',
  'lesson_closed',
  'The course is not paid yet; until then only the preview lessons are open.',
)

const coursesOf = (whole: ScopedDb) =>
  whole
    .selectFrom('course_enrollment')
    .innerJoin('course', 'course.id', 'course_enrollment.course_id')
    .selectAll('course_enrollment')
    .select(['course.name', 'course.description'])
    .where('course_enrollment.status', '!=', 'dropped')

type CourseRow = Awaited<ReturnType<ReturnType<typeof coursesOf>['execute']>>[number]
type ShownRow = Omit<CourseRow, 'status'> & Pick<OwnCourse, 'status'>

const toOwnCourse = (row: ShownRow, progress: Progress): OwnCourse => ({
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
  show: (row) => row,
})

interface Learner {
  whole: ScopedDb
  caller: Caller
}

type Asked = Learner & { cursors: Cursors; query: { cursor?: string | undefined; limit: number } }

/** Courses as their student sees them, with how far they are. */
const shownCourses = async (whole: ScopedDb, rows: readonly CourseRow[]): Promise<OwnCourse[]> => {
  const shown = await withPending(whole, rows, ({ id }) => id)
  const refs = rows.map((row) => ({ id: row.id, courseId: row.course_id }))
  const progress = await progressOf(whole, refs)
  return shown.map((row) => toOwnCourse(row, progress({ id: row.id, courseId: row.course_id })))
}

/** The courses that a student was given, last given first. */
export const coursesOfStudent = async (whole: ScopedDb, studentId: string): Promise<OwnCourse[]> =>
  shownCourses(
    whole,
    await readBounded(
      coursesOf(whole)
        .where('course_enrollment.student_id', '=', studentId)
        .orderBy('course_enrollment.created_at', 'desc')
        .orderBy('course_enrollment.id', 'desc'),
      'course_enrollment.id',
    ),
  )

/** The courses that the caller was given, last given first; none for somebody who is no student. */
export const ownCourses = async ({ whole, caller, cursors, query }: Asked): Promise<Page<OwnCourse>> => {
  const studentId = await ownStudentId(whole, caller)
  if (studentId === null) return { data: [], nextCursor: null }
  const { data, nextCursor } = await listed({ db: whole, cursors, query: { ...query, studentId } })
  return { data: await shownCourses(whole, data), nextCursor }
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

const isOpen = (lesson: { is_preview: boolean }, status: CourseEnrollment['status']): boolean =>
  status !== 'pending' || lesson.is_preview

/** A lesson as its student sees it: what is in a closed one is left out. */
const ownLesson = (row: Row<'lesson'>, status: CourseEnrollment['status']) => {
  const open = isOpen(row, status)
  return { ...toLesson(row), ...(!open && { body: null, video: null }), isOpen: open }
}

/** A course that a student was given, with its published lessons. @throws NotFound */
export const courseOfStudent = async (
  whole: ScopedDb,
  studentId: string,
  courseId: string,
): Promise<OwnCourseDetail> => {
  const rows = await coursesOf(whole)
    .where('course_enrollment.student_id', '=', studentId)
    .where('course_enrollment.course_id', '=', courseId)
    .execute()
  const row = found((await withPending(whole, rows, ({ id }) => id))[0])
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
              ...ownLesson(lesson, row.status),
              completedAt: completedAt.get(lesson.id) ?? null,
            })),
          },
    ),
  }
}

/** A course that the caller was given, with its published lessons. @throws NotFound */
export const ownCourse = async ({ whole, caller }: Learner, courseId: string): Promise<OwnCourseDetail> =>
  courseOfStudent(whole, await learnerId(whole, caller), courseId)

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

/**
 * Reports that the caller completed a lesson; one reported before stays as it is. The lock on the lesson keeps it published
 * until the change is done. The lock on the grant keeps the last two lessons, reported at once, from completing the course
 * twice, or never. Records lesson.completed, and course.completed the first time that every published lesson is completed.
 * @throws NotFound for a lesson that is not published or of a course that the caller was not given, LessonClosed
 */
export const completeLesson = async (tx: Tx, caller: Caller, lessonId: string): Promise<CompletedLesson> => {
  const studentId = await learnerId(tx.whole, caller)
  const lesson = await lockRow(tx, lessonRecord, lessonId)
  if (lesson.published_at === null) throw NotFound()
  const { course_id: courseId } = lesson
  const grant = await lockGrant(tx, studentId, courseId)
  const isPending = (await withPending(tx.whole, [grant], ({ id }) => id))[0]?.status === 'pending'
  const known = (await completionsOf(tx.whole, grant.id)).get(lessonId)
  if (known === undefined) {
    if (isPending && !lesson.is_preview) throw LessonClosed()
    await tx.whole
      .insertInto('lesson_completion')
      .values({ course_enrollment_id: grant.id, lesson_id: lessonId, completed_at: tx.now })
      .execute()
    tx.emit('lesson.completed', { lessonId, courseId, studentId })
  }

  const own = { id: grant.id, courseId }
  const progress = (await progressOf(tx.whole, [own]))(own)
  const { lessonCount, completedCount } = progress
  const completes = grant.status === 'active' && !isPending && completedCount === lessonCount
  if (completes && grant.completed_at === null) tx.emit('course.completed', { courseId, studentId, lessonCount })
  const { status } = await changeRecord(
    tx,
    grantRecord,
    grant,
    completes ? { status: 'completed', endedAt: tx.now, completedAt: grant.completed_at ?? tx.now } : {},
    { metadata: { lessonId } },
  )
  return { lessonId, courseId, completedAt: known ?? tx.now, status: isPending ? 'pending' : status, ...progress }
}
