import type { Logger } from 'pino'
import type { Module } from '#kernel/contract/module.ts'
import type { Runtime } from '#runtime/change/transaction.ts'
import { apiKeyAuthenticator, mcpKeyAuthenticator } from './authenticator.ts'
import { apiKeyEndpoints } from './endpoints.ts'
import { LastUse } from './last-use.ts'
import { isListedOrigin } from './origins.ts'
import type { KeyLimits } from './service.ts'
import { apiKeyTables } from './tables.ts'
import { API_KEY_CREDENTIALS } from './credentials.ts'

export { countUsable as countUsableKeys, lockApiKey } from './service.ts'

export interface ApiKeysDeps {
  database: Pick<Runtime['database'], 'write'>
  log: Logger
  limits: KeyLimits
}

export const apiKeysModule = ({ database, log, limits }: ApiKeysDeps): Module => {
  const lastUse = new LastUse(database, log)
  const keys = apiKeyAuthenticator({ limits, lastUse })
  return {
    name: 'api-keys',
    tags: {
      'api-keys': 'Credentials of programs and of web pages.',
    },
    tables: apiKeyTables,
    credentials: API_KEY_CREDENTIALS,
    reads: { tenants: ['tenant'] },
    endpoints: apiKeyEndpoints(limits),
    knowsOrigin: isListedOrigin,
    authenticators: [keys],
    mcpAuthenticators: [mcpKeyAuthenticator(keys)],
    close: () => lastUse.settle(),
  }
}
