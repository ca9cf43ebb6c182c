import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { form } from '#kernel/values/media.ts'
import { named } from '#kernel/values/named.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { OAuth } from './deps.ts'
import { InvalidClient, InvalidGrant, InvalidRequest } from './failures.ts'
import { endGrant, findGrant } from './grants.ts'
import { parameter } from './parameters.ts'
import { checkClientRequest } from './token.ts'

const Revocation = named(
  'OAuthRevocation',
  v.object({ token: parameter, token_type_hint: parameter, client_id: parameter }),
  {
    token: 'A refresh token or an access token. Both end the grant.',
    token_type_hint: 'Not needed.',
    client_id: 'The client that it was issued to.',
  },
)

export const revocationEndpoint = (oauth: OAuth): Endpoint =>
  openChange({
    id: 'oauth.revoke',
    method: 'POST',
    path: '//oauth/revoke',
    summary: 'End a grant by one of its tokens',
    description:
      'RFC 7009. Ends the grant with all its tokens, by whichever of them, also one that has expired. A token that is none here is answered the same way. Refusals have the form of OAuth.',
    access: 'anyone',
    anyOrigin: true,
    oauthErrors: { invalid: 'invalid_request' },
    body: form(Revocation),
    reply: named('OAuthRevoked', v.object({})),
    fails: [InvalidRequest, InvalidClient, InvalidGrant],
    prepare: async ({ body, bytes, request }) => {
      checkClientRequest(bytes, request)
      const { token, client_id: clientId } = body
      if (token === undefined || clientId === undefined) throw InvalidRequest()
      const claims = await oauth.accessTokens.verify(token)
      const ofAccessToken = claims?.audience === undefined ? undefined : claims.sessionId
      return { clientId, grantId: oauth.refreshTokens.sessionOf(token) ?? ofAccessToken }
    },
    handle: async ({ tx, prepared: { clientId, grantId } }) => {
      const grant = grantId === undefined ? undefined : await findGrant(tx.everywhere, grantId)
      if (!grant) return {}
      if (grant.clientId !== clientId) throw InvalidGrant()
      const tenant = await findTenant(tx.db, grant.tenantId)
      if (tenant) await endGrant(tx.inTenant(tenant), grant.id, {})
      return {}
    },
  })
