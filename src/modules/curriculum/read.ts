import type { Caller } from '#kernel/who/actor.ts'
import { found } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { courseRecord } from '#modules/courses/index.ts'
import { checkReached, findRow, type Row } from '#runtime/records/records.ts'
import { lessonRecord, toLesson } from './lessons.ts'
import type { Curriculum, CurriculumSummary, Lesson } from './schemas.ts'
import { sectionsOf, toSection } from './sections.ts'

/** What an endpoint knows about who reads: `db` has the reach of curriculum.read. */
export interface Reader {
  db: ScopedDb
  whole: ScopedDb
  caller: Caller
}

/**
 * A course belongs to no branch, so whoever may read curricula reads that of every course; but a teacher only those of
 * the courses of the groups that they teach or substitute. @throws NotFound
 */
export const checkCurriculum = async ({ db, whole, caller }: Reader, courseId: string): Promise<void> => {
  await checkReached(whole, 'course', courseId)
  const reach = caller.grants.reach('curriculum.read')
  if (reach === 'all' || (reach && reach.branchIds.length > 0)) return
  found(await db.selectFrom('group').select('id').where('course_id', '=', courseId).limit(1).executeTakeFirst())
}

/** The sections of a course, each with its lessons, in their order. */
export const sectionsWithLessons = async (
  whole: ScopedDb,
  courseId: string,
  { published = false }: { published?: boolean } = {},
): Promise<{ section: Row<'section'>; lessons: Row<'lesson'>[] }[]> => {
  const lessons = await whole
    .selectFrom('lesson')
    .selectAll()
    .where('course_id', '=', courseId)
    .$if(published, (query) => query.where('published_at', 'is not', null))
    .orderBy('sort_order')
    .orderBy('id')
    .execute()
  const bySection = Map.groupBy(lessons, (lesson) => lesson.section_id)
  return (await sectionsOf(whole, courseId)).map((section) => ({ section, lessons: bySection.get(section.id) ?? [] }))
}

/** @throws NotFound */
export const readCurriculum = async (reader: Reader, courseId: string): Promise<Curriculum> => {
  await checkCurriculum(reader, courseId)
  const { name: courseName } = await findRow(reader.whole, courseRecord, courseId)
  const sections = await sectionsWithLessons(reader.whole, courseId)
  return {
    courseId,
    courseName,
    sections: sections.map(({ section, lessons }) => ({ ...toSection(section), lessons: lessons.map(toLesson) })),
  }
}

/** @throws NotFound */
export const readSummary = async (reader: Reader, courseId: string): Promise<CurriculumSummary> => {
  await checkCurriculum(reader, courseId)
  const { whole } = reader
  const lessons = await whole
    .selectFrom('lesson')
    .select(({ fn }) => [
      fn.countAll<number>().as('lessonCount'),
      fn.count<number>('id').filterWhere('published_at', 'is not', null).as('publishedLessonCount'),
      fn.count<number>('id').filterWhere('kind', '=', 'video').as('videoLessonCount'),
    ])
    .where('course_id', '=', courseId)
    .executeTakeFirstOrThrow()
  return { courseId, sectionCount: (await sectionsOf(whole, courseId)).length, ...lessons }
}

/** @throws NotFound */
export const readLesson = async (reader: Reader, id: string): Promise<Lesson> => {
  const row = await findRow(reader.whole, lessonRecord, id)
  await checkCurriculum(reader, row.course_id)
  return toLesson(row)
}
