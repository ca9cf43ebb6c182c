import * as v from 'valibot'
import { plusSeconds } from '#kernel/time/clock.ts'
import { named } from '#kernel/values/named.ts'
import { id, orNull, ts } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { findLicense } from './store.ts'

/** How long an issuer may be away before anybody is warned of it. It never locks. */
const GRACE_SECONDS = 30 * 24 * 3600

export const LicenseStatus = named(
  'LicenseStatus',
  v.object({
    state: v.picklist(['unlicensed', 'active', 'locked']),
    licenseId: orNull(id),
    plan: orNull(v.string()),
    installId: orNull(id),
    lastHeartbeatAt: orNull(ts),
    nextHeartbeatAt: orNull(ts),
    lastError: orNull(v.string()),
    graceEndsAt: orNull(ts),
    expiresAt: orNull(ts),
    reason: orNull(v.string()),
  }),
  {
    state:
      'unlicensed: there is no licence, and everything works; active: there is one; locked: the institute is locked, and works again once the vendor or an unlock token unlocks it.',
    licenseId: 'The licence; null: there is none.',
    plan: 'The code of the licence’s plan; null: none.',
    installId: 'The id under which the vendor knows this server; null: there is no licence.',
    lastHeartbeatAt: 'When the vendor last answered with an envelope that is believed; null: never yet.',
    nextHeartbeatAt: 'When this server asks the vendor next; null: no time is set.',
    lastError: 'What went wrong with the last heartbeat, in English; null: nothing. It changes nothing here.',
    graceEndsAt:
      '30 days after the vendor last answered, or after the licence was put in: from then on people should be told that the vendor is away. Nothing is locked then or later. null: there is no licence.',
    expiresAt: 'When the licence itself ends, which locks nothing; null: it does not end, or there is none.',
    reason:
      'Why the institute is locked, as the vendor put it. While it is not locked: that the licence’s own end has passed, which locks nothing. null: neither, or no reason was given.',
  },
)
type LicenseStatus = v.InferOutput<typeof LicenseStatus>

const NONE = {
  licenseId: null,
  plan: null,
  installId: null,
  lastHeartbeatAt: null,
  nextHeartbeatAt: null,
  lastError: null,
  graceEndsAt: null,
  expiresAt: null,
} as const

/** @param expiresAt null: it does not end @returns undefined while it has not ended */
export const endedSentence = (expiresAt: string | null, now: string): string | undefined =>
  expiresAt !== null && expiresAt <= now
    ? `The licence ended on ${expiresAt.slice(0, 10)}; the institute works on.`
    : undefined

export const readStatus = async (db: ScopedDb, now: string): Promise<LicenseStatus> => {
  const { status, locked_reason: why } = await db
    .selectFrom('tenant')
    .select(['status', 'locked_reason'])
    .executeTakeFirstOrThrow()
  const row = await findLicense(db)
  const locked = status === 'suspended'
  if (!row) return { ...NONE, state: locked ? 'locked' : 'unlicensed', reason: locked ? why : null }
  const { license, install_id, last_heartbeat_at, next_heartbeat_at, last_error, activated_at } = row
  return {
    state: locked ? 'locked' : 'active',
    licenseId: license.licenseId,
    plan: license.plan,
    installId: install_id,
    lastHeartbeatAt: last_heartbeat_at,
    nextHeartbeatAt: next_heartbeat_at,
    lastError: last_error,
    graceEndsAt: plusSeconds(last_heartbeat_at ?? activated_at, GRACE_SECONDS),
    expiresAt: license.expiresAt,
    reason: locked ? why : (endedSentence(license.expiresAt, now) ?? null),
  }
}
