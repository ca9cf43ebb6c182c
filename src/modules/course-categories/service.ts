import type { Selectable } from 'kysely'
import type { InferOutput } from 'valibot'
import { locked, lockedForChange, refusing } from '#db/dialect.ts'
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

export const TooManyCategories = failure('CONFLICT', 'too_many_categories', 'There are as many categories as may be.')

const slugRule = { unique: { 'course_category(slug_key)': CategorySlugTaken } }

/** All of them are read at once, by everybody who chooses a course. */
const MOST_CATEGORIES = 1000

/** A root stands on the first level. */
const DEEPEST = 16

const keyOf = (slug: string): string => slug.toLowerCase()

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

/**
 * All categories as a tree: siblings by sortOrder, then name. What is there from before there was a deepest level stands on
 * that level: a reply of any depth could not be written.
 */
export const categoryTree = async (db: ScopedDb): Promise<CategoryNode[]> => {
  const rows = await db
    .selectFrom('course_category')
    .selectAll()
    .orderBy('sort_order')
    .orderBy('name')
    .orderBy('id')
    .execute()
  const byParent = Map.groupBy(rows, (row) => row.parent_id)
  const roots: CategoryNode[] = []
  const level = [{ id: null as string | null, depth: 0, nodes: roots }]
  for (const { id, depth, nodes } of level) {
    for (const row of byParent.get(id) ?? []) {
      const node = { ...toCategory(row), children: [] }
      nodes.push(node)
      level.push({ id: row.id, depth: depth + 1, nodes: depth + 1 < DEEPEST ? node.children : nodes })
    }
  }
  return roots
}

const categoryById = (db: ScopedDb, id: string) => db.selectFrom('course_category').selectAll().where('id', '=', id)

const found = (row: Selectable<Tables['course_category']> | undefined): CourseCategory => {
  if (!row) throw NotFound()
  return toCategory(row)
}

/** @throws NotFound */
export const readCategory = async (db: ScopedDb, id: string): Promise<CourseCategory> =>
  found(await categoryById(db, id).executeTakeFirst())

type Parents = ReadonlyMap<string, string | null>

/** Every category with its parent, which nobody else changes until this change ends. */
const lockTree = async ({ db }: Tx): Promise<Parents> => {
  const all = db.selectFrom('course_category').select(['id', 'parent_id'])
  await lockedForChange(db, all.orderBy('id')).execute()
  // Asked again: what others added before they let go is seen by a new question alone.
  const rows = await all.execute()
  return new Map(rows.map((row) => [row.id, row.parent_id]))
}

/** On which level a category stands; 0: null, above all roots. */
const levelOf = (parents: Parents, id: string | null): number => {
  let level = 0
  for (let above: string | null = id; above !== null; above = parents.get(above) ?? null) level += 1
  return level
}

/** How many levels a category and what is below it take. */
const heightOf = (parents: Parents, id: string): number => {
  const children = Map.groupBy(parents.keys(), (one) => parents.get(one) ?? null)
  let height = 0
  for (let level = [id]; level.length > 0; level = level.flatMap((one) => children.get(one) ?? [])) height += 1
  return height
}

const checkLevels = (parents: Parents, parentId: string | null, height: number): void => {
  if (parentId !== null && !parents.has(parentId)) throw NotFound()
  if (levelOf(parents, parentId) + height > DEEPEST) {
    throw invalid(['parentId'], `Must leave the categories nested at most ${DEEPEST} deep.`)
  }
}

/** Of two moves that together would close a circle, or nest too deep, the second sees the first. */
const checkMove = async (tx: Tx, id: string, parentId: string | null): Promise<void> => {
  const parents = await lockTree(tx)
  if (parents.get(id) === parentId) return
  for (let above = parentId; above !== null; above = parents.get(above) ?? null) {
    if (above === id) throw invalid(['parentId'], 'Must not be the category itself or one below it.')
  }
  checkLevels(parents, parentId, heightOf(parents, id))
}

/** @throws NotFound for the parent, CategorySlugTaken, TooManyCategories, VALIDATION_ERROR for one too deep */
export const createCategory = async (tx: Tx, body: InferOutput<typeof NewCourseCategory>): Promise<CourseCategory> => {
  const parents = await lockTree(tx)
  if (parents.size >= MOST_CATEGORIES) throw TooManyCategories({ most: MOST_CATEGORIES })
  checkLevels(parents, body.parentId ?? null, 1)
  const id = tx.id()
  await tx.db
    .insertInto('course_category')
    .values({
      id,
      parent_id: body.parentId ?? null,
      name: body.name,
      slug: body.slug,
      slug_key: keyOf(body.slug),
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

/** @throws NotFound, CategorySlugTaken, VALIDATION_ERROR for a parent that would close a circle or nest too deep */
export const changeCategory = async (
  tx: Tx,
  id: string,
  changes: InferOutput<typeof CourseCategoryChanges>,
): Promise<CourseCategory> => {
  const { parentId } = changes
  if (parentId !== undefined) await checkMove(tx, id, parentId)
  const before = found(await lockedForChange(tx.db, categoryById(tx.db, id)).executeTakeFirst())
  await tx.db
    .updateTable('course_category')
    .set({
      parent_id: changes.parentId,
      name: changes.name,
      slug: changes.slug,
      slug_key: changes.slug === undefined ? undefined : keyOf(changes.slug),
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
  const before = found(await locked(tx.db, categoryById(tx.db, id)).executeTakeFirst())
  await tx.db
    .deleteFrom('course_category')
    .where('id', '=', id)
    .execute()
    .catch(refusing({ foreignKey: CategoryInUse }))
  tx.audit({ entityType: 'course_category', entityId: id, before })
}
