import type { Module } from '#kernel/contract/module.ts'
import { oauthAuthenticator } from './authenticator.ts'
import { consentEndpoints } from './consent.ts'
import { oauthOf, type OAuthDeps } from './deps.ts'
import { grantEndpoints } from './grant-endpoints.ts'
import { oauthCronJobs, oauthJobs } from './jobs.ts'
import { metadataEndpoints } from './metadata.ts'
import { registrationEndpoint } from './registration.ts'
import { revocationEndpoint } from './revocation.ts'
import { oauthTables } from './tables.ts'
import { tokenEndpoint } from './token.ts'
import { OAUTH_CREDENTIALS } from './credentials.ts'

export type { ClientLimits } from './deps.ts'

/** Lets members allow an assistant to act for them, over MCP (OAuth 2.1). */
export const oauthModule = (deps: OAuthDeps): Module => {
  const oauth = oauthOf(deps)
  return {
    name: 'oauth',
    tags: { oauth: 'Letting an assistant act for a member, over MCP.' },
    tables: oauthTables,
    credentials: OAUTH_CREDENTIALS,
    reads: { identity: ['auth_session', 'user'], members: ['membership'], tenants: ['tenant'] },
    endpoints: [
      ...metadataEndpoints(deps),
      registrationEndpoint(deps),
      ...consentEndpoints(oauth),
      tokenEndpoint(oauth),
      revocationEndpoint(oauth),
      ...grantEndpoints(oauth),
    ],
    jobs: oauthJobs(deps),
    cronJobs: oauthCronJobs,
    mcpAuthenticators: [oauthAuthenticator(deps)],
  }
}
