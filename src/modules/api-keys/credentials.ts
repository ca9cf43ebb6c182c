import type { Credential } from '#kernel/contract/credential.ts'

const OF_INSTITUTE = {
  of: 'institute',
  lasting: true,
  columns: ['api_key.key_hash'],
  ends: ['tenant_locked', 'tenant_archived'],
  why: 'A key is the institute’s, and goes on when whoever made it leaves (the contract): it ends when it is revoked or expires.',
} as const

export const API_KEY: Credential = {
  ...OF_INSTITUTE,
  name: 'api-key',
  opens: 'What its permissions allow, until it is revoked or expires.',
}

const PUBLISHABLE_KEY: Credential = {
  ...OF_INSTITUTE,
  name: 'publishable-key',
  opens: 'Registering from the pages of its origins, until it is revoked or expires. It is no secret.',
}

export const API_KEY_CREDENTIALS: readonly Credential[] = [API_KEY, PUBLISHABLE_KEY]
