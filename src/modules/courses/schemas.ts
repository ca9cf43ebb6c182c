import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  currency,
  emptyable,
  emptyableProse,
  id,
  integer,
  orNull,
  pageQuery,
  searched,
  title,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { DELIVERY_MODES } from './tables.ts'

const words = {
  code: 'A short code, unique in the institute; null: none.',
  level: 'For whom it is, in the institute’s own words; null: nothing is said.',
  defaultFeeMinor: 'What a new group of it costs, in the smallest unit of the currency; null: nothing.',
  defaultCapacity: 'How many students a new group of it takes; null: no limit.',
  isPublic: 'Whether the institute’s website may offer it.',
  language: 'The language it is taught in; null: nothing is said.',
  deliveryMode: 'How it is learned.',
}

const deliveryMode = named('DeliveryMode', v.picklist(DELIVERY_MODES))

export const Course = named(
  'Course',
  v.object({
    id,
    categoryId: id,
    code: orNull(v.string()),
    name: v.string(),
    description: orNull(v.string()),
    level: orNull(v.string()),
    defaultFeeMinor: orNull(count),
    currency,
    defaultCapacity: orNull(count),
    color: orNull(v.string()),
    isActive: v.boolean(),
    isPublic: v.boolean(),
    language: orNull(v.string()),
    deliveryMode,
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Course = v.InferOutput<typeof Course>

const writable = v.object({
  categoryId: uuid,
  name: title(200),
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

export const CourseChanges = named('CourseChanges', v.partial(writable), words)
export const NewCourse = named(
  'NewCourse',
  v.object({ ...CourseChanges.entries, categoryId: uuid, name: title(200) }),
  words,
)
export const CourseQuery = explained(
  pageQuery({ q: v.optional(searched(200)), categoryId: v.optional(uuid), isActive: v.optional(v.boolean()) }),
  words,
)
