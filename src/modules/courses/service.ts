import type { Selectable } from 'kysely'
import type { InferOutput } from 'valibot'
import { keptInPlace, locked, lockedForChange, refusing } from '#db/dialect.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { failure, NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import type { Course, CourseChanges, CourseQuery, NewCourse } from './schemas.ts'
import './tables.ts'

export const CourseCodeTaken = failure('CONFLICT', 'course_code_taken', 'There is another course of this code.')
export const CourseInUse = failure('CONFLICT', 'course_in_use', 'Groups or other records belong to this course.')

const rules = { unique: { 'course(code)': CourseCodeTaken } }

const toCourse = (row: Selectable<Tables['course']>): Course => ({
  id: row.id,
  categoryId: row.category_id,
  code: row.code,
  name: row.name,
  description: row.description,
  level: row.level,
  defaultFeeMinor: row.default_fee_minor,
  currency: row.currency,
  defaultCapacity: row.default_capacity,
  color: row.color,
  isActive: row.is_active,
  isPublic: row.is_public,
  language: row.language,
  deliveryMode: row.delivery_mode,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Newest first. */
export const listCourses = (
  db: ScopedDb,
  cursors: Cursors,
  query: InferOutput<typeof CourseQuery>,
): Promise<Page<Course>> => {
  let courses = db.selectFrom('course').selectAll()
  if (query.categoryId) courses = courses.where('category_id', '=', query.categoryId)
  if (query.isActive !== undefined) courses = courses.where('is_active', '=', query.isActive)
  return pageBy(courses, { ...query, cursors }, newestFirst('course'), toCourse)
}

const courseById = (db: ScopedDb, id: string) => db.selectFrom('course').selectAll().where('id', '=', id)

const found = (row: Selectable<Tables['course']> | undefined): Course => {
  if (!row) throw NotFound()
  return toCourse(row)
}

/** @throws NotFound */
export const readCourse = async (db: ScopedDb, id: string): Promise<Course> =>
  found(await courseById(db, id).executeTakeFirst())

/** For a record that will name the course. @throws NotFound */
export const keepCourse = async ({ db }: Tx, id: string): Promise<Course> =>
  found(await keptInPlace(db, courseById(db, id)).executeTakeFirst())

/** For a course that will name the category. @throws NotFound */
const keepCategory = async ({ db }: Tx, id: string | undefined): Promise<void> => {
  if (id === undefined) return
  const category = db.selectFrom('course_category').select('id').where('id', '=', id)
  if (!(await keptInPlace(db, category).executeTakeFirst())) throw NotFound()
}

/** @throws NotFound for the category, CourseCodeTaken */
export const createCourse = async (tx: Tx, body: InferOutput<typeof NewCourse>): Promise<Course> => {
  await keepCategory(tx, body.categoryId)
  const id = tx.id()
  await tx.db
    .insertInto('course')
    .values({
      id,
      category_id: body.categoryId,
      code: body.code ?? null,
      name: body.name,
      description: body.description ?? null,
      level: body.level ?? null,
      default_fee_minor: body.defaultFeeMinor ?? null,
      currency: body.currency ?? tx.tenant.currency,
      default_capacity: body.defaultCapacity ?? null,
      color: body.color ?? null,
      is_active: body.isActive ?? true,
      is_public: body.isPublic ?? false,
      language: body.language ?? null,
      delivery_mode: body.deliveryMode ?? 'group',
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
    .catch(refusing(rules))
  const course = await readCourse(tx.db, id)
  tx.audit({ entityType: 'course', entityId: id, after: course })
  return course
}

/** @throws NotFound, CourseCodeTaken */
export const changeCourse = async (tx: Tx, id: string, changes: InferOutput<typeof CourseChanges>): Promise<Course> => {
  const before = found(await lockedForChange(tx.db, courseById(tx.db, id)).executeTakeFirst())
  await keepCategory(tx, changes.categoryId)
  await tx.db
    .updateTable('course')
    .set({
      category_id: changes.categoryId,
      code: changes.code,
      name: changes.name,
      description: changes.description,
      level: changes.level,
      default_fee_minor: changes.defaultFeeMinor,
      currency: changes.currency,
      default_capacity: changes.defaultCapacity,
      color: changes.color,
      is_active: changes.isActive,
      is_public: changes.isPublic,
      language: changes.language,
      delivery_mode: changes.deliveryMode,
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .execute()
    .catch(refusing(rules))
  const after = await readCourse(tx.db, id)
  tx.audit({ entityType: 'course', entityId: id, before, after })
  return after
}

/** @throws NotFound, CourseInUse */
export const deleteCourse = async (tx: Tx, id: string): Promise<void> => {
  const before = found(await locked(tx.db, courseById(tx.db, id)).executeTakeFirst())
  await tx.db
    .deleteFrom('course')
    .where('id', '=', id)
    .execute()
    .catch(refusing({ foreignKey: CourseInUse }))
  tx.audit({ entityType: 'course', entityId: id, before })
}
