import { forNoKeyUpdate } from '#db/dialect.ts'
import { FeatureDisabled, found, invalid } from '#kernel/values/errors.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { FeatureFlag } from '#kernel/rights/features.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { UrlPolicy } from '#ports/outbound/port.ts'
import {
  changeRecord,
  deleteRecord,
  insertUnlessTaken,
  lockRow,
  lockToDelete,
  recordOf,
  type Row,
} from '#runtime/records/records.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { CHANNELS, type OutsideChannel } from '../tables.ts'
import { PROVIDERS } from './index.ts'
import type { Provider as DeclaredProvider } from './provider.ts'
import { NO_FIELDS, type NewProvider, type Provider } from './schemas.ts'
import type { VapidKeys } from '../push/vapid.ts'
import { openSecret, sealSecret } from '../channels/secrets.ts'

/** The feature without which an institute has no provider of its own for the channel. */
const OWN_FLAGS: Readonly<Record<OutsideChannel, FeatureFlag>> = {
  email: 'byo_email_provider',
  push: 'byo_push_provider',
  sms: 'sms_notifications',
  whatsapp: 'whatsapp_notifications',
}

export interface ProviderDeps {
  vault: Vault
  policy: UrlPolicy
  serverKeys: VapidKeys
}

const nothing = (channel: OutsideChannel): Provider => ({
  channel,
  provider: null,
  ...NO_FIELDS,
  secretSetAt: null,
  updatedAt: null,
})

const toProvider = (row: Row<'notification_provider'>): Provider => ({
  ...nothing(row.channel),
  provider: row.provider,
  ...row.settings,
  secretSetAt: row.secret_set_at,
  updatedAt: row.updated_at,
})

export const providerRecord = recordOf('notification_provider', { show: toProvider })

const byChannel = (whole: ScopedDb, channel: OutsideChannel) =>
  whole.selectFrom('notification_provider').selectAll().where('channel', '=', channel)

/** The institute's own provider of a channel. */
export const findProvider = (
  whole: ScopedDb,
  channel: OutsideChannel,
): Promise<Row<'notification_provider'> | undefined> => byChannel(whole, channel).executeTakeFirst()

/** @throws FeatureDisabled where the institute may not have a provider of its own for the channel */
export const checkOwn = ({ features }: Pick<TenantInfo, 'features'>, channel: OutsideChannel): void => {
  const feature = OWN_FLAGS[channel]
  if (!features[feature]) throw FeatureDisabled({ feature })
}

/** Every channel that leaves the server, with what it sends over now. */
export const listProviders = async (
  whole: ScopedDb,
  tenant: TenantInfo,
  { serverKeys }: Pick<ProviderDeps, 'serverKeys'>,
): Promise<Provider[]> => {
  const rows = await whole.selectFrom('notification_provider').selectAll().orderBy('channel').execute()
  const own = new Map(rows.map((row) => [row.channel, toProvider(row)]))
  const servers: Partial<Record<OutsideChannel, Partial<Provider>>> = {
    email: { provider: 'server' },
    push: { provider: 'server', publicKey: serverKeys.publicKey, subject: serverKeys.subject },
  }
  const used = (channel: OutsideChannel): Provider | undefined =>
    servers[channel] !== undefined && !tenant.features[OWN_FLAGS[channel]] ? undefined : own.get(channel)
  return CHANNELS.filter((channel) => channel !== 'in_app').map(
    (channel) => used(channel) ?? { ...nothing(channel), ...servers[channel] },
  )
}

/**
 * Takes what the provider has apart into its settings and its secret.
 * @throws VALIDATION_ERROR for fields that the provider needs or does not have
 */
const readFields = (channel: OutsideChannel, { provider: name, ...body }: NewProvider, policy: UrlPolicy) => {
  const provider = PROVIDERS[name] as DeclaredProvider
  const { channels, fields } = provider
  if (!channels.includes(channel)) throw invalid(['provider'], `Sends over ${channels.join(', ')} only.`)
  for (const [field, { isNeeded }] of Object.entries(fields)) {
    if (isNeeded && body[field] === undefined) throw invalid([field], 'Is needed for this provider.')
  }
  for (const [field, value] of Object.entries(body)) {
    if (value !== undefined && !(field in fields)) throw invalid([field], 'Does not belong to this provider.')
  }
  provider.check?.(body, policy)
  const { [provider.secret]: secret = '', ...settings } = body
  return { provider: name, settings, secret: secret as string }
}

/**
 * Sets the institute's own provider of a channel, in place of the one before; all of it is given, credentials too.
 * @throws FeatureDisabled, VALIDATION_ERROR
 */
export const putProvider = async (
  tx: Tx,
  channel: OutsideChannel,
  body: NewProvider,
  { vault, policy }: ProviderDeps,
): Promise<Provider> => {
  checkOwn(tx.tenant, channel)
  const { provider, settings, secret } = readFields(channel, body, policy)
  const fresh = { provider, settings, secret: sealSecret(vault, secret), secretSetAt: tx.now }
  for (;;) {
    const [created] = await insertUnlessTaken(tx, providerRecord, 'channel', [{ channel, ...fresh }])
    if (created) {
      const after = toProvider(created)
      tx.audit({ entityType: 'notification_provider', entityId: created.id, after })
      return after
    }
    const before = await forNoKeyUpdate(tx.db, byChannel(tx.whole, channel)).executeTakeFirst()
    if (before) {
      const row = await lockRow(tx, providerRecord, before.id)
      const isSame = openSecret(vault, row.secret) === secret
      return changeRecord(tx, providerRecord, row, {
        provider,
        settings,
        ...(!isSame && { secret: fresh.secret, secretSetAt: fresh.secretSetAt }),
      })
    }
    // The provider before was deleted meanwhile: try again.
  }
}

/** @throws NotFound where the institute has none of its own */
export const deleteProvider = async (tx: Tx, channel: OutsideChannel) => {
  const { id } = found(await findProvider(tx.whole, channel))
  return deleteRecord(tx, providerRecord, await lockToDelete(tx, providerRecord, id))
}
