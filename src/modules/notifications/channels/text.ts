import { compiledInTenant } from '#db/queries/compiled.ts'
import type { Clock } from '#kernel/time/clock.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { CHANNEL_FLAGS, type Channel } from './channel.ts'
import { TEXT_PROVIDERS } from '../providers/index.ts'
import { givenOf } from '../providers/provider.ts'
import { outcomeOf } from '../providers/replies.ts'

export interface TextDeps {
  vault: Vault
  outbound: Outbound
  clock: Clock
}

const DEADLINE_MS = 10_000
const LONGEST_ANSWER = 16_384

const ownProvider = compiledInTenant((whole, { channel }: { channel: 'sms' | 'whatsapp' }) =>
  whole.selectFrom('notification_provider').select('id').where('channel', '=', channel),
)

/** SMS or WhatsApp, over the institute's own provider. */
export const textOver = (channel: 'sms' | 'whatsapp', { vault, outbound, clock }: TextDeps): Channel => ({
  isSetUp: async (whole) => (await ownProvider(whole, { channel })).length > 0,
  send: async (message) => {
    const { provider, address } = message
    if (!message.tenant.features[CHANNEL_FLAGS[channel]]) {
      return { kind: 'skipped', reason: 'The institute does not have this channel any more.' }
    }
    const own = provider && TEXT_PROVIDERS[provider.provider]
    if (!own) return { kind: 'skipped', reason: 'This channel is not set up.' }
    if (address === null) return { kind: 'skipped', reason: 'There is no phone number on record.' }
    const given = givenOf(vault, own, provider)
    const request = own.request({ ...message, channel, address }, given)
    const result = await outbound.post({ ...request, deadlineMs: DEADLINE_MS, maxResponseBytes: LONGEST_ANSWER })
    const secrets = own.secretsOf?.(given) ?? [given[own.secret] as string]
    return outcomeOf(result, { now: clock.now(), secrets, refusalOf: own.refusalOf })
  },
})
