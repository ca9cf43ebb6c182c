import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { Begin } from '#kernel/contract/endpoint.ts'
import { found, invalid } from '#kernel/values/errors.ts'
import { newId } from '#kernel/basics/ids.ts'
import { storedPhone } from '#kernel/values/phone.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { REACHED_BY, type Channels, type SealedDevice } from '../channels/channel.ts'
import { type OutsideChannel } from '../tables.ts'
import { isEmail } from './fields.ts'
import type { ProviderTrial, TrialResult } from './schemas.ts'
import { findDevices, isLive } from '../push/live-devices.ts'
import { TEXTS } from '../texts/defaults.ts'
import { checkOwn, findProvider } from './own-providers.ts'

const TRIAL_KEY = 'test'

/** @throws VALIDATION_ERROR */
const addressOf = (channel: OutsideChannel, to: string | undefined, { timezone }: TenantInfo): string | null => {
  const by = REACHED_BY[channel]
  if (by === 'account') return null
  if (to === undefined) throw invalid(['to'], 'Is needed for this channel.')
  if (by === 'phone') return storedPhone(to, timezone, ['to'])
  if (!isEmail(to)) throw invalid(['to'], 'Must be an email address.')
  return to
}

interface Trying {
  whole: ScopedDb
  tenant: TenantInfo
  caller: Caller
  begin: Begin
}

const devicesOf = ({ tenant, caller: { actor }, begin }: Trying): Promise<SealedDevice[]> =>
  begin(async ({ everywhere, now }) =>
    actor.type === 'user'
      ? (await findDevices(everywhere, { tenantId: tenant.id, userId: actor.userId })).filter((one) => isLive(one, now))
      : [],
  )

/**
 * Sends a test message over the institute's own provider, at once and once. It neither counts nor stands in the log.
 * @throws FeatureDisabled, NotFound where there is no provider, VALIDATION_ERROR
 */
export const tryProvider = async (
  trying: Trying,
  channel: OutsideChannel,
  { to, templateName }: ProviderTrial,
  channels: Channels,
): Promise<{ providerId: string; result: TrialResult }> => {
  const { whole, tenant, caller } = trying
  checkOwn(tenant, channel)
  const provider = found(await findProvider(whole, channel))
  const locale = tenant.defaultLocale
  const outcome = await channels[channel].send(
    {
      id: newId(),
      tenant,
      locale,
      address: addressOf(channel, to, tenant),
      unsubscribeUrl: null,
      userId: caller.actor.type === 'user' ? caller.actor.userId : null,
      ...TEXTS[locale].trial,
      templateKey: TRIAL_KEY,
      payload: {},
      providerTemplate: templateName === undefined ? null : { name: templateName, values: {} },
      provider,
      attachments: [],
      letterhead: null,
      devices: channel === 'push' ? await devicesOf(trying) : [],
    },
    new AbortController().signal,
  )
  const error = outcome.kind === 'sent' ? null : outcome.reason
  return { providerId: provider.id, result: { ok: error === null, error } }
}
