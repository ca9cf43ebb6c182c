import type { Asker, Caller, TenantInfo } from '#kernel/who/actor.ts'
import { ApiError } from '#kernel/values/errors.ts'
import { checkNotArchived, checkNotLocked } from '#kernel/who/tenant-state.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { taughtGroups } from '#modules/groups/index.ts'
import { cachedGrants, grantsOf } from '#modules/members/index.ts'
import { ImportFailed } from './complaints.ts'

type Rights = Pick<Caller, 'grants' | 'isOwner'>

/** @returns undefined: they are no active member any more, or the key was revoked */
const rightsOf = async (system: SystemTx, tenant: TenantInfo, { actor }: Asker): Promise<Rights | undefined> => {
  const { whole, now } = system.inTenant(tenant)
  if (actor.type === 'user') {
    const { userId } = actor
    const member = await whole
      .selectFrom('membership')
      .innerJoin('user', 'user.id', 'membership.user_id')
      .select('membership.id')
      .where('membership.user_id', '=', userId)
      .where('membership.status', '=', 'active')
      .where('user.status', '=', 'active')
      .executeTakeFirst()
    if (!member) return undefined
    const of = { tenantId: tenant.id, userId, membershipId: member.id }
    return grantsOf(system.everywhere, of, taughtGroups)
  }
  if (actor.type !== 'api_key') return undefined
  const key = await whole
    .selectFrom('api_key')
    .select(['permissions', 'expires_at', 'revoked_at'])
    .where('id', '=', actor.keyId)
    .executeTakeFirst()
  if (!key || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)) return undefined
  return { grants: cachedGrants([{ permissions: key.permissions, branchId: null }]), isOwner: false }
}

/**
 * Whoever asked for an import, with the rights that they have now: an import may outlast them.
 * @throws ImportFailed when they may do nothing here any more, or the institute takes no changes
 */
export const callerOf = async (system: SystemTx, tenant: TenantInfo, asker: Asker): Promise<Caller> => {
  try {
    checkNotArchived(tenant)
    checkNotLocked(tenant, { isChange: true, now: system.now })
  } catch (error) {
    throw error instanceof ApiError ? new ImportFailed('no_longer_allowed') : error
  }
  const rights = await rightsOf(system, tenant, asker)
  if (!rights) throw new ImportFailed('no_longer_allowed')
  const { actor, channel } = asker
  return {
    ...rights,
    actor,
    channel,
    id: actor.type === 'user' ? actor.userId : actor.type === 'api_key' ? actor.keyId : '',
    limitPerMinute: 0,
    tenant,
    membershipActive: true,
    needsSecondFactor: false,
    key: null,
  }
}
