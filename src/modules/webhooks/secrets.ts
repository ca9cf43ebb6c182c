import { randomBytes } from 'node:crypto'
import { BoundedCaches } from '#kernel/basics/bounded-cache.ts'
import type { Vault } from '#runtime/secrets/vault.ts'

const SEALED_FOR = 'webhook'

/**
 * Makes a signing secret. The whole text is the HMAC key of the contract's signature; the libraries of Standard Webhooks
 * decode what follows the prefix, as standard base64.
 */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const sealSecret = (vault: Vault, secret: string): string => vault.seal(SEALED_FOR, secret)

export interface SealedSecrets {
  secret: string
  previous_secret: string | null
  previous_secret_expires_at: string | null
}

/** Caches opened secrets, because the deliveries of an endpoint come in series. */
const opened = new BoundedCaches<Vault, string, string>(1000)

const open = (vault: Vault, sealed: string): string =>
  opened.of(vault).get(sealed, () => vault.open(SEALED_FOR, sealed))

/** The secrets that sign at this instant, newest first: two during the overlap of a rotation. */
export const liveSecrets = (vault: Vault, sealed: SealedSecrets, now: string): string[] => {
  const { secret, previous_secret: previous, previous_secret_expires_at: expiresAt } = sealed
  const live = previous !== null && expiresAt !== null && expiresAt > now ? [secret, previous] : [secret]
  return live.map((one) => open(vault, one))
}
