import * as v from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { failure, invalid, NotFound } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { explained } from '#kernel/values/named.ts'
import { count } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, createRecord, deleteRecord, recordOf, lockRow, lockToDelete } from '#runtime/records/records.ts'
import { CourseCategory, type CategoryNode, type CourseCategoryChanges, type NewCourseCategory } from './schemas.ts'

export const CategorySlugTaken = failure('CONFLICT', 'category_slug_taken', 'There is another category of this slug.')
export const CategoryInUse = failure(
  'CONFLICT',
  'category_in_use',
  'Categories or courses are still filed under this category.',
)

/** Clients read all categories at once, so their number is limited. */
const MOST_CATEGORIES = 1000

export const TooManyCategories = failure('CONFLICT', 'too_many_categories', 'There are as many categories as may be.', {
  details: {
    schema: explained(v.object({ most: count }), { most: 'How many there may be.' }),
    example: { most: MOST_CATEGORIES },
  },
})

const toCategory = shows(CourseCategory)

export const categoryRecord = recordOf('course_category', {
  show: toCategory,
  derived: ({ slug }) => ({ slug_key: slug.toLowerCase() }),
  refusals: { unique: { 'course_category(slug_key)': CategorySlugTaken } },
  inUse: CategoryInUse,
})

/** A root category is on level 1. */
const DEEPEST = 16

/**
 * Reads all categories as a tree; siblings are sorted by sortOrder, then name. A reply cannot nest without limit, so
 * categories that were nested deeper before the limit existed appear on the deepest level.
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

type Parents = ReadonlyMap<string, string | null>

/** Locks every category until the transaction ends. @returns each with its parent */
const lockTree = async ({ db }: Tx): Promise<Parents> => {
  const all = db.selectFrom('course_category').select(['id', 'parent_id'])
  await forNoKeyUpdate(db, all.orderBy('id')).execute()
  // Read again: rows that others committed while we waited for the locks appear only in a new query.
  const rows = await all.execute()
  return new Map(rows.map((row) => [row.id, row.parent_id]))
}

/** The level of a category; 0 for null, the place above all roots. */
const levelOf = (parents: Parents, id: string | null): number => {
  let level = 0
  for (let above: string | null = id; above !== null; above = parents.get(above) ?? null) level += 1
  return level
}

/** How many levels a category and its descendants take. */
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

/** Refuses a move that makes a cycle or nests too deep. The lock makes concurrent moves see each other's result. */
const checkMove = async (tx: Tx, id: string, parentId: string | null): Promise<void> => {
  const parents = await lockTree(tx)
  if (parents.get(id) === parentId) return
  for (let above = parentId; above !== null; above = parents.get(above) ?? null) {
    if (above === id) throw invalid(['parentId'], 'Must not be the category itself or one below it.')
  }
  checkLevels(parents, parentId, heightOf(parents, id))
}

/** @throws NotFound for the parent, CategorySlugTaken, TooManyCategories, VALIDATION_ERROR for one too deep */
export const createCategory = async (tx: Tx, body: NewCourseCategory): Promise<CourseCategory> => {
  const parents = await lockTree(tx)
  if (parents.size >= MOST_CATEGORIES) throw TooManyCategories({ most: MOST_CATEGORIES })
  checkLevels(parents, body.parentId ?? null, 1)
  return createRecord(tx, categoryRecord, body)
}

/** @throws NotFound, CategorySlugTaken, VALIDATION_ERROR for a parent that would close a circle or nest too deep */
export const changeCategory = async (tx: Tx, id: string, body: CourseCategoryChanges): Promise<CourseCategory> => {
  if (body.parentId !== undefined) await checkMove(tx, id, body.parentId)
  return changeRecord(tx, categoryRecord, await lockRow(tx, categoryRecord, id), body)
}

/** @throws NotFound, CategoryInUse */
export const deleteCategory = async (tx: Tx, id: string) =>
  deleteRecord(tx, categoryRecord, await lockToDelete(tx, categoryRecord, id))
