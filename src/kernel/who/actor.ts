import type { Grants } from '#kernel/rights/permissions.ts'
import type { FeatureFlags } from '#kernel/rights/features.ts'
import type { Locale } from '#shared/locale.ts'
import type { PlanQuotas } from './quota.ts'

export type Channel = 'web' | 'mobile' | 'api' | 'mcp' | 'cli' | 'system'

/** Somebody who looks at an institute as a role sees it, before it is given to anybody. */
export interface Preview {
  /** Who looks. */
  userId: string
  roleId: string
  /** null: a role that the institute made. */
  roleKey: string | null
  roleName: string
  /** null: as the role is given for the whole institute. */
  branchId: string | null
  endsAt: string
}

/** Who performs a request or a job. */
export type Actor =
  | {
      type: 'user'
      /** In a preview an id that nobody has: whoever is given the role begins without records, messages and lessons. */
      userId: string
      membershipId: string | null
      sessionId: string
      impersonatorId: string | null
      preview?: Preview
    }
  | { type: 'api_key'; keyId: string; createdByUserId: string }
  | { type: 'platform_admin'; userId: string; sessionId: string }
  | { type: 'system' }
  | { type: 'public'; keyId: string | null }

/**
 * The id of the user who is recorded as the author of a change: the user, or the creator of the API key. null: neither.
 */
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

/** What the caller looks at in place of their own work; undefined: they work. */
export const previewOf = (caller: Pick<Caller, 'actor'> | null): Preview | undefined =>
  caller?.actor.type === 'user' ? caller.actor.preview : undefined

/** The institute that a request or a job works in. */
export interface TenantInfo {
  id: string
  slug: string
  name: string
  status: 'active' | 'suspended' | 'archived'
  lockedAt: string | null
  /** Why it is locked; null: it is not, or nobody said. */
  lockedReason: string | null
  deploymentMode: 'cloud' | 'self_hosted'
  defaultLocale: Locale
  timezone: string
  currency: 'ILS' | 'USD' | 'EUR'
  features: FeatureFlags
  quotas: PlanQuotas
  /** From this time on the institute can only be read, because its subscription was cancelled; null: never. */
  writesEndAt: string | null
}

/** A caller whose credential is valid. */
export interface Caller {
  actor: Actor
  channel: Channel
  /** Identifies the caller for rate limits and idempotency keys: the id of the API key or of the user. */
  id: string
  /** Rate limit, in requests per minute. */
  limitPerMinute: number
  tenant: TenantInfo | null
  /** false: the token names an institute in which the user has no active membership any more. */
  membershipActive: boolean
  /** A role of theirs asks for a second factor, and this session has none: nothing of the institute is theirs until then. */
  needsSecondFactor: boolean
  grants: Grants
  isOwner: boolean
  /** The API key that was sent; null: the caller is a signed-in user. */
  key: { kind: 'secret' | 'publishable'; allowedOrigins: readonly string[] } | null
}

/** Somebody for whom a job works after their request has ended: the audit entries name them, and the request. */
export interface Asker {
  actor: Actor
  channel: Channel
  requestId: string | null
  ip: string | null
}
