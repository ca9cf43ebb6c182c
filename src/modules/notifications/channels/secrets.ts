import type { Vault } from '#runtime/secrets/vault.ts'

const PROVIDER = 'notification-provider'
const DEVICE = 'push-device'

export const sealSecret = (vault: Vault, secret: string): string => vault.seal(PROVIDER, secret)
export const openSecret = (vault: Vault, sealed: string): string => vault.open(PROVIDER, sealed)

/** Where a browser is reached, and the keys for which its messages are encrypted, in base64url. */
export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

export const sealSubscription = (vault: Vault, subscription: Subscription): string =>
  vault.seal(DEVICE, JSON.stringify(subscription))

export const openSubscription = (vault: Vault, sealed: string): Subscription =>
  JSON.parse(vault.open(DEVICE, sealed)) as Subscription

/** Names an endpoint without telling it. */
export const tagOf = (vault: Vault, endpoint: string): string => vault.tag(DEVICE, endpoint)
