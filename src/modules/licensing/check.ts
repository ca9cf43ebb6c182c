import { plusSeconds } from '#kernel/time/clock.ts'
import { passed, warning, type CheckResult } from '#kernel/contract/check.ts'
import type { Queries } from '#kernel/contract/tables.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import type { Issuer } from './deps.ts'
import { endedSentence } from './status.ts'
import type { LicenseRow } from './store.ts'

/** A heartbeat without content: the issuer's server refuses it, and shows in this way that it is there. */
const EMPTY = { headers: { 'Content-Type': 'application/json' }, body: '{}' }

const DEADLINE_MILLIS = 5000

/** What is wrong with reaching the issuer, in words; undefined: it answers. */
const unreachable = async (issuer: Issuer | undefined, outbound: Outbound): Promise<string | undefined> => {
  if (!issuer) return 'neither the build nor the configuration names a vendor'
  const url = `${issuer.url}/api/v1/platform/licenses/heartbeat`
  const result = await outbound.post({ ...EMPTY, url, deadlineMs: DEADLINE_MILLIS })
  if (result.status === null) return `the vendor does not answer (${result.error})`
  return result.status === 422 || result.status === 429
    ? undefined
    : `not the vendor’s server answers at ${issuer.url} (status ${result.status})`
}

const heartbeatSentence = ({ last_heartbeat_at, last_error }: LicenseRow): string =>
  `${last_heartbeat_at === null ? 'no heartbeat was answered yet' : `the last heartbeat was answered at ${last_heartbeat_at}`}${
    last_error === null ? '' : ` (${last_error})`
  }`

const WARN_AFTER_SECONDS = 30 * 24 * 3600

/**
 * The state of the licence, for `institute doctor`. Whatever it is, the program works, so that nothing here is wrong: a
 * lock, an issuer that is away and a licence past its end are warnings.
 */
export const lookAtLicense = async (
  db: Queries,
  { issuer, outbound, now }: { issuer: Issuer | undefined; outbound: Outbound; now: string },
): Promise<CheckResult> => {
  const row = await db
    .selectFrom('installed_license')
    .innerJoin('tenant', 'tenant.id', 'installed_license.tenant_id')
    .selectAll('installed_license')
    .select(['tenant.status', 'tenant.locked_reason'])
    .executeTakeFirst()
  if (!row) return passed('there is no licence: nothing is sent to the vendor')
  const { license, status, locked_reason, last_heartbeat_at, activated_at } = row
  const away = await unreachable(issuer, outbound)
  const ended = endedSentence(license.expiresAt, now)
  const isLocked = status === 'suspended'
  const state = isLocked
    ? `the institute is locked (${locked_reason ?? 'no reason was given'})`
    : 'the licence is active'
  const parts = [state, heartbeatSentence(row), away ?? 'the vendor answers', ...(ended === undefined ? [] : [ended])]
  const isLate = plusSeconds(last_heartbeat_at ?? activated_at, WARN_AFTER_SECONDS) <= now
  const isAmiss = isLocked || isLate || row.last_error !== null || away !== undefined || ended !== undefined
  return isAmiss ? warning(parts.join('; ')) : passed(parts.join('; '))
}
