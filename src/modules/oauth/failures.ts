import { failure } from '#kernel/values/errors.ts'

/** Refusals under /api/v1. */

export const OAuthClientNotFound = failure(
  'OAUTH_CLIENT_NOT_FOUND',
  'oauth_client_not_found',
  'There is no such client: it was never registered, its registration has expired, or its metadata document could not be fetched or does not describe it.',
)
export const OAuthInvalidRedirectUri = failure(
  'OAUTH_INVALID_REDIRECT_URI',
  'oauth_invalid_redirect_uri',
  'The redirect URI is not exactly one that the client registered, or leads nowhere that is safe: it must be https, http on this computer alone, or of a scheme that is a domain in reverse, such as org.example.app.',
)
export const OAuthAccessDenied = failure(
  'OAUTH_ACCESS_DENIED',
  'oauth_access_denied',
  'In this institute the caller may not let an assistant in: they are no active member, lack mcp.access, or the feature mcp is off.',
)

/** Refusals of the addresses of OAuth itself. Their names are the errors of RFC 6749, 7009, 7591 and 8707. */

const refusal = (name: string, message: string, status = 400) => failure('MALFORMED_REQUEST', name, message, { status })

export const InvalidRequest = refusal(
  'invalid_request',
  'A parameter is missing, or is sent twice: see what this address takes.',
)
export const InvalidClient = refusal(
  'invalid_client',
  'Clients here are public: they send client_id in the body and authenticate by PKCE, without a header Authorization of the scheme Basic.',
  401,
)
export const InvalidGrant = refusal(
  'invalid_grant',
  'The code or refresh token is unknown, expired, used before, ended, or was issued to another client, redirect URI or code challenge.',
)
export const UnsupportedGrantType = refusal(
  'unsupported_grant_type',
  'Only authorization_code and refresh_token are supported.',
)
export const InvalidScope = refusal('invalid_scope', 'The scope is more than what was granted.')
export const InvalidTarget = refusal('invalid_target', 'The resource is not the one that the grant is for.')
export const InvalidRedirectUri = refusal(
  'invalid_redirect_uri',
  'Redirect URIs are https, http on this computer alone (localhost, 127.0.0.1, [::1]), or of a scheme of the client itself that is a domain in reverse, such as org.example.app; none has a fragment, a user name or a password.',
)
export const InvalidClientMetadata = refusal(
  'invalid_client_metadata',
  'The client must be able to use the grant type authorization_code with the response type code.',
)
