import { newId } from '#kernel/basics/ids.ts'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { Grants } from '#kernel/rights/permissions.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import type { Caller, Preview } from '#kernel/who/actor.ts'
import { compiled } from '#db/queries/compiled.ts'
import { cachedGrants, holdsMore } from '#modules/members/index.ts'
import { hadSecondFactor, openSession } from './sessions.ts'
import type { CallerSession, SessionTokens } from './sign-in.ts'
import type { PreviewOf } from './tables.ts'
import { PREVIEW_SECONDS } from './tokens.ts'

/** Looking at an institute as a role sees it: a session of its own, which only reads. */

/** Such a session, whose token is signed before the transaction that opens it. */
interface PreparedPreview {
  sessionId: string
  accessToken: string
  expiresAt: string
}

/** Makes the access token. */
export const preparePreview = async (
  tokens: SessionTokens,
  { userId, tenantId }: CallerSession,
  now: string,
): Promise<PreparedPreview> => {
  const sessionId = newId()
  return {
    sessionId,
    accessToken: await tokens.access.issue({ userId, sessionId, tenantId }, PREVIEW_SECONDS),
    // A token expires at a whole second.
    expiresAt: plusSeconds(`${now.slice(0, 19)}.000Z`, PREVIEW_SECONDS),
  }
}

/** Opens the session. Nobody gets its refresh token, so it ends with the access token. */
export const openPreview = async (
  tx: SystemTx,
  tokens: SessionTokens,
  {
    request: { ip, userAgent },
    own,
    prepared: { sessionId },
    ...of
  }: {
    request: RequestInfo
    own: CallerSession
    prepared: PreparedPreview
  } & Omit<PreviewOf, 'ownSessionId'>,
): Promise<void> => {
  const { userId, tenantId, sessionId: ownSessionId } = own
  const session = {
    sessionId,
    refreshToken: tokens.refresh.make(sessionId),
    userId,
    tenantId,
    client: 'web',
    ip,
    userAgent,
    // What asks its user for a second factor has asked for it already.
    hasSecondFactor: await hadSecondFactor(tx, ownSessionId),
    preview: { ...of, ownSessionId },
  } as const
  await openSession(tx, session, { slidingSeconds: PREVIEW_SECONDS, longestSeconds: PREVIEW_SECONDS })
}

const findOrigin = compiled(
  (db, { tenantId, roleId, ownSessionId }: { tenantId: string; roleId: string; ownSessionId: string }) =>
    db
      .selectFrom('auth_session')
      .leftJoin('role', (join) => join.on('role.tenant_id', '=', tenantId).on('role.id', '=', roleId))
      .select([
        'auth_session.revoked_at',
        'auth_session.expires_at',
        'role.key',
        'role.name',
        'role.permissions',
        'role.version',
      ])
      .where('auth_session.id', '=', ownSessionId),
)

/** What a session shows that looks as a role sees the institute. */
export interface Previewed extends Pick<Caller, 'grants' | 'isOwner'> {
  /** The session from which it was begun; undefined: it is long gone. */
  own: { revokedAt: string | null; expiresAt: string } | undefined
  /** undefined: the role was changed or deleted since it began, or its user could not give it to anybody any more. */
  role: Pick<Preview, 'roleId' | 'roleKey' | 'roleName' | 'branchId'> | undefined
}

/** Finds what a preview shows. @param of.own what its user may do themselves */
export const findPreviewed = async (
  db: SystemDb,
  {
    tenantId,
    preview: { roleId, roleVersion, branchId, ownSessionId },
    own,
  }: { tenantId: string | null; preview: PreviewOf; own: Pick<Caller, 'grants' | 'isOwner'> },
): Promise<Previewed> => {
  const nothing = { grants: new Grants([]), isOwner: false, own: undefined, role: undefined }
  const [origin] = tenantId === null ? [] : await findOrigin(db, { tenantId, roleId, ownSessionId })
  if (!origin) return nothing
  const { revoked_at: revokedAt, expires_at: expiresAt, key, name, permissions, version } = origin
  const begun = { ...nothing, own: { revokedAt, expiresAt } }
  if (name === null || permissions === null || version !== roleVersion) return begun
  if (own.grants.reach('roles.manage') !== 'all' || holdsMore(own, [{ key, permissions, branchId }])) return begun
  return {
    ...begun,
    role: { roleId, roleKey: key, roleName: name, branchId },
    // Whoever is made a teacher teaches no group at first.
    grants: cachedGrants([{ permissions, branchId, ...(key === 'teacher' && { groups: [] }) }]),
    isOwner: key === 'owner',
  }
}
