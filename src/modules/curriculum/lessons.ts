import * as v from 'valibot'
import { failure, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { explained } from '#kernel/values/named.ts'
import { count, ok } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { courseRecord } from '#modules/courses/index.ts'
import { readSettings } from '#modules/settings/index.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  findRow,
  lockReferencedRow,
  lockRow,
  lockToDelete,
  recordOf,
  type LockedRow,
  type Row,
} from '#runtime/records/records.ts'
import { checkSeen, renumber, sortedBy } from './order.ts'
import { Lesson, MAX_LESSONS, type LessonChanges, type NewLesson, type NewOrder } from './schemas.ts'
import { sectionRecord } from './sections.ts'
import { readVideoUrl, videoOf } from './video.ts'

export const LessonInUse = failure(
  'CONFLICT',
  'lesson_in_use',
  'Students completed this lesson, or a session is about it; unpublish it instead.',
)
export const TooManyLessons = failure('CONFLICT', 'too_many_lessons', 'The course has as many lessons as may be.', {
  details: {
    schema: explained(v.object({ most: count }), { most: 'How many there may be.' }),
    example: { most: MAX_LESSONS },
  },
})

export const toLesson = shows(Lesson, {
  video: (row: Pick<Row<'lesson'>, 'video_provider' | 'video_key' | 'video_hash'>) =>
    row.video_provider === null || row.video_key === null
      ? null
      : videoOf({ provider: row.video_provider, videoId: row.video_key, hash: row.video_hash }),
})

export const lessonRecord = recordOf('lesson', { show: toLesson, inUse: LessonInUse })

/** The lessons of a section, in their order. */
const lessonsOf = (db: ScopedDb, sectionId: string) =>
  db.selectFrom('lesson').selectAll().where('section_id', '=', sectionId).orderBy('sort_order').orderBy('id').execute()

const countLessons = async (db: ScopedDb, column: 'course_id' | 'section_id', id: string): Promise<number> => {
  const { lessons } = await db
    .selectFrom('lesson')
    .select(({ fn }) => fn.countAll<number>().as('lessons'))
    .where(column, '=', id)
    .executeTakeFirstOrThrow()
  return lessons
}

/** Locks the course, then the section. @throws NotFound */
const lockSection = async (tx: Tx, id: string): Promise<Row<'section'>> => {
  const { course_id: courseId } = await findRow(tx.db, sectionRecord, id)
  await lockRow(tx, courseRecord, courseId)
  return lockReferencedRow(tx, sectionRecord, id)
}

/** Adds a lesson at the end of a section. @throws NotFound for the section, TooManyLessons */
export const createLesson = async (tx: Tx, sectionId: string, body: NewLesson): Promise<Lesson> => {
  const { course_id: courseId } = await lockSection(tx, sectionId)
  if ((await countLessons(tx.db, 'course_id', courseId)) >= MAX_LESSONS) throw TooManyLessons({ most: MAX_LESSONS })
  const sortOrder = await countLessons(tx.db, 'section_id', sectionId)
  const { kind = 'video', isPreview = false } = body
  return createRecord(tx, lessonRecord, { ...body, kind, isPreview, courseId, sectionId, sortOrder })
}

/** Moves a lesson to the end of another section of its course, along with other changes. */
const moveLesson = async (
  tx: Tx,
  row: LockedRow<'lesson'>,
  body: Omit<LessonChanges, 'version'> & { sectionId: string },
): Promise<Lesson> => {
  const section = await lockReferencedRow(tx, sectionRecord, body.sectionId)
  if (section.course_id !== row.course_id) throw invalid(['sectionId'], 'Must be a section of the lesson’s course.')
  const sortOrder = await countLessons(tx.db, 'section_id', section.id)
  const reply = await changeRecord(tx, lessonRecord, row, { ...body, sortOrder })
  await renumber(tx, 'lesson', await lessonsOf(tx.db, row.section_id))
  return reply
}

/** @throws NotFound for the lesson or its new section, VersionConflict, VALIDATION_ERROR */
export const changeLesson = async (tx: Tx, id: string, { version, ...body }: LessonChanges): Promise<Lesson> => {
  const { sectionId } = body
  if (sectionId !== undefined) {
    const { course_id: courseId } = await findRow(tx.db, lessonRecord, id)
    await lockRow(tx, courseRecord, courseId)
  }
  const row = await lockRow(tx, lessonRecord, id, version)
  return sectionId === undefined || sectionId === row.section_id
    ? changeRecord(tx, lessonRecord, row, body)
    : moveLesson(tx, row, { ...body, sectionId })
}

/** Deletes a lesson; those after it in its section move up. @throws NotFound, LessonInUse */
export const deleteLesson = async (tx: Tx, id: string) => {
  const { course_id: courseId } = await findRow(tx.db, lessonRecord, id)
  await lockRow(tx, courseRecord, courseId)
  const row = await lockToDelete(tx, lessonRecord, id)
  const reply = await deleteRecord(tx, lessonRecord, row)
  await renumber(tx, 'lesson', await lessonsOf(tx.db, row.section_id))
  return reply
}

/** Sorts the lessons of a section. @throws NotFound for the section, OrderChanged, VALIDATION_ERROR */
export const orderLessons = async (tx: Tx, sectionId: string, order: NewOrder): Promise<{ data: Lesson[] }> => {
  await lockSection(tx, sectionId)
  const before = await lessonsOf(tx.db, sectionId)
  checkSeen(before, order)
  const { ids } = order
  await renumber(tx, 'lesson', sortedBy(before, ids, 'lesson of the section'))
  tx.audit({
    entityType: 'section',
    entityId: sectionId,
    before: { lessonIds: before.map(({ id }) => id) },
    after: { lessonIds: ids },
  })
  return { data: (await lessonsOf(tx.db, sectionId)).map(toLesson) }
}

/** Records lesson.published, unless the lesson is published already. @throws NotFound */
export const publishLesson = async (tx: Tx, id: string): Promise<Lesson> => {
  const row = await lockRow(tx, lessonRecord, id)
  if (row.published_at === null) {
    const { course_id: courseId, section_id: sectionId, title } = row
    tx.emit('lesson.published', { lessonId: id, courseId, sectionId, title })
  }
  return changeRecord(tx, lessonRecord, row, { publishedAt: row.published_at ?? tx.now })
}

/** @throws NotFound */
export const unpublishLesson = async (tx: Tx, id: string): Promise<Lesson> =>
  changeRecord(tx, lessonRecord, await lockRow(tx, lessonRecord, id), { publishedAt: null })

/** @throws NotFound, VideoUrlInvalid, VideoProviderUnsupported */
export const setVideo = async (tx: Tx, id: string, url: string): Promise<Lesson> => {
  const row = await lockRow(tx, lessonRecord, id)
  const { curriculum } = await readSettings(tx.whole)
  const { provider, videoId, hash } = readVideoUrl(url, curriculum)
  return changeRecord(tx, lessonRecord, row, { videoProvider: provider, videoKey: videoId, videoHash: hash })
}

/** @throws NotFound */
export const removeVideo = async (tx: Tx, id: string): Promise<typeof ok> => {
  const row = await lockRow(tx, lessonRecord, id)
  await changeRecord(tx, lessonRecord, row, { videoProvider: null, videoKey: null, videoHash: null })
  return ok
}
