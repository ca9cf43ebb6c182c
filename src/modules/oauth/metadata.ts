import * as v from 'valibot'
import { openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { named } from '#kernel/values/named.ts'
import { resourceOf, SCOPE, type OAuthDeps } from './deps.ts'

const texts = v.array(v.string())

const ServerMetadata = named(
  'AuthorizationServerMetadata',
  v.object({
    issuer: v.string(),
    authorization_endpoint: v.string(),
    token_endpoint: v.string(),
    registration_endpoint: v.string(),
    revocation_endpoint: v.string(),
    scopes_supported: texts,
    response_types_supported: texts,
    response_modes_supported: texts,
    grant_types_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    revocation_endpoint_auth_methods_supported: texts,
    code_challenge_methods_supported: texts,
    authorization_response_iss_parameter_supported: v.boolean(),
    client_id_metadata_document_supported: v.boolean(),
    service_documentation: v.string(),
  }),
  {
    issuer: 'The address of this server, by which it names itself in `iss`.',
    authorization_endpoint: 'The page on which a member lets a client in.',
    token_endpoint: 'Where codes and refresh tokens are exchanged.',
    registration_endpoint: 'Where clients register.',
    revocation_endpoint: 'Where a client ends its grant.',
    scopes_supported: 'The one scope that there is.',
    response_types_supported: 'Codes alone.',
    response_modes_supported: 'How the code comes to the redirect URI.',
    grant_types_supported: 'What the token endpoint exchanges.',
    token_endpoint_auth_methods_supported: 'None: clients are public.',
    revocation_endpoint_auth_methods_supported: 'None: clients are public.',
    code_challenge_methods_supported: 'Of PKCE, which every request needs.',
    authorization_response_iss_parameter_supported: 'Every answer to a redirect URI has `iss` (RFC 9207).',
    client_id_metadata_document_supported: 'A client id may be the https address of a document about the client.',
    service_documentation: 'Where this API is described.',
  },
)

const ResourceMetadata = named(
  'ProtectedResourceMetadata',
  v.object({
    resource: v.string(),
    resource_name: v.string(),
    authorization_servers: texts,
    scopes_supported: texts,
    bearer_methods_supported: texts,
  }),
  {
    resource: 'The address of MCP, for which access tokens are.',
    resource_name: 'What people are shown.',
    authorization_servers: 'Who gives them: this server.',
    scopes_supported: 'The one scope that there is.',
    bearer_methods_supported: 'How they are sent.',
  },
)

const OPEN = { access: 'anyone', anyOrigin: true } as const

export const metadataEndpoints = (deps: OAuthDeps): readonly Endpoint[] => {
  const resource = (id: string, path: string) =>
    openRead({
      ...OPEN,
      id,
      path,
      summary: 'Which authorization server gives tokens for MCP',
      description: 'RFC 9728. It stands at both of its addresses, with and without the path of the resource.',
      reply: ResourceMetadata,
      handle: async ({ db }) => ({
        resource: await resourceOf(deps, db),
        resource_name: 'Institute',
        authorization_servers: [await deps.baseUrl(db)],
        scopes_supported: [SCOPE],
        bearer_methods_supported: ['header'],
      }),
    })
  return [
    openRead({
      ...OPEN,
      id: 'oauth.server-metadata',
      path: '//.well-known/oauth-authorization-server',
      summary: 'Where the addresses of OAuth are, and what they support',
      description: 'RFC 8414. The issuer is the address of this server, which is also in `iss` of replies (RFC 9207).',
      reply: ServerMetadata,
      handle: async ({ db }) => {
        const issuer = await deps.baseUrl(db)
        return {
          issuer,
          authorization_endpoint: `${issuer}/oauth/authorize`,
          token_endpoint: `${issuer}/oauth/token`,
          registration_endpoint: `${issuer}/oauth/register`,
          revocation_endpoint: `${issuer}/oauth/revoke`,
          scopes_supported: [SCOPE],
          response_types_supported: ['code'],
          response_modes_supported: ['query'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_methods_supported: ['none'],
          revocation_endpoint_auth_methods_supported: ['none'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
          client_id_metadata_document_supported: true,
          service_documentation: `${issuer}/docs`,
        }
      },
    }),
    resource('oauth.resource-metadata', '//.well-known/oauth-protected-resource'),
    resource('oauth.mcp-resource-metadata', '//.well-known/oauth-protected-resource/mcp'),
  ]
}
