import type { Actor, Caller } from '#kernel/actor.ts'
import type { Authenticator } from '#kernel/authenticator.ts'
import { AccountDisabled } from '#kernel/errors.ts'
import { Grants } from '#kernel/permissions.ts'
import type { SystemDb } from '#kernel/tables.ts'
import { grantsOf, type TaughtGroups } from '#modules/members/index.ts'
import { TENANT_COLUMNS, toTenantInfo, type TenantColumns } from '#modules/settings/index.ts'
import type { AccessClaims, AccessTokens } from './tokens.ts'
import './tables.ts'

export interface UserAuthenticatorDeps {
  /** Committed rows. */
  db: SystemDb
  tokens: AccessTokens
  taughtGroups: TaughtGroups
  /** Requests a minute of one user. */
  userPerMinute: number
}

const nobody = { grants: new Grants([]), isOwner: false }

/** Knows users by their access token. A revoked session or a disabled user ends at the next request, not at expiry. */
export const userAuthenticator = ({
  db,
  tokens,
  taughtGroups,
  userPerMinute,
}: UserAuthenticatorDeps): Authenticator => {
  const findSession = ({ sessionId, userId, tenantId }: AccessClaims) =>
    db
      .selectFrom('auth_session')
      .innerJoin('user', 'user.id', 'auth_session.user_id')
      .leftJoin('tenant', (join) => join.on('tenant.id', '=', tenantId))
      .leftJoin('membership', (join) =>
        join.on('membership.tenant_id', '=', tenantId).onRef('membership.user_id', '=', 'user.id'),
      )
      .select([
        'auth_session.client',
        'auth_session.revoked_at',
        'auth_session.ends_at',
        'auth_session.impersonator_id',
        'user.status as user_status',
        'user.is_platform_admin',
        'membership.id as membership_id',
        'membership.status as membership_status',
        ...TENANT_COLUMNS,
      ])
      .where('auth_session.id', '=', sessionId)
      .where('auth_session.user_id', '=', userId)
      .executeTakeFirst()

  return {
    recognises: (credential) => credential.startsWith('ey'),
    authenticate: async (credential, now): Promise<Caller | undefined> => {
      const claims = await tokens.verify(credential)
      const session = claims && (await findSession(claims))
      if (!claims || !session) return undefined
      if (session.user_status === 'disabled') throw AccountDisabled()
      if (session.revoked_at !== null || session.ends_at <= now) return undefined
      const { userId, tenantId, sessionId } = claims
      const tenant =
        tenantId !== null && session.slug !== null ? toTenantInfo(tenantId, session as TenantColumns) : null
      const active = session.membership_status === 'active'
      const { grants, isOwner } =
        tenant && active && session.membership_id !== null
          ? await grantsOf(db, { tenantId: tenant.id, userId, membershipId: session.membership_id }, taughtGroups)
          : nobody
      const actor: Actor =
        session.is_platform_admin && !tenant
          ? { type: 'platform_admin', userId, sessionId }
          : {
              type: 'user',
              userId,
              membershipId: session.membership_id,
              sessionId,
              impersonatorId: session.impersonator_id,
            }
      return {
        actor,
        channel: session.client,
        id: userId,
        limitPerMinute: userPerMinute,
        tenant,
        membershipActive: active,
        grants,
        isOwner,
        key: null,
      }
    },
  }
}
