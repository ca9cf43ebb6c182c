import * as v from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { explained } from '#kernel/values/named.ts'
import { count } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { courseRecord } from '#modules/courses/index.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  findRow,
  lockRow,
  lockToDelete,
  recordOf,
} from '#runtime/records/records.ts'
import { checkSeen, renumber, sortedBy } from './order.ts'
import { MAX_SECTIONS, Section, type NewOrder, type SectionChanges } from './schemas.ts'

/*
 * The course is the root of its curriculum: whatever adds, removes, moves or sorts sections and lessons locks the course
 * first, then the section or lesson. So sort orders stay without gaps.
 */

export const SectionInUse = failure('CONFLICT', 'section_in_use', 'A section that has lessons stays.')
export const TooManySections = failure('CONFLICT', 'too_many_sections', 'The course has as many sections as may be.', {
  details: {
    schema: explained(v.object({ most: count }), { most: 'How many there may be.' }),
    example: { most: MAX_SECTIONS },
  },
})

export const toSection = shows(Section)

export const sectionRecord = recordOf('section', { show: toSection, inUse: SectionInUse })

/** The sections of a course, in their order. */
export const sectionsOf = (db: ScopedDb, courseId: string) =>
  db.selectFrom('section').selectAll().where('course_id', '=', courseId).orderBy('sort_order').orderBy('id').execute()

/** Adds a section after the others. @throws NotFound for the course, TooManySections */
export const createSection = async (tx: Tx, courseId: string, body: { title: string }): Promise<Section> => {
  await lockRow(tx, courseRecord, courseId)
  const { length } = await sectionsOf(tx.db, courseId)
  if (length >= MAX_SECTIONS) throw TooManySections({ most: MAX_SECTIONS })
  return createRecord(tx, sectionRecord, { ...body, courseId, sortOrder: length })
}

/** @throws NotFound, VersionConflict */
export const changeSection = async (tx: Tx, id: string, { version, ...body }: SectionChanges): Promise<Section> =>
  changeRecord(tx, sectionRecord, await lockRow(tx, sectionRecord, id, version), body)

/** Deletes a section without lessons; those after it move up. @throws NotFound, SectionInUse */
export const deleteSection = async (tx: Tx, id: string) => {
  const { course_id: courseId } = await findRow(tx.db, sectionRecord, id)
  await lockRow(tx, courseRecord, courseId)
  const reply = await deleteRecord(tx, sectionRecord, await lockToDelete(tx, sectionRecord, id))
  await renumber(tx, 'section', await sectionsOf(tx.db, courseId))
  return reply
}

/** Sorts the sections of a course. @throws NotFound for the course, OrderChanged, VALIDATION_ERROR */
export const orderSections = async (tx: Tx, courseId: string, order: NewOrder): Promise<{ data: Section[] }> => {
  await lockRow(tx, courseRecord, courseId)
  const before = await sectionsOf(tx.db, courseId)
  checkSeen(before, order)
  const { ids } = order
  await renumber(tx, 'section', sortedBy(before, ids, 'section of the course'))
  tx.audit({
    entityType: 'course',
    entityId: courseId,
    before: { sectionIds: before.map(({ id }) => id) },
    after: { sectionIds: ids },
  })
  return { data: (await sectionsOf(tx.db, courseId)).map(toSection) }
}
