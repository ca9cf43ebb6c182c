import type { Actor, Caller, Preview } from '#kernel/who/actor.ts'
import type { Authenticator, CredentialLookup } from '#kernel/contract/authenticator.ts'
import { AccountDisabled, Forbidden } from '#kernel/values/errors.ts'
import { Grants } from '#kernel/rights/permissions.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { grantsOfRoles, ROLE_COLUMNS, type HeldRole, type TaughtGroups } from '#modules/members/index.ts'
import { compiled } from '#db/queries/compiled.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { cachedUntilCommit } from '#runtime/change/until-commit.ts'
import { TENANT_COLUMNS, toTenantInfo, type TenantColumns } from '#modules/tenants/index.ts'
import { findPreviewed, type Previewed } from './preview.ts'
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

type AccessKey = Pick<AccessClaims, 'sessionId' | 'userId' | 'tenantId'>

const nobody = { grants: new Grants([]), isOwner: false }

const lockUser = compiled((db, { userId }: Pick<AccessClaims, 'userId'>) =>
  forNoKeyUpdate(db, db.selectFrom('user').select('id').where('id', '=', userId)),
)

/** All that a request asks of the database before it is admitted is one query: on Postgres each one is a round trip. */
const findAccess = compiled((db, { sessionId, userId, tenantId }: AccessKey) =>
  db
    .selectFrom('auth_session')
    .innerJoin('user', 'user.id', 'auth_session.user_id')
    .leftJoin('tenant', (join) => join.on('tenant.id', '=', tenantId))
    .leftJoin('membership', (join) =>
      join.on('membership.tenant_id', '=', tenantId).onRef('membership.user_id', '=', 'user.id'),
    )
    .leftJoin('role_assignment', (join) =>
      join.on('role_assignment.tenant_id', '=', tenantId).onRef('role_assignment.membership_id', '=', 'membership.id'),
    )
    .leftJoin('role', (join) =>
      join.on('role.tenant_id', '=', tenantId).onRef('role.id', '=', 'role_assignment.role_id'),
    )
    .select([
      'auth_session.client',
      'auth_session.revoked_at',
      'auth_session.ends_at',
      'auth_session.impersonator_id',
      'auth_session.has_second_factor',
      'auth_session.preview',
      'user.status as user_status',
      'user.is_platform_admin',
      'membership.id as membership_id',
      'membership.status as membership_status',
      'role.asks_second_factor',
      ...TENANT_COLUMNS,
      ...ROLE_COLUMNS,
    ])
    .where('auth_session.id', '=', sessionId)
    .where('auth_session.user_id', '=', userId),
)

type AccessRow = Awaited<ReturnType<typeof findAccess>>[number]

/** A member without a role is one row, too. */
const heldRoles = (rows: readonly AccessRow[]): HeldRole[] =>
  rows.flatMap(({ role_permissions, ...role }) => (role_permissions === null ? [] : [{ ...role, role_permissions }]))

/** What a session is, and what its user may do in its institute. */
interface SessionState extends Pick<
  Caller,
  'tenant' | 'membershipActive' | 'needsSecondFactor' | 'grants' | 'isOwner'
> {
  /** The same of each row: there is one for each role. */
  row: AccessRow
  /** What it looks at; undefined: its user works in it. */
  previewed?: Previewed
}

type SessionStateReader = (db: SystemDb, claims: AccessClaims) => Promise<SessionState | undefined>

const sessionStateReader =
  (taughtGroups: TaughtGroups): SessionStateReader =>
  async (db, { sessionId, userId, tenantId }) => {
    const rows = await findAccess(db, { sessionId, userId, tenantId })
    const [row] = rows
    if (!row) return undefined
    const tenant = tenantId !== null && row.slug !== null ? toTenantInfo(tenantId, row as TenantColumns) : null
    const membershipActive = row.membership_status === 'active'
    const needsSecondFactor =
      membershipActive && !row.has_second_factor && rows.some(({ asks_second_factor }) => asks_second_factor === true)
    const own =
      tenant && membershipActive && !needsSecondFactor
        ? await grantsOfRoles(db, { tenantId: tenant.id, userId, roles: heldRoles(rows) }, taughtGroups)
        : nobody
    const state = { row, tenant, membershipActive, needsSecondFactor, ...own }
    if (row.preview === null) return state
    const previewed = await findPreviewed(db, { tenantId, preview: row.preview, own })
    return { ...state, grants: previewed.grants, isOwner: previewed.isOwner, previewed }
  }

/**
 * The actor of a session that looks as a role sees the institute. As nobody has its id, no record, message or lesson is
 * found as their own: what is read is what a new holder of the role would read.
 * @returns undefined: the session from which it was begun has ended
 * @throws Forbidden once the role, or what its user may do, has changed
 */
const lookingActor = (
  { own, role }: Previewed,
  { userId, sessionId, endsAt, now }: Pick<AccessClaims, 'userId' | 'sessionId'> & { endsAt: string; now: string },
): Actor | undefined => {
  if (own === undefined || own.revokedAt !== null || own.expiresAt <= now) return undefined
  if (role === undefined) throw Forbidden({ reason: 'preview_ended' })
  const preview: Preview = { userId, endsAt, ...role }
  return { type: 'user', userId: sessionId, membershipId: null, sessionId, impersonatorId: null, preview }
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
    const { row, tenant, membershipActive, needsSecondFactor, grants, isOwner, previewed } = state
    const { userId, sessionId } = claims
    if (row.user_status === 'disabled') throw AccountDisabled()
    if (row.revoked_at !== null || row.ends_at <= now) return undefined
    const actor: Actor | undefined = previewed
      ? lookingActor(previewed, { userId, sessionId, endsAt: row.ends_at, now })
      : row.is_platform_admin && !tenant
        ? { type: 'platform_admin', userId, sessionId }
        : { type: 'user', userId, membershipId: row.membership_id, sessionId, impersonatorId: row.impersonator_id }
    if (!actor) return undefined
    return {
      actor,
      channel: row.client,
      id: userId,
      limitPerMinute: userPerMinute,
      tenant,
      membershipActive,
      needsSecondFactor,
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
