import * as v from 'valibot'
import { currency, emptyable, emptyableProse, id, integer, orNull, pageQuery, text, ts, uuid } from '#kernel/schema.ts'
import { DELIVERY_MODES } from './tables.ts'

const deliveryMode = v.picklist(DELIVERY_MODES)

export const Course = v.object({
  id,
  categoryId: id,
  code: orNull(v.string()),
  name: v.string(),
  description: orNull(v.string()),
  level: orNull(v.string()),
  defaultFeeMinor: orNull(v.number()),
  currency,
  defaultCapacity: orNull(v.number()),
  color: orNull(v.string()),
  isActive: v.boolean(),
  isPublic: v.boolean(),
  language: orNull(v.string()),
  deliveryMode,
  createdAt: ts,
  updatedAt: ts,
})
export type Course = v.InferOutput<typeof Course>

const writable = v.object({
  categoryId: uuid,
  name: text(200),
  code: v.nullable(emptyable(50)),
  description: v.nullable(emptyableProse(5000)),
  level: v.nullable(emptyable(100)),
  defaultFeeMinor: v.nullable(integer(0, 1_000_000_000_000)),
  currency,
  defaultCapacity: v.nullable(integer(1, 100_000)),
  color: v.nullable(emptyable(50)),
  isActive: v.boolean(),
  isPublic: v.boolean(),
  language: v.nullable(emptyable(50)),
  deliveryMode,
})

export const CourseChanges = v.partial(writable)
export const NewCourse = v.object({ ...CourseChanges.entries, categoryId: uuid, name: text(200) })
export const CourseQuery = pageQuery({ categoryId: v.optional(uuid), isActive: v.optional(v.boolean()) })
