import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { Address, emptyable, id, orNull, title, ts } from '#kernel/values/schema.ts'

const words = {
  tenantId: 'The institute.',
  name: 'Unique in the institute.',
  isDefault: 'Whether what comes without a branch comes here. One branch is, always.',
  phone: 'A phone number, as it was typed; null: none is known.',
}

export const Branch = named(
  'Branch',
  v.object({
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
  }),
  words,
)
export type Branch = v.InferOutput<typeof Branch>

export const NewBranch = named(
  'NewBranch',
  v.object({
    name: title(200),
    code: v.optional(emptyable(50)),
    address: v.optional(Address),
    phone: v.optional(emptyable(50)),
    isDefault: v.optional(v.boolean(), false),
  }),
  words,
)

export const BranchChanges = named(
  'BranchChanges',
  v.object({
    name: v.optional(title(200)),
    code: v.optional(v.nullable(emptyable(50))),
    address: v.optional(v.nullable(Address)),
    phone: v.optional(v.nullable(emptyable(50))),
    isDefault: v.optional(v.boolean()),
    isActive: v.optional(v.boolean()),
  }),
  words,
)
