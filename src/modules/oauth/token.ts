import { createHash, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { openChange, type Endpoint, type RequestInfo } from '#kernel/contract/endpoint.ts'
import { form } from '#kernel/values/media.ts'
import { named } from '#kernel/values/named.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { CommitWithError, type SystemTx } from '#kernel/contract/unit-of-work.ts'
import { exchangeToken, hashToken } from '#modules/identity/index.ts'
import { isSameResource, resourceOf, SCOPE, type OAuth } from './deps.ts'
import {
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  InvalidScope,
  InvalidTarget,
  UnsupportedGrantType,
} from './failures.ts'
import { findGrant, noteRedeemed, type FoundGrant } from './grants.ts'
import { institutesOf, type UsersInstitute } from './institutes.ts'
import { parameter } from './parameters.ts'
import { ASSISTANT } from './credentials.ts'

const TokenRequest = named(
  'OAuthTokenRequest',
  v.object({
    grant_type: parameter,
    client_id: parameter,
    code: parameter,
    redirect_uri: parameter,
    code_verifier: parameter,
    refresh_token: parameter,
    scope: parameter,
    resource: parameter,
  }),
  {
    grant_type: 'authorization_code or refresh_token.',
    client_id: 'The client.',
    code: 'With authorization_code: as it came to the redirect URI.',
    redirect_uri: 'With authorization_code: the one that the code came to. It may be left out.',
    code_verifier: 'With authorization_code: of PKCE.',
    refresh_token: 'With refresh_token: the one that came last.',
    scope: 'With refresh_token: no more than was granted.',
    resource: 'The address of MCP. It may be left out.',
  },
)
type TokenRequest = v.InferOutput<typeof TokenRequest>

const Tokens = named(
  'OAuthTokens',
  v.object({
    access_token: v.string(),
    token_type: v.literal('Bearer'),
    expires_in: v.number(),
    refresh_token: v.string(),
    scope: v.string(),
  }),
  {
    access_token: 'For MCP alone: the rest of the API refuses it.',
    token_type: 'How it is sent.',
    expires_in: 'Seconds.',
    refresh_token: 'For the next access token. Each works once: a second use ends the grant.',
    scope: 'What was granted.',
  },
)

/**
 * Checks what every request of a client must hold to.
 * @throws InvalidRequest for a parameter that is sent twice (RFC 6749, 3.2), InvalidClient
 */
export const checkClientRequest = (bytes: Uint8Array, request: Pick<RequestInfo, 'header'>): void => {
  const names = [...new URLSearchParams(Buffer.from(bytes).toString()).keys()]
  if (new Set(names).size < names.length) throw InvalidRequest()
  if (/^Basic\b/i.test(request.header('authorization') ?? '')) {
    throw InvalidClient(undefined, { 'WWW-Authenticate': 'Basic' })
  }
}

const isVerifierOf = (verifier: string, challenge: string): boolean => {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const made = createHash('sha256').update(verifier).digest('base64url')
  return timingSafeEqual(Buffer.from(made), Buffer.from(challenge))
}

/** A grant whose code or refresh token was presented by its client, in order. */
interface Presented {
  grant: FoundGrant
  hash: string
}

/** @throws InvalidGrant */
const presentedGrant = async (
  db: SystemDb,
  { sessionId, token, clientId }: { sessionId: string | undefined; token: string; clientId: string },
): Promise<Presented> => {
  const grant = sessionId === undefined ? undefined : await findGrant(db, sessionId)
  if (grant?.clientId !== clientId) throw InvalidGrant()
  return { grant, hash: hashToken(token) }
}

/** @throws InvalidRequest, InvalidGrant */
const byCode = async ({ codes }: OAuth, db: SystemDb, body: TokenRequest): Promise<Presented> => {
  const { client_id: clientId, code, code_verifier: verifier, redirect_uri: redirectUri } = body
  if (clientId === undefined || code === undefined || verifier === undefined) throw InvalidRequest()
  const presented = await presentedGrant(db, { sessionId: codes.sessionOf(code), token: code, clientId })
  const { grant } = presented
  if (redirectUri !== undefined && redirectUri !== grant.redirectUri) throw InvalidGrant()
  if (!isVerifierOf(verifier, grant.codeChallenge)) throw InvalidGrant()
  return presented
}

/** @throws InvalidRequest, InvalidGrant, InvalidScope */
const byRefreshToken = async ({ refreshTokens }: OAuth, db: SystemDb, body: TokenRequest): Promise<Presented> => {
  const { client_id: clientId, refresh_token: token, scope } = body
  if (clientId === undefined || token === undefined) throw InvalidRequest()
  const sessionId = refreshTokens.sessionOf(token)
  const presented = await presentedGrant(db, { sessionId, token, clientId })
  if (scope !== undefined && scope.trim() !== SCOPE) throw InvalidScope()
  return presented
}

const presentedBy = (oauth: OAuth, db: SystemDb, body: TokenRequest): Promise<Presented> => {
  switch (body.grant_type) {
    case undefined:
      throw InvalidRequest()
    case 'authorization_code':
      return byCode(oauth, db, body)
    case 'refresh_token':
      return byRefreshToken(oauth, db, body)
    default:
      throw UnsupportedGrantType()
  }
}

/** The institute of a grant, while its member may let an assistant in. @throws InvalidGrant */
const instituteOf = async (tx: SystemTx, { taughtGroups }: OAuth, grant: FoundGrant): Promise<UsersInstitute> => {
  const institutes = await institutesOf(tx, grant.userId, taughtGroups)
  const institute = institutes.find(({ membershipId }) => membershipId === grant.membershipId)
  if (!institute?.allowed) throw InvalidGrant()
  return institute
}

export const tokenEndpoint = (oauth: OAuth): Endpoint =>
  openChange({
    id: 'oauth.token',
    method: 'POST',
    path: '//oauth/token',
    summary: 'Exchange a code or a refresh token for tokens',
    description:
      'A code works once within a minute, and a refresh token once; a second use ends the grant and all its tokens. A grant lives 30 days without use and 90 at most, like a session. Refusals have the form of OAuth.',
    access: 'anyone',
    anyOrigin: true,
    oauthErrors: { invalid: 'invalid_request' },
    body: form(TokenRequest),
    reply: Tokens,
    credential: ASSISTANT,
    fails: [InvalidRequest, InvalidClient, InvalidGrant, InvalidScope, InvalidTarget, UnsupportedGrantType],
    prepare: async ({ body, bytes, request, db, everywhere }) => {
      checkClientRequest(bytes, request)
      const { grant, hash } = await presentedBy(oauth, everywhere, body)
      const { resource, scope, userId, tenantId, id: sessionId } = grant
      if (body.resource !== undefined && !isSameResource(body.resource, resource)) throw InvalidTarget()
      // The server has another address now, for which nobody allowed anything.
      if (resource !== (await resourceOf(oauth, db))) throw InvalidGrant()
      return {
        sessionId,
        hash,
        refreshToken: oauth.refreshTokens.make(sessionId),
        accessToken: await oauth.accessTokens.issue({ userId, sessionId, tenantId, audience: { resource, scope } }),
      }
    },
    handle: async ({ tx, body, request, prepared: { sessionId, hash, refreshToken, accessToken } }) => {
      const grant = await findGrant(tx.everywhere, sessionId)
      if (!grant) throw InvalidGrant()
      const { tenant } = await instituteOf(tx, oauth, grant)
      const { ip, userAgent } = request
      const next = { refreshToken, ip, userAgent }
      const { outcome } = await exchangeToken(tx, { sessionId, hash }, next, oauth.sessionLifetime)
      const inTenant = tx.inTenant(tenant)
      const note = { entityType: 'oauth_grant', entityId: sessionId }
      if (outcome === 'reused') {
        inTenant.audit({ action: 'oauth.reuse', ...note })
        return new CommitWithError(InvalidGrant())
      }
      if (outcome !== 'rotated') throw InvalidGrant()
      if (body.grant_type === 'authorization_code') await noteRedeemed(inTenant, sessionId)
      tx.audit(note)
      return {
        access_token: accessToken,
        token_type: 'Bearer' as const,
        expires_in: oauth.accessTokens.lifetimeSeconds,
        refresh_token: refreshToken,
        scope: grant.scope,
      }
    },
  })
