import { isDeepStrictEqual } from 'node:util'
import { failure, reasons } from '#kernel/values/errors.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockInstitute } from '#modules/tenants/index.ts'
import type { InstallDeps, Issuer } from './deps.ts'
import { heartbeatJob } from './heartbeat.ts'
import { sealInstallSecret } from './install-key.ts'
import { verifyLicenseToken } from './protocol.ts'
import { newSigningSecret } from './signing.ts'
import { latest, licenseOf, merged, type License, type LicenseState } from './state.ts'
import { adopt, findLicense, stateOf } from './store.ts'

export const NoIssuer = failure(
  'LICENSE_INVALID',
  'no_vendor',
  'This build has no vendor, so it can believe no licence. INSTITUTE_LICENSE_VENDOR_URL and INSTITUTE_LICENSE_PUBLIC_KEY name one.',
)

export const LicenseInvalid = failure(
  'LICENSE_INVALID',
  'license_token_invalid',
  'This is no licence token of this program’s vendor. Copy it whole, without a line break.',
  { details: reasons('malformed', 'wrong_kind', 'other_key', 'bad_signature') },
)

/** @throws NoIssuer */
export const issuerOf = ({ issuer }: Pick<InstallDeps, 'issuer'>): Issuer => {
  if (!issuer) throw NoIssuer()
  return issuer
}

/** What is needed to store a licence. */
export interface Activation {
  license: License
  /** The state beside the database; undefined: none. */
  kept: LicenseState | undefined
  /** An identity for an install that has none yet. */
  fresh: Pick<LicenseState, 'installId' | 'installSecret'>
}

/** @throws NoIssuer, LicenseInvalid */
export const prepareActivation = (deps: InstallDeps, token: string, tenantId: string): Activation => {
  const verified = verifyLicenseToken(token.trim(), issuerOf(deps).key)
  if (!verified.ok) throw LicenseInvalid({ reason: verified.reason })
  return {
    license: licenseOf(verified.value),
    kept: deps.stateFile.read(tenantId),
    fresh: { installId: newId(), installSecret: sealInstallSecret(deps, newSigningSecret()) },
  }
}

/**
 * Puts a licence in the place of the one before. The install keeps its id, its key, its counter and what it applied of
 * every licence's commands: a new licence lifts no lock. The same licence again changes nothing and sends a heartbeat.
 */
export const activate = async (tx: Tx, { license, kept, fresh }: Activation): Promise<void> => {
  await lockInstitute(tx)
  const row = await findLicense(tx.whole)
  const stored = row && stateOf(row)
  const before = stored && kept ? merged(stored, kept) : (stored ?? kept)
  tx.enqueue(heartbeatJob, { tenantId: tx.tenant.id, soon: true })
  if (stored && isDeepStrictEqual(stored.license, license)) return
  await adopt(tx, {
    installId: before?.installId ?? fresh.installId,
    installSecret: before?.installSecret ?? fresh.installSecret,
    activation: (before?.activation ?? 0) + 1,
    activatedAt: tx.now,
    license,
    applied: before?.applied ?? {},
    maxObservedAt: latest(before?.maxObservedAt ?? tx.now, tx.now),
  })
  tx.audit({
    entityType: 'license',
    entityId: license.licenseId,
    ...(stored && { before: stored.license }),
    after: license,
  })
}
