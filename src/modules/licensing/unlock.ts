import { failure, reasons } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockInstitute } from '#modules/tenants/index.ts'
import { issuerOf } from './activate.ts'
import type { InstallDeps } from './deps.ts'
import { heartbeatJob } from './heartbeat.ts'
import { MOST_COMMANDS, verifyUnlockToken, type UnlockClaims } from './protocol.ts'
import { writeBeside } from './reconcile.ts'
import { appliedOf, latest, merged, withUnlockToken } from './state.ts'
import { adopt, findLicense, stateOf, type LicenseRow } from './store.ts'

export const UnlockInvalid = failure(
  'LICENSE_INVALID',
  'unlock_token_invalid',
  'This token does not unlock this institute; details.reason says why. The vendor can make a new one.',
  {
    details: reasons(
      'used',
      'expired',
      'other_license',
      'no_license',
      'malformed',
      'wrong_kind',
      'other_key',
      'bad_signature',
    ),
  },
)

/** @throws UnlockInvalid for a token that was used, or that a later command of the issuer overtook */
const unlockedBy = (row: LicenseRow, claims: UnlockClaims) => {
  const state = stateOf(row)
  if (claims.licenseId !== state.license.licenseId) throw UnlockInvalid({ reason: 'other_license' })
  const { sequence, usedTokens } = appliedOf(state)
  if (claims.seq <= sequence || usedTokens.includes(claims.jti)) throw UnlockInvalid({ reason: 'used' })
  return withUnlockToken(state, claims)
}

/**
 * Checks an unlock token, and writes the file beside the database before the transaction: what a kill leaves undone,
 * the next start does. The transaction alone decides between two requests. Its end is checked against the issuer's
 * last word on the time too, so that a clock that was set back makes no old token good again.
 * @throws NoIssuer, UnlockInvalid
 */
export const prepareUnlock = async (
  deps: InstallDeps,
  token: string,
  { whole, tenantId, now }: { whole: ScopedDb; tenantId: string; now: string },
): Promise<UnlockClaims> => {
  const verified = verifyUnlockToken(token.trim(), issuerOf(deps).key)
  if (!verified.ok) throw UnlockInvalid({ reason: verified.reason })
  const claims = verified.value
  const row = await findLicense(whole)
  if (!row) throw UnlockInvalid({ reason: 'no_license' })
  const unlocked = unlockedBy(row, claims)
  const time = latest(now, row.last_server_at ?? now)
  if (Date.parse(time) >= claims.exp * 1000) throw UnlockInvalid({ reason: 'expired' })
  writeBeside(deps, { id: tenantId }, (kept) => (kept ? merged(unlocked, kept) : unlocked))
  return claims
}

/** Unlocks the institute, and acknowledges the command that the token stands for with the next heartbeat. */
export const unlock = async (tx: Tx, claims: UnlockClaims): Promise<void> => {
  await lockInstitute(tx)
  const row = await findLicense(tx.whole)
  if (!row) throw UnlockInvalid({ reason: 'no_license' })
  const acknowledge = [...row.acknowledge, claims.jti].slice(-MOST_COMMANDS)
  await adopt(tx, unlockedBy(row, claims), { conversation: { acknowledge } })
  tx.enqueue(heartbeatJob, { tenantId: tx.tenant.id, soon: true })
}
