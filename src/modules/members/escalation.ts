import type { Actor } from '#kernel/actor.ts'
import { failure, Forbidden } from '#kernel/errors.ts'
import type { Grants, Permission } from '#kernel/permissions.ts'

export const PermissionEscalation = failure(
  'PERMISSION_ESCALATION',
  'permission_escalation',
  'A caller can hand out only what they hold themselves.',
)

/**
 * Guards every way of handing out power: what is given must be held by the giver, for the whole institute or, where it
 * is given for one branch, at least for that branch.
 * @throws PermissionEscalation with the permissions that are missing
 */
export const refuseEscalation = (
  grants: Grants,
  permissions: readonly Permission[],
  branchId: string | null = null,
): void => {
  const missing = grants.missing(permissions, branchId)
  if (missing.length > 0) throw PermissionEscalation({ permissions: missing })
}

/** Somebody who works in another's name makes no keys, no members and no sessions. @throws Forbidden */
export const refuseImpersonation = (actor: Actor): void => {
  if (actor.type === 'user' && actor.impersonatorId !== null) throw Forbidden({ reason: 'impersonated' })
}
