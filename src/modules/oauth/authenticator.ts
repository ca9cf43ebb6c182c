import type { Authenticator } from '#kernel/contract/authenticator.ts'
import { compiled } from '#db/queries/compiled.ts'
import { cachedUntilCommit } from '#runtime/change/until-commit.ts'
import { sessionCallers, type AccessClaims } from '#modules/identity/index.ts'
import { resourceOf, type OAuthDeps } from './deps.ts'

const findLive = compiled((db, { grantId, tenantId }: { grantId: string; tenantId: string }) =>
  db
    .selectFrom('oauth_grant')
    .select('membership_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', grantId)
    .where('ended_at', 'is', null),
)

/**
 * Authenticates assistants by access tokens that are for the address of MCP, and for nothing else. What the member may
 * do, and whether mcp.access and the feature mcp let them in, is up to whoever asks.
 */
export const oauthAuthenticator = (deps: OAuthDeps): Authenticator => {
  const { database, accessTokens, taughtGroups, userPerMinute } = deps
  const version = () => database.version()
  const committed = { db: database.read, version }
  const callerOf = sessionCallers({ ...committed, taughtGroups, userPerMinute })
  const stateOf = cachedUntilCommit(committed, async (db, { tenantId, sessionId: grantId }: AccessClaims) => {
    const [grant] = tenantId === null ? [] : await findLive(db, { grantId, tenantId })
    return { resource: await resourceOf(deps, db), membershipId: grant?.membership_id }
  })
  return {
    recognises: (credential) => credential.startsWith('ey'),
    authenticate: async (credential, now, where) => {
      const claims = await accessTokens.verify(credential)
      if (!claims?.audience) return undefined
      const { resource, membershipId } = await stateOf(where.db, claims)
      if (claims.audience.resource !== resource || membershipId === undefined) return undefined
      const caller = await callerOf(claims, now, where)
      // Whoever was a member, and is one again, allows anew what they want.
      return caller?.actor.type === 'user' && caller.actor.membershipId === membershipId ? caller : undefined
    },
  }
}
