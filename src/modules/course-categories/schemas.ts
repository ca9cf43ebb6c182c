import * as v from 'valibot'
import { id, integer, list, orNull, text, ts, uuid } from '#kernel/schema.ts'

const slug = v.pipe(
  text(150),
  v.regex(/^[\p{L}\p{M}\p{Nd}._\-]+$/v, 'Must have letters, digits, dots, underscores and hyphens only.'),
)
const sortOrder = integer(-1_000_000, 1_000_000)

const fields = {
  id,
  parentId: orNull(id),
  name: v.string(),
  slug: v.string(),
  sortOrder: v.number(),
  isActive: v.boolean(),
  createdAt: ts,
  updatedAt: ts,
}

export const CourseCategory = v.object(fields)
export type CourseCategory = v.InferOutput<typeof CourseCategory>

export interface CategoryNode extends CourseCategory {
  children: CategoryNode[]
}
export const CategoryNode: v.GenericSchema<CategoryNode> = v.pipe(
  v.object({ ...fields, children: list(v.lazy(() => CategoryNode)) }),
  v.title('CourseCategoryNode'),
)

export const NewCourseCategory = v.object({
  parentId: v.optional(uuid),
  name: text(150),
  slug,
  sortOrder: v.optional(sortOrder, 0),
  isActive: v.optional(v.boolean(), true),
})

export const CourseCategoryChanges = v.object({
  parentId: v.optional(v.nullable(uuid)),
  name: v.optional(text(150)),
  slug: v.optional(slug),
  sortOrder: v.optional(sortOrder),
  isActive: v.optional(v.boolean()),
})
