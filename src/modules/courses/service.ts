import type { InferOutput } from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { searchedText } from '#shared/names.ts'
import { foldQuery } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkRoom, countRows, lockQuota, type CountInPlan } from '#modules/tenants/index.ts'
import {
  changeRecord,
  changesOf,
  createRecord,
  deleteRecord,
  recordOf,
  lockReferenced,
  lockRow,
  lockToDelete,
} from '#runtime/records/records.ts'
import { Course, type CourseChanges, type NewCourse } from './schemas.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'

export const CourseCodeTaken = failure('CONFLICT', 'course_code_taken', 'There is another course of this code.')
export const CourseInUse = failure('CONFLICT', 'course_in_use', 'Groups or other records belong to this course.')

const toCourse = shows(Course)

export const courseRecord = recordOf('course', {
  show: toCourse,
  derived: ({ name, code }) => ({ search_text: searchedText(name, code ?? '') }),
  refusals: { unique: { 'course(code)': CourseCodeTaken } },
  inUse: CourseInUse,
})

/** Newest first. */
export const listCourses = listOf({
  filters: { categoryId: 'course.category_id', isActive: 'course.is_active' },
  search: { table: 'course', fold: foldQuery },
  from: (db) => db.selectFrom('course').selectAll(),
  order: newestFirst('course'),
  show: toCourse,
})

/** Counts the courses in the plan. */
export const countActive: CountInPlan = (whole) => countRows(whole.selectFrom('course').where('is_active', '=', true))

/** @throws NotFound for the category, QuotaExceeded, CourseCodeTaken */
export const createCourse = async (tx: Tx, body: InferOutput<typeof NewCourse>): Promise<Course> => {
  await lockReferenced(tx, 'course_category', body.categoryId)
  const { currency = tx.tenant.currency, isActive = true, isPublic = false, deliveryMode = 'group' } = body
  if (isActive) await checkRoom(tx, 'maxCourses', countActive)
  return createRecord(tx, courseRecord, { ...body, currency, isActive, isPublic, deliveryMode })
}

/** @throws NotFound for the course or a new category, QuotaExceeded for one that is active again, CourseCodeTaken */
export const changeCourse = async (tx: Tx, id: string, body: InferOutput<typeof CourseChanges>): Promise<Course> => {
  if (body.isActive) await lockQuota(tx, 'maxCourses')
  const row = await lockRow(tx, courseRecord, id)
  const { categoryId, isActive } = changesOf(row, body)
  if (categoryId) await lockReferenced(tx, 'course_category', categoryId[1])
  if (isActive?.[1]) await checkRoom(tx, 'maxCourses', countActive)
  return changeRecord(tx, courseRecord, row, body)
}

/** @throws NotFound, CourseInUse */
export const deleteCourse = async (tx: Tx, id: string) =>
  deleteRecord(tx, courseRecord, await lockToDelete(tx, courseRecord, id))
