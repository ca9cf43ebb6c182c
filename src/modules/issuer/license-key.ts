import { failure } from '#kernel/values/errors.ts'
import type { OutsideDb, Queries } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { newSigningSecret, signerOf, type PublicKey, type Signer } from '#modules/licensing/index.ts'
import { findSecret, storeSecret } from '#runtime/secrets/sealed-secrets.ts'
import type { Vault } from '#runtime/secrets/vault.ts'

/**
 * The key that signs licences. Every install knows its public half, and believes nothing else: a new key would leave
 * all of them behind. So it is made once and never replaced; `keyId` in what it signs says which key it was.
 */

const NAME = 'license-key'

export const NoLicenseKey = failure(
  'CONFLICT',
  'no_license_key',
  'This server has no key for licences yet: its operator makes one with institute license-key create.',
)

/** @returns undefined where none was made */
export const findLicenseKey = async (db: Queries, vault: Vault): Promise<Signer | undefined> => {
  const secret = await findSecret(db, vault, NAME)
  return secret === undefined ? undefined : signerOf(secret)
}

/** @throws NoLicenseKey */
export const licenseKey = async (db: OutsideDb, vault: Vault): Promise<Signer> => {
  const key = await findLicenseKey(db, vault)
  if (!key) throw NoLicenseKey()
  return key
}

/** Makes the key. @returns undefined where there is one, which stays as it is */
export const createLicenseKey = async (tx: SystemTx, vault: Vault): Promise<PublicKey | undefined> => {
  const secret = newSigningSecret()
  if (!(await storeSecret(tx, vault, { name: NAME, secret }))) return undefined
  const { key } = signerOf(secret)
  tx.audit({ entityType: 'license_key', entityId: null, after: { keyId: key.keyId, publicKey: key.text } })
  return key
}
