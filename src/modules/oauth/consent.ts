import * as v from 'valibot'
import { openChange, openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { invalid } from '#kernel/values/errors.ts'
import { explained, named } from '#kernel/values/named.ts'
import { id, list, orNull, uuid } from '#kernel/values/schema.ts'
import type { Queries } from '#kernel/contract/tables.ts'
import { hadSecondFactor, logOf, sessionOf } from '#modules/identity/index.ts'
import { askingClient, noteUse } from './clients.ts'
import { isSameResource, resourceOf, SCOPE, type OAuth } from './deps.ts'
import { OAuthAccessDenied, OAuthClientNotFound, OAuthInvalidRedirectUri } from './failures.ts'
import { openGrant } from './grants.ts'
import { institutesOf } from './institutes.ts'
import { asSent, filledAsSent } from './parameters.ts'
import { hostOf, withParameters } from './redirect-uris.ts'
import { ASSISTANT } from './credentials.ts'

const Asking = {
  clientId: filledAsSent(1000),
  redirectUri: filledAsSent(2000),
  scope: v.optional(filledAsSent(1000)),
  resource: v.optional(filledAsSent(1000)),
}

const ASKING_WORDS = {
  clientId: 'The client: the id that it registered with, or the https address of its metadata document.',
  redirectUri:
    'Where the answer goes. It must be exactly one that the client registered, but for the port on this computer.',
  scope: 'What the client asked for. Whatever it is, `mcp` is granted.',
  resource: 'What the access token is to be for: the address of MCP, which it is without this too.',
}

const ConsentContext = named(
  'ConsentContext',
  v.object({
    client: named(
      'AskingClient',
      v.object({ clientId: v.string(), name: v.string(), uri: orNull(v.string()), verified: v.boolean() }),
      {
        clientId: 'The client.',
        name: 'What it calls itself.',
        uri: 'Its page; null: it named none.',
        verified:
          'true: all this is in the metadata document at the address that is its clientId. false: whoever registered it said so.',
      },
    ),
    redirectHost: v.string(),
    scopes: list(v.string()),
    resource: v.string(),
    tenants: list(
      named(
        'ConsentTenant',
        v.object({
          tenantId: id,
          tenantName: v.string(),
          membershipId: id,
          allowed: v.boolean(),
          permissions: list(v.string()),
        }),
        {
          tenantName: 'What the institute is called.',
          allowed: 'Whether an assistant may be let in there: the member holds mcp.access, and the feature mcp is on.',
          permissions: 'What the member may do there, were it in one branch only: the assistant may do no more.',
        },
      ),
    ),
  }),
  {
    client: 'Who asks.',
    redirectHost: 'The host that the answer goes to; of a program on the device the scheme of its address.',
    scopes: 'What will be granted.',
    resource: 'What the access token will be for.',
    tenants: 'The institutes in which the caller is an active member.',
  },
)

const Consent = named(
  'Consent',
  v.object({
    ...Asking,
    approve: v.boolean(),
    codeChallenge: v.pipe(
      v.string(),
      v.regex(/^[\w-]{43}$/, 'Must be the SHA-256 of the verifier in base64url, of 43 characters.'),
    ),
    codeChallengeMethod: v.literal('S256', 'Must be S256.'),
    state: v.optional(asSent(4000)),
    tenantId: v.optional(uuid),
  }),
  {
    ...ASKING_WORDS,
    approve: 'Whether the user lets the client in.',
    codeChallenge: 'Of PKCE (RFC 7636).',
    codeChallengeMethod: 'Nothing but S256.',
    state: 'Comes back to the client as it was sent.',
    tenantId: 'The institute in which the assistant will act. Needed to approve.',
  },
)

/** @throws VALIDATION_ERROR for another resource */
const wantedResource = async (oauth: OAuth, db: Queries, asked: string | undefined): Promise<string> => {
  const resource = await resourceOf(oauth, db)
  if (asked !== undefined && !isSameResource(asked, resource)) throw invalid(['resource'], `Must be ${resource}.`)
  return resource
}

export const consentEndpoints = (oauth: OAuth): readonly Endpoint[] => [
  openRead({
    id: 'oauth.consent-context',
    path: '/oauth/consent-context',
    summary: 'Who asks to act for the user, and where that is possible',
    description:
      'For the page at //oauth/authorize. A client that has a metadata document is fetched (https and public addresses alone, no redirects, 5 seconds, 16 KB) and cached for ten minutes.',
    access: 'user',
    limits: [{ per: 'caller', requests: 60, seconds: 60 }],
    query: explained(v.object(Asking), ASKING_WORDS),
    reply: ConsentContext,
    fails: [OAuthClientNotFound, OAuthInvalidRedirectUri],
    handle: async ({ db, everywhere, caller, query }) => {
      const resource = await wantedResource(oauth, db, query.resource)
      const { clientId, name, uri, verified } = await askingClient(db, oauth.clients, query)
      const institutes = await institutesOf({ db, everywhere }, sessionOf(caller).userId, oauth.taughtGroups)
      return {
        client: { clientId, name, uri, verified },
        redirectHost: hostOf(query.redirectUri),
        scopes: [SCOPE],
        resource,
        tenants: institutes.map(({ tenant, membershipId, allowed, permissions }) => ({
          tenantId: tenant.id,
          tenantName: tenant.name,
          membershipId,
          allowed,
          permissions,
        })),
      }
    },
  }),
  openChange({
    id: 'oauth.consent',
    method: 'POST',
    path: '/oauth/consent',
    summary: 'Let an assistant in, or refuse it',
    description:
      'Answers where the browser goes next: to the redirect URI, with a code that works once within a minute, or with error=access_denied. The client exchanges the code at //oauth/token, and acts from then on with the rights that the member has at each moment, through MCP alone. See GET /me/grants for what was allowed.',
    access: 'user',
    limits: [{ per: 'caller', requests: 60, seconds: 60 }],
    body: Consent,
    reply: named('ConsentGiven', v.object({ redirectTo: v.string() }), { redirectTo: 'Where the browser goes next.' }),
    credential: ASSISTANT,
    fails: [OAuthClientNotFound, OAuthInvalidRedirectUri, OAuthAccessDenied],
    prepare: async ({ body, db }) => ({
      resource: await wantedResource(oauth, db, body.resource),
      client: await askingClient(db, oauth.clients, body),
      issuer: await oauth.baseUrl(db),
    }),
    handle: async ({ tx, caller, body, request, prepared: { client, resource, issuer } }) => {
      const { userId, sessionId, tenantId: current } = sessionOf(caller)
      const { redirectUri, codeChallenge, state, tenantId } = body
      const answer = (parameters: Record<string, string>) => ({
        redirectTo: withParameters(redirectUri, { ...parameters, state, iss: issuer }),
      })
      if (!body.approve) {
        const log = await logOf(tx, current)
        log.audit({
          action: 'oauth.refuse',
          entityType: 'user',
          entityId: userId,
          metadata: { clientId: client.clientId, clientName: client.name },
        })
        return answer({ error: 'access_denied' })
      }
      if (tenantId === undefined) throw invalid(['tenantId'], 'Is required to approve.')
      const institutes = await institutesOf(tx, userId, oauth.taughtGroups)
      const institute = institutes.find(({ tenant }) => tenant.id === tenantId)
      if (!institute?.allowed) throw OAuthAccessDenied()
      await noteUse(tx, client)
      const { ip, userAgent } = request
      const grant = { userId, institute, client, redirectUri, codeChallenge, scope: SCOPE, resource, ip, userAgent }
      const hasSecondFactor = await hadSecondFactor(tx, sessionId)
      return answer({ code: await openGrant(tx, oauth, { ...grant, hasSecondFactor }) })
    },
  }),
]
