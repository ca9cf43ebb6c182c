import type { Authenticator } from '#kernel/authenticator.ts'
import { compiled } from '#db/compiled.ts'
import { sessionCallers } from '#modules/identity/index.ts'
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
  const callerOf = sessionCallers({ db: database.read, version, taughtGroups, userPerMinute })
  return {
    recognises: (credential) => credential.startsWith('ey'),
    authenticate: async (credential, now, where) => {
      const claims = await accessTokens.verify(credential)
      if (!claims?.audience || claims.tenantId === null) return undefined
      if (claims.audience.resource !== (await resourceOf(deps, where.db))) return undefined
      const caller = await callerOf(claims, now, where)
      const [grant] = await findLive(where.db, { grantId: claims.sessionId, tenantId: claims.tenantId })
      // Whoever was a member, and is one again, allows anew what they want.
      return caller?.actor.type === 'user' && caller.actor.membershipId === grant?.membership_id ? caller : undefined
    },
  }
}
