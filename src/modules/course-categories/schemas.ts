import * as v from 'valibot'
import { id, integer, list, orNull, text, ts, uuid } from '#kernel/schema.ts'

const slug = v.pipe(
  text(150),
  v.regex(/^[\p{L}\p{M}\p{Nd}._\-]+$/v, 'Must have letters, digits, dots, underscores and hyphens only.'),
)

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

const writable = v.object({
  parentId: v.nullable(uuid),
  name: text(150),
  slug,
  sortOrder: integer(-1_000_000, 1_000_000),
  isActive: v.boolean(),
})

export const NewCourseCategory = v.object({
  ...writable.entries,
  parentId: v.optional(uuid),
  sortOrder: v.optional(writable.entries.sortOrder, 0),
  isActive: v.optional(v.boolean(), true),
})
export type NewCourseCategory = v.InferOutput<typeof NewCourseCategory>

export const CourseCategoryChanges = v.partial(writable)
export type CourseCategoryChanges = v.InferOutput<typeof CourseCategoryChanges>
