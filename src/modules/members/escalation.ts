import * as v from 'valibot'
import type { Actor } from '#kernel/who/actor.ts'
import { failure, Forbidden } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { ALL_PERMISSIONS, type Grants, type Permission } from '#kernel/rights/permissions.ts'

export const PermissionEscalation = failure(
  'PERMISSION_ESCALATION',
  'permission_escalation',
  'A caller can hand out only what they hold themselves.',
  {
    details: {
      schema: explained(v.object({ permissions: v.array(v.picklist(ALL_PERMISSIONS)) }), {
        permissions: 'Those that the caller does not hold.',
      }),
      example: { permissions: ['roles.manage'] },
    },
  },
)

/**
 * Prevents privilege escalation: callers can grant only permissions that they hold themselves, for the whole institute
 * or, when they grant for one branch, at least for that branch.
 * @throws PermissionEscalation with the missing permissions
 */
export const refuseEscalation = (
  grants: Grants,
  permissions: readonly Permission[],
  branchId: string | null = null,
): void => {
  const missing = grants.missing(permissions, branchId)
  if (missing.length > 0) throw PermissionEscalation({ permissions: missing })
}

/** Somebody who impersonates another user cannot make keys, members or sessions. @throws Forbidden */
export const refuseImpersonation = (actor: Actor): void => {
  if (actor.type === 'user' && actor.impersonatorId !== null) throw Forbidden({ reason: 'impersonated' })
}
