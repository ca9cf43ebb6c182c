import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import {
  count,
  emptyable,
  emptyableEmail,
  expectedVersion,
  id,
  name,
  orNull,
  pageQuery,
  searched,
  ts,
  uuid,
} from '#kernel/values/schema.ts'

const words = {
  title: 'What they do; null: nothing is said.',
  branchId: 'The branch to which they belong.',
  isActive: 'Whether they work here. Who does not, gives no sessions.',
}

export const Staff = named(
  'Staff',
  v.object({
    id,
    branchId: id,
    userId: orNull(id),
    firstName: v.string(),
    lastName: v.string(),
    fullName: v.string(),
    email: orNull(v.string()),
    phone: orNull(v.string()),
    title: orNull(v.string()),
    isActive: v.boolean(),
    version: count,
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Staff = v.InferOutput<typeof Staff>

const writable = v.object({
  branchId: uuid,
  firstName: name(100),
  lastName: name(100),
  email: v.nullable(emptyableEmail),
  phone: v.nullable(emptyable(50)),
  title: v.nullable(emptyable(150)),
  userId: v.nullable(uuid),
  isActive: v.boolean(),
})

export const NewStaff = named(
  'NewStaff',
  v.object({
    ...v.partial(writable, ['email', 'phone', 'title', 'userId']).entries,
    isActive: v.optional(v.boolean(), true),
  }),
  words,
)
export type NewStaff = v.InferOutput<typeof NewStaff>

export const StaffChanges = named(
  'StaffChanges',
  v.object({ ...v.partial(writable).entries, version: expectedVersion }),
  words,
)
export type StaffChanges = v.InferOutput<typeof StaffChanges>

export const StaffQuery = pageQuery({
  q: v.optional(searched(200)),
  branchId: v.optional(uuid),
  isActive: v.optional(v.boolean()),
})
export type StaffQuery = v.InferOutput<typeof StaffQuery>
