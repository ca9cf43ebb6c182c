import { forNoKeyUpdate } from '#db/dialect.ts'
import { FeatureDisabled, found, invalid } from '#kernel/errors.ts'
import type { TenantInfo } from '#kernel/actor.ts'
import type { FeatureFlag } from '#kernel/features.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { isIP } from 'node:net'
import { checkUrl, type UrlPolicy } from '#ports/outbound/port.ts'
import {
  changeRecord,
  deleteRecord,
  insertUnlessTaken,
  lockRow,
  lockToDelete,
  recordOf,
  type Row,
} from '#runtime/records.ts'
import type { Vault } from '#runtime/vault.ts'
import { CHANNELS, type OutsideChannel } from '../tables.ts'
import { isEmail, type NewProvider, type Provider } from './schemas.ts'
import { isPair, isPublicKey, type VapidKeys } from '../push/vapid.ts'
import { openSecret, sealSecret } from '../channels/secrets.ts'
import type { ProviderName, ProviderSettings } from '../tables.ts'

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

type Field = Exclude<keyof NewProvider, 'provider'>
type Secret = 'password' | 'token' | 'privateKey'

interface Form {
  channels: readonly OutsideChannel[]
  needs: readonly Field[]
  may: readonly Field[]
  secret: Secret
}

/** What each provider is given. */
const FORMS: Readonly<Record<ProviderName, Form>> = {
  smtp: {
    channels: ['email'],
    needs: ['host', 'port', 'security', 'from'],
    may: ['user', 'password'],
    secret: 'password',
  },
  https: { channels: ['sms', 'whatsapp'], needs: ['url', 'token'], may: ['from'], secret: 'token' },
  twilio: { channels: ['sms', 'whatsapp'], needs: ['accountSid', 'token', 'from'], may: [], secret: 'token' },
  meta: { channels: ['whatsapp'], needs: ['phoneNumberId', 'token'], may: [], secret: 'token' },
  web_push: { channels: ['push'], needs: ['publicKey', 'privateKey', 'subject'], may: [], secret: 'privateKey' },
}

const nothing = (channel: OutsideChannel): Provider => ({
  channel,
  provider: null,
  host: null,
  port: null,
  security: null,
  user: null,
  from: null,
  url: null,
  accountSid: null,
  phoneNumberId: null,
  publicKey: null,
  subject: null,
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

/** @throws VALIDATION_ERROR for fields that the provider needs or does not have */
const checkFields = (channel: OutsideChannel, body: NewProvider): void => {
  const { channels, needs, may } = FORMS[body.provider]
  if (!channels.includes(channel)) throw invalid(['provider'], `Sends over ${channels.join(', ')} only.`)
  for (const field of needs) if (body[field] === undefined) throw invalid([field], 'Is needed for this provider.')
  for (const field of Object.keys(body) as (keyof NewProvider)[]) {
    if (field === 'provider' || body[field] === undefined) continue
    if (!needs.includes(field) && !may.includes(field)) throw invalid([field], 'Does not belong to this provider.')
  }
}

/** @throws VALIDATION_ERROR */
const checkServer = ({ host = '', from = '', user, password }: NewProvider, policy: UrlPolicy): void => {
  const refusal = checkUrl(`https://${isIP(host) === 6 ? `[${host}]` : host}/`, policy)
  if (refusal !== undefined) throw invalid(['host'], `Cannot be used: ${refusal}.`)
  if (isIP(host) === 0 && host.includes(':')) throw invalid(['host'], 'Must be a host without its port.')
  if (!isEmail(from)) throw invalid(['from'], 'Must be an email address.')
  if (user === undefined && password !== undefined) throw invalid(['user'], 'Is needed with a password.')
  if (user !== undefined && password === undefined) throw invalid(['password'], 'Is needed with a user.')
}

/** E.164, a messaging service, a short code, or a name of at most 11 letters and digits. */
const TWILIO_SENDER = /^(?:\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11})$/

/** @throws VALIDATION_ERROR */
const checkValues = (body: NewProvider, policy: UrlPolicy): void => {
  if (body.provider === 'smtp') checkServer(body, policy)
  if (body.url !== undefined) {
    const refusal = checkUrl(body.url, policy)
    if (refusal !== undefined) throw invalid(['url'], `Cannot be used: ${refusal}.`)
  }
  if (body.provider === 'twilio' && !TWILIO_SENDER.test(body.from ?? '')) {
    throw invalid(['from'], 'Must be a number such as +15005550006, a messaging service (MG…) or a sender name.')
  }
  const { publicKey, privateKey } = body
  if (publicKey === undefined || privateKey === undefined) return
  if (!isPublicKey(publicKey)) throw invalid(['publicKey'], 'Must be a point of P-256 in base64url.')
  if (!isPair({ publicKey, privateKey })) throw invalid(['privateKey'], 'Must be the key of publicKey.')
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
  checkFields(channel, body)
  checkValues(body, policy)
  const { provider, password, token, privateKey, ...settings } = body
  const secret = { password, token, privateKey }[FORMS[provider].secret] ?? ''
  const fresh = {
    provider,
    settings: settings as ProviderSettings,
    secret: sealSecret(vault, secret),
    secretSetAt: tx.now,
  }
  for (;;) {
    const created = await insertUnlessTaken(tx, providerRecord, 'channel', { channel, ...fresh })
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
        settings: fresh.settings,
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
