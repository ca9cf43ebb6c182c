import type { Grants } from './permissions.ts'
import type { FeatureFlags } from './features.ts'

export type Channel = 'web' | 'mobile' | 'api' | 'mcp' | 'cli' | 'system'

/** Who acts. */
export type Actor =
  | { type: 'user'; userId: string; membershipId: string | null; sessionId: string; impersonatorId: string | null }
  | { type: 'api_key'; keyId: string; createdByUserId: string }
  | { type: 'platform_admin'; userId: string; sessionId: string }
  | { type: 'system' }
  | { type: 'public'; keyId: string | null }

/** The user whom records name as the doer: the user, or the creator of the key that acted. */
export const actingUserId = (actor: Actor): string | null => {
  switch (actor.type) {
    case 'user':
    case 'platform_admin':
      return actor.userId
    case 'api_key':
      return actor.createdByUserId
    default:
      return null
  }
}

export type Locale = 'ar' | 'en' | 'he'
export const LOCALES = ['ar', 'en', 'he'] as const

/** The institute that a request or a job works in. */
export interface TenantInfo {
  id: string
  slug: string
  name: string
  status: 'active' | 'suspended' | 'archived'
  lockedAt: string | null
  deploymentMode: 'cloud' | 'self_hosted'
  defaultLocale: Locale
  timezone: string
  currency: 'ILS' | 'USD' | 'EUR'
  features: FeatureFlags
}

/** A caller whose credential was accepted. */
export interface Caller {
  actor: Actor
  channel: Channel
  /** What names the caller for limits and idempotency: a key's or a user's id. */
  id: string
  /** Requests a minute. */
  limitPerMinute: number
  tenant: TenantInfo | null
  /** Why a user's tenant cannot be used although the token names one. */
  membershipActive: boolean
  grants: Grants
  isOwner: boolean
  /** null for secret keys; the kind of key otherwise. */
  key: { kind: 'secret' | 'publishable'; allowedOrigins: readonly string[] } | null
}
