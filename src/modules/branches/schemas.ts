import * as v from 'valibot'
import { Address, emptyable, id, orNull, text, ts } from '#kernel/schema.ts'

export const Branch = v.object({
  id,
  tenantId: id,
  name: v.string(),
  code: orNull(v.string()),
  address: orNull(Address),
  phone: orNull(v.string()),
  isDefault: v.boolean(),
  isActive: v.boolean(),
  createdAt: ts,
  updatedAt: ts,
})
export type Branch = v.InferOutput<typeof Branch>

export const NewBranch = v.object({
  name: text(200),
  code: v.optional(emptyable(50)),
  address: v.optional(Address),
  phone: v.optional(emptyable(50)),
  isDefault: v.optional(v.boolean(), false),
})

export const BranchChanges = v.object({
  name: v.optional(text(200)),
  code: v.optional(v.nullable(emptyable(50))),
  address: v.optional(v.nullable(Address)),
  phone: v.optional(v.nullable(emptyable(50))),
  isDefault: v.optional(v.boolean()),
  isActive: v.optional(v.boolean()),
})
