import type { Actor, Caller, Channel } from '#kernel/actor.ts'
import type { Authenticator, CredentialLookup } from '#kernel/authenticator.ts'
import { AccountDisabled } from '#kernel/errors.ts'
import { Grants } from '#kernel/permissions.ts'
import type { SystemDb } from '#kernel/tables.ts'
import { grantsOf, type TaughtGroups } from '#modules/members/index.ts'
import { compiled } from '#db/compiled.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { cachedUntilCommit } from '#runtime/until-commit.ts'
import { TENANT_COLUMNS, toTenantInfo, type TenantColumns } from '#modules/tenants/index.ts'
import type { AccessClaims, AccessTokens } from './tokens.ts'

export interface UserAuthenticatorDeps {
  /** Reads committed rows, which the cache of session states needs. */
  db: SystemDb
  /** See Database.version. */
  version(): number | undefined
  tokens: AccessTokens
  taughtGroups: TaughtGroups
  /** Requests a minute of one user. */
  userPerMinute: number
}

const nobody = { grants: new Grants([]), isOwner: false }

const findSession = compiled((db, { sessionId, userId }: Pick<AccessClaims, 'sessionId' | 'userId'>) =>
  db
    .selectFrom('auth_session')
    .select(['client', 'revoked_at', 'ends_at', 'impersonator_id'])
    .where('id', '=', sessionId)
    .where('user_id', '=', userId),
)

const lockUser = compiled((db, { userId }: Pick<AccessClaims, 'userId'>) =>
  forNoKeyUpdate(db, db.selectFrom('user').select('id').where('id', '=', userId)),
)

const findUserAccess = compiled((db, { userId, tenantId }: Pick<AccessClaims, 'userId' | 'tenantId'>) =>
  db
    .selectFrom('user')
    .leftJoin('tenant', (join) => join.on('tenant.id', '=', tenantId))
    .leftJoin('membership', (join) =>
      join.on('membership.tenant_id', '=', tenantId).onRef('membership.user_id', '=', 'user.id'),
    )
    .select([
      'user.status as user_status',
      'user.is_platform_admin',
      'membership.id as membership_id',
      'membership.status as membership_status',
      ...TENANT_COLUMNS,
    ])
    .where('user.id', '=', userId),
)

/** What a user is in an institute; it does not depend on the session. */
type UserAccess = Pick<Caller, 'tenant' | 'membershipActive' | 'grants' | 'isOwner'> & {
  membershipId: string | null
  isDisabled: boolean
  isPlatformAdmin: boolean
}

const userAccessReader =
  (taughtGroups: TaughtGroups) =>
  async (db: SystemDb, { userId, tenantId }: AccessClaims): Promise<UserAccess | undefined> => {
    const [row] = await findUserAccess(db, { userId, tenantId })
    if (!row) return undefined
    const tenant = tenantId !== null && row.slug !== null ? toTenantInfo(tenantId, row as TenantColumns) : null
    const active = row.membership_status === 'active'
    const { grants, isOwner } =
      tenant && active && row.membership_id !== null
        ? await grantsOf(db, { tenantId: tenant.id, userId, membershipId: row.membership_id }, taughtGroups)
        : nobody
    return {
      tenant,
      membershipActive: active,
      grants,
      isOwner,
      membershipId: row.membership_id,
      isDisabled: row.user_status === 'disabled',
      isPlatformAdmin: row.is_platform_admin,
    }
  }

/** A session as its row describes it, and what its user may do. */
interface SessionState {
  session: { client: Channel; revoked_at: string | null; ends_at: string; impersonator_id: string | null }
  access: UserAccess
}

type SessionStateReader = (db: SystemDb, claims: AccessClaims) => Promise<SessionState | undefined>

const sessionStateReader = (taughtGroups: TaughtGroups): SessionStateReader => {
  const userAccessOf = userAccessReader(taughtGroups)
  return async (db, claims) => {
    const [session] = await findSession(db, claims)
    const access = session && (await userAccessOf(db, claims))
    return access && { session, access }
  }
}

/** Finds the caller of an access token that was verified, in committed rows or in those of an open transaction. */
export type SessionCaller = (claims: AccessClaims, now: string, where: CredentialLookup) => Promise<Caller | undefined>

/**
 * Makes the function that finds the caller behind a session. A revoked session or a disabled user is refused at the
 * next request, before the token expires.
 */
export const sessionCallers = ({
  db,
  version,
  taughtGroups,
  userPerMinute,
}: Omit<UserAuthenticatorDeps, 'tokens'>): SessionCaller => {
  // AccessTokens returns the same claims for the same token.
  const stateOf = cachedUntilCommit({ db, version }, sessionStateReader(taughtGroups))
  return async (claims, now, { db: from, locksAccount }) => {
    if (locksAccount) await lockUser(from, claims)
    const state = await stateOf(from, claims)
    if (!state) return undefined
    const { session, access } = state
    const { userId, sessionId } = claims
    if (access.isDisabled) throw AccountDisabled()
    if (session.revoked_at !== null || session.ends_at <= now) return undefined
    const { tenant, membershipActive, grants, isOwner, membershipId } = access
    const actor: Actor =
      access.isPlatformAdmin && !tenant
        ? { type: 'platform_admin', userId, sessionId }
        : { type: 'user', userId, membershipId, sessionId, impersonatorId: session.impersonator_id }
    return {
      actor,
      channel: session.client,
      id: userId,
      limitPerMinute: userPerMinute,
      tenant,
      membershipActive,
      grants,
      isOwner,
      key: null,
    }
  }
}

/** Authenticates users by the access token of their sign-in. A token for another audience is refused. */
export const userAuthenticator = ({ tokens, ...deps }: UserAuthenticatorDeps): Authenticator => {
  const callerOf = sessionCallers(deps)
  return {
    recognises: (credential) => credential.startsWith('ey'),
    authenticate: async (credential, now, where) => {
      const claims = await tokens.verify(credential)
      return claims && claims.audience === undefined ? callerOf(claims, now, where) : undefined
    },
  }
}
