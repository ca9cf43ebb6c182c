import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { named } from '#kernel/values/named.ts'
import { httpUrl, text } from '#kernel/values/schema.ts'
import { insertClient } from './clients.ts'
import { SCOPE, type ClientLimits } from './deps.ts'
import { InvalidClientMetadata, InvalidRedirectUri } from './failures.ts'
import { asSent } from './parameters.ts'
import { hostOf, isRedirectUri } from './redirect-uris.ts'

const MOST_URIS = 20

const NewClient = named(
  'OAuthClientRegistration',
  v.object({
    client_name: v.optional(text(200)),
    client_uri: v.optional(httpUrl),
    redirect_uris: v.pipe(v.array(asSent(4000)), v.maxLength(MOST_URIS, `Must have at most ${MOST_URIS} entries.`)),
    grant_types: v.optional(v.pipe(v.array(asSent(100)), v.maxLength(20, 'Must have at most 20 entries.'))),
    response_types: v.optional(v.pipe(v.array(asSent(100)), v.maxLength(20, 'Must have at most 20 entries.'))),
  }),
  {
    client_name: 'What people are shown. Default: the host of the first redirect URI.',
    client_uri: 'The page of the client.',
    redirect_uris:
      'https, http on this computer (localhost, 127.0.0.1 and [::1], where the port may vary later), or of a scheme of the client’s own, which is a domain in reverse (org.example.app).',
    grant_types: 'With authorization_code, or without this field.',
    response_types: 'With code, or without this field.',
  },
)

const RegisteredClient = named(
  'OAuthClient',
  v.object({
    client_id: v.string(),
    client_id_issued_at: v.number(),
    client_name: v.string(),
    client_uri: v.optional(v.string()),
    redirect_uris: v.array(v.string()),
    grant_types: v.array(v.string()),
    response_types: v.array(v.string()),
    token_endpoint_auth_method: v.literal('none'),
    scope: v.string(),
  }),
  {
    client_id: 'By which it asks.',
    client_id_issued_at: 'When it registered, in seconds since 1970.',
    client_name: 'What people are shown.',
    client_uri: 'The page of the client.',
    redirect_uris: 'As they were sent.',
    grant_types: 'What it may use.',
    response_types: 'What it may use.',
    token_endpoint_auth_method: 'Every client is public: it has no secret, and proves itself by PKCE.',
    scope: 'The one scope that there is.',
  },
)

export const registrationEndpoint = ({ clientsPerHourOfAddress }: ClientLimits): Endpoint =>
  openChange({
    id: 'oauth.register',
    method: 'POST',
    path: '//oauth/register',
    summary: 'Register a client',
    description:
      'RFC 7591, for clients without a metadata document of their own. Whatever else a client sends is ignored. A client that nobody allows anything is forgotten after a day. Refusals have the form of OAuth.',
    access: 'anyone',
    anyOrigin: true,
    oauthErrors: { invalid: 'invalid_client_metadata' },
    limits: [{ per: 'network', requests: clientsPerHourOfAddress, seconds: 3600 }],
    body: NewClient,
    status: 201,
    reply: RegisteredClient,
    fails: [InvalidRedirectUri, InvalidClientMetadata],
    handle: async ({ tx, body }) => {
      const { redirect_uris: redirectUris, grant_types: grants, response_types: responses } = body
      if (redirectUris.length === 0 || !redirectUris.every(isRedirectUri)) throw InvalidRedirectUri()
      if (grants?.includes('authorization_code') === false || responses?.includes('code') === false) {
        throw InvalidClientMetadata()
      }
      const name = body.client_name ?? hostOf(redirectUris[0] as string)
      const clientId = await insertClient(tx, { name, uri: body.client_uri ?? null, redirectUris })
      return {
        client_id: clientId,
        client_id_issued_at: Math.floor(Date.parse(tx.now) / 1000),
        client_name: name,
        ...(body.client_uri !== undefined && { client_uri: body.client_uri }),
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none' as const,
        scope: SCOPE,
      }
    },
  })
