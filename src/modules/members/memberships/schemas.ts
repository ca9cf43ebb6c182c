import * as v from 'valibot'
import { email, id, list, orNull, ts, uuid } from '#kernel/schema.ts'

export const Member = v.object({
  membershipId: id,
  userId: id,
  email: v.string(),
  fullName: v.string(),
  status: v.picklist(['invited', 'active', 'disabled']),
  joinedAt: orNull(ts),
  createdAt: ts,
  roles: list(v.object({ roleId: id, roleName: v.string(), roleKey: orNull(v.string()), branchId: orNull(id) })),
})
export type Member = v.InferOutput<typeof Member>

export const NewMember = v.object({ email, roleId: uuid, branchId: v.optional(uuid) })

export const Invitation = v.object({ id, email: v.string(), expiresAt: ts })
export type Invitation = v.InferOutput<typeof Invitation>

export const MemberChanges = v.object({ status: v.picklist(['active', 'disabled']) })

export const MemberRoles = v.object({
  roles: v.pipe(
    v.array(v.object({ roleId: uuid, branchId: v.optional(v.nullable(uuid)) })),
    v.minLength(1, 'Must name at least one role.'),
    v.maxLength(100, 'Must name at most 100 roles.'),
  ),
})
