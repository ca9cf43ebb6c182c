import * as v from 'valibot'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { failure, Forbidden, found, invalid, NotFound } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { ok } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkUrl, type PolicedOutbound, type UrlPolicy } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { keysOf } from './push.ts'
import { isPublicKey, type VapidKeys } from './vapid.ts'
import type { Device, NewDevice, PushKey } from './schemas.ts'
import { findProvider } from '../providers/own-providers.ts'
import { sealSubscription, tagOf } from '../channels/secrets.ts'

/** How many browsers one person can register. Beyond them the oldest is deleted. */
export const MOST_DEVICES = 10

const AUTH_BYTES = 16

export interface DeviceDeps {
  vault: Vault
  push: Pick<PolicedOutbound, 'policy'>
  serverKeys: VapidKeys
}

export const OtherKey = failure('CONFLICT', 'push_key_changed', 'The browser subscribed with another key.', {
  details: {
    schema: explained(v.object({ applicationServerKey: v.string() }), {
      applicationServerKey: 'The key to subscribe with: unsubscribe, then subscribe again with it.',
    }),
    example: {
      applicationServerKey: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    },
  },
})

/** @throws Forbidden for an API key, which has no browser */
const signedIn = ({ actor }: Caller): { userId: string; sessionId: string } => {
  if (actor.type !== 'user') throw Forbidden({ reason: 'user_only' })
  return actor
}

/** @throws VALIDATION_ERROR */
const checkSubscription = ({ endpoint, keys }: NewDevice, policy: UrlPolicy): void => {
  const refusal = checkUrl(endpoint, policy)
  if (refusal !== undefined) throw invalid(['endpoint'], `Cannot be used: ${refusal}.`)
  if (!isPublicKey(keys.p256dh)) throw invalid(['keys', 'p256dh'], 'Must be a public key of P-256 in base64url.')
  if (Buffer.from(keys.auth, 'base64url').length !== AUTH_BYTES) {
    throw invalid(['keys', 'auth'], 'Must be 16 bytes in base64url.')
  }
}

/** Forgets the devices of a person beyond the newest. */
const forgetOldest = async ({ whole }: Tx, userId: string): Promise<void> => {
  const devices = await whole
    .selectFrom('push_device')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const extra = devices.slice(MOST_DEVICES).map(({ id }) => id)
  if (extra.length > 0) await whole.deleteFrom('push_device').where('id', 'in', extra).execute()
}

/** The key by which browsers know that the institute sends. There always is one: where it has none of its own, the server's. */
export const pushKey = async (
  whole: ScopedDb,
  tenant: TenantInfo,
  { vault, serverKeys }: Pick<DeviceDeps, 'vault' | 'serverKeys'>,
): Promise<PushKey> => {
  const provider = (await findProvider(whole, 'push')) ?? null
  return { applicationServerKey: keysOf({ provider, tenant }, { serverKeys, vault }).publicKey }
}

/**
 * Registers the browser in which the caller is signed in, until that session ends. Whoever was signed in there before gets
 * no more messages in it. A browser that is registered again keeps its id.
 * @throws VALIDATION_ERROR, OtherKey, Forbidden
 */
export const registerDevice = async (
  tx: Tx,
  caller: Caller,
  { applicationServerKey, ...subscription }: NewDevice,
  { vault, push, serverKeys }: DeviceDeps,
): Promise<Device> => {
  const { userId, sessionId } = signedIn(caller)
  checkSubscription(subscription, push.policy)
  const { applicationServerKey: publicKey } = await pushKey(tx.whole, tx.tenant, { serverKeys, vault })
  if (applicationServerKey !== undefined && applicationServerKey !== publicKey) {
    throw OtherKey({ applicationServerKey: publicKey })
  }
  const tag = tagOf(vault, subscription.endpoint)
  await tx.whole.deleteFrom('push_device').where('endpoint_tag', '=', tag).where('user_id', '<>', userId).execute()
  const current = {
    auth_session_id: sessionId,
    subscription: sealSubscription(vault, subscription),
    application_server_key: publicKey,
  }
  const { id, created_at: createdAt } = await tx.whole
    .insertInto('push_device')
    .values({ id: tx.id(), user_id: userId, endpoint_tag: tag, ...current, created_at: tx.now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'endpoint_tag']).doUpdateSet(current))
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  await forgetOldest(tx, userId)
  const device = { id, applicationServerKey: publicKey, createdAt }
  tx.audit({ entityType: 'push_device', entityId: id, after: device })
  return device
}

/** @throws NotFound for a device that is not the caller's */
export const forgetDevice = async (tx: Tx, { actor }: Caller, id: string): Promise<typeof ok> => {
  if (actor.type !== 'user') throw NotFound()
  const row = await tx.whole
    .deleteFrom('push_device')
    .where('id', '=', id)
    .where('user_id', '=', actor.userId)
    .returning(['id', 'application_server_key', 'created_at'])
    .executeTakeFirst()
  const { application_server_key: applicationServerKey, created_at: createdAt } = found(row)
  tx.audit({ entityType: 'push_device', entityId: id, before: { id, applicationServerKey, createdAt } })
  return ok
}

/** Forgets devices of which their push service says that they do not exist. */
export const forgetDevices = async ({ whole }: Pick<Tx, 'whole'>, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await whole
      .deleteFrom('push_device')
      .where('id', 'in', [...ids])
      .execute()
}
