import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, id, integer, list, orNull, text, title, ts, uuid } from '#kernel/values/schema.ts'

const words = {
  parentId: 'The category under which it stands; null: it is at the top.',
  slug: 'A short name for addresses, unique in the institute: letters and digits of any script, dots, underscores and hyphens.',
  sortOrder: 'Categories under the same one are shown by it, the lowest first.',
  children: 'The categories under it.',
}

/** A check: as a pattern of the document, generated clients read `\p{L}` without the flag that it needs. */
const slug = v.pipe(
  text(150),
  v.check(
    (value) => /^[\p{L}\p{M}\p{Nd}._-]+$/u.test(value),
    'Must have letters, digits, dots, underscores and hyphens only.',
  ),
)

const fields = {
  id,
  parentId: orNull(id),
  name: v.string(),
  slug: v.string(),
  sortOrder: count,
  isActive: v.boolean(),
  createdAt: ts,
  updatedAt: ts,
}

export const CourseCategory = named('CourseCategory', v.object(fields), words)
export type CourseCategory = v.InferOutput<typeof CourseCategory>

export interface CategoryNode extends CourseCategory {
  children: CategoryNode[]
}
export const CategoryNode: v.GenericSchema<CategoryNode> = named(
  'CourseCategoryNode',
  v.pipe(v.object({ ...fields, children: list(v.lazy(() => CategoryNode)) }), v.title('CourseCategoryNode')),
  words,
)

const writable = v.object({
  parentId: v.nullable(uuid),
  name: title(150),
  slug,
  sortOrder: integer(-1_000_000, 1_000_000),
  isActive: v.boolean(),
})

export const NewCourseCategory = named(
  'NewCourseCategory',
  v.object({
    ...writable.entries,
    parentId: v.optional(uuid),
    sortOrder: v.optional(writable.entries.sortOrder, 0),
    isActive: v.optional(v.boolean(), true),
  }),
  words,
)
export type NewCourseCategory = v.InferOutput<typeof NewCourseCategory>

export const CourseCategoryChanges = named('CourseCategoryChanges', v.partial(writable), words)
export type CourseCategoryChanges = v.InferOutput<typeof CourseCategoryChanges>
