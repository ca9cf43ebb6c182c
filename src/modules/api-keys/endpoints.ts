import { change, read } from '#kernel/contract/endpoint.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { pageOf, pageQuery } from '#kernel/values/schema.ts'
import { PermissionEscalation } from '#modules/members/index.ts'
import { ApiKey, CreatedApiKey, NewApiKey, RateLimitChange } from './schemas.ts'
import { apiKeysUnder, changeRateLimit, createApiKey, revokeApiKey, type KeyLimits } from './service.ts'
import { API_KEY } from './credentials.ts'

const access = 'integration.manage'

export const apiKeyEndpoints = (limits: KeyLimits) => {
  const keys = apiKeysUnder(limits)
  return [
    read({
      id: 'api-keys.list',
      path: '/api-keys',
      summary: 'List API keys, newest first; never the full key',
      description: 'Revoked and expired keys are listed too.',
      access,
      wholeTenant: true,
      query: pageQuery({}),
      reply: pageOf(ApiKey),
      handle: keys.listKeys,
    }),
    change({
      id: 'api-keys.create',
      method: 'POST',
      path: '/api-keys',
      summary: 'Make an API key; the full key is shown this once',
      description:
        'The key belongs to the institute and goes on working when whoever made it leaves. A publishable key takes no permissions. Keys that are neither revoked nor expired count against the plan’s maxApiKeys. A rateLimitPerMin above the plan’s apiRateLimitPerMin, or where the plan names none above 6000 unless the server is configured otherwise, is 422.',
      access,
      wholeTenant: true,
      body: NewApiKey,
      status: 201,
      reply: CreatedApiKey,
      credential: API_KEY,
      fails: [PermissionEscalation, QuotaExceeded],
      handle: ({ tx, caller, body }) => createApiKey(tx, caller, body, keys),
    }),
    change({
      id: 'api-keys.update',
      method: 'PATCH',
      path: '/api-keys/{id}',
      summary: 'Change the rate limit of an API key, at once',
      description:
        'null: as the plan says, else the server’s default. Above the plan’s ceiling it is 422. When the plan changes, its ceiling holds at once for the keys that are there: `effectiveRateLimitPerMin` is never above it.',
      access,
      wholeTenant: true,
      body: RateLimitChange,
      reply: ApiKey,
      handle: ({ tx, params, body }) => changeRateLimit(tx, params.id, body.rateLimitPerMin, keys),
    }),
    change({
      id: 'api-keys.revoke',
      method: 'DELETE',
      path: '/api-keys/{id}',
      summary: 'Revoke an API key; revoking again changes nothing',
      access,
      wholeTenant: true,
      reply: ApiKey,
      handle: ({ tx, params }) => revokeApiKey(tx, params.id, keys),
    }),
  ]
}
