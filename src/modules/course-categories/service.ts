import type { Selectable } from 'kysely'
import type { InferOutput } from 'valibot'
import { locked, refusing } from '#db/dialect.ts'
import { failure, invalid, NotFound } from '#kernel/errors.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { CategoryNode, CourseCategory, CourseCategoryChanges, NewCourseCategory } from './schemas.ts'
import './tables.ts'

export const CategorySlugTaken = failure('CONFLICT', 'category_slug_taken', 'There is another category of this slug.')
export const CategoryInUse = failure(
  'CONFLICT',
  'category_in_use',
  'Categories or courses are still filed under this category.',
)

const slugRule = { unique: { 'course_category(slug)': CategorySlugTaken } }

const toCategory = (row: Selectable<Tables['course_category']>): CourseCategory => ({
  id: row.id,
  parentId: row.parent_id,
  name: row.name,
  slug: row.slug,
  sortOrder: row.sort_order,
  isActive: row.is_active,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** All categories as a tree: siblings by sortOrder, then name. */
export const categoryTree = async (db: ScopedDb): Promise<CategoryNode[]> => {
  const rows = await db
    .selectFrom('course_category')
    .selectAll()
    .orderBy('sort_order')
    .orderBy('name')
    .orderBy('id')
    .execute()
  const nodes = new Map(rows.map((row) => [row.id, { ...toCategory(row), children: [] as CategoryNode[] }]))
  const roots: CategoryNode[] = []
  for (const node of nodes.values()) (nodes.get(node.parentId ?? '')?.children ?? roots).push(node)
  return roots
}

/** @throws NotFound */
export const readCategory = async (db: ScopedDb, id: string): Promise<CourseCategory> => {
  const row = await db.selectFrom('course_category').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw NotFound()
  return toCategory(row)
}

/**
 * Refuses a parent that is the category itself or below it. Every row is locked on the way: of two moves that together
 * would close a circle, the second sees the first.
 */
const checkParent = async ({ db }: Tx, id: string, parentId: string): Promise<void> => {
  const rows = await locked(db, db.selectFrom('course_category').select(['id', 'parent_id']).orderBy('id')).execute()
  const parents = new Map(rows.map((row) => [row.id, row.parent_id]))
  if (!parents.has(parentId)) throw NotFound()
  for (let above: string | null | undefined = parentId; above; above = parents.get(above)) {
    if (above === id) throw invalid(['parentId'], 'Must not be the category itself or one below it.')
  }
}

/** @throws NotFound for the parent, CategorySlugTaken */
export const createCategory = async (tx: Tx, body: InferOutput<typeof NewCourseCategory>): Promise<CourseCategory> => {
  if (body.parentId) await readCategory(tx.db, body.parentId)
  const id = tx.id()
  await tx.db
    .insertInto('course_category')
    .values({
      id,
      parent_id: body.parentId ?? null,
      name: body.name,
      slug: body.slug,
      sort_order: body.sortOrder,
      is_active: body.isActive,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
    .catch(refusing(slugRule))
  const category = await readCategory(tx.db, id)
  tx.audit({ entityType: 'course_category', entityId: id, after: category })
  return category
}

/** @throws NotFound, CategorySlugTaken, VALIDATION_ERROR for a parent that would close a circle */
export const changeCategory = async (
  tx: Tx,
  id: string,
  changes: InferOutput<typeof CourseCategoryChanges>,
): Promise<CourseCategory> => {
  const before = await readCategory(tx.db, id)
  if (changes.parentId) await checkParent(tx, id, changes.parentId)
  await tx.db
    .updateTable('course_category')
    .set({
      parent_id: changes.parentId,
      name: changes.name,
      slug: changes.slug,
      sort_order: changes.sortOrder,
      is_active: changes.isActive,
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .execute()
    .catch(refusing(slugRule))
  const after = await readCategory(tx.db, id)
  tx.audit({ entityType: 'course_category', entityId: id, before, after })
  return after
}

/** @throws NotFound, CategoryInUse */
export const deleteCategory = async (tx: Tx, id: string): Promise<void> => {
  const before = await readCategory(tx.db, id)
  await tx.db
    .deleteFrom('course_category')
    .where('id', '=', id)
    .execute()
    .catch(refusing({ foreignKey: CategoryInUse }))
  tx.audit({ entityType: 'course_category', entityId: id, before })
}
