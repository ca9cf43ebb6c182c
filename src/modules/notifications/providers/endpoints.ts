import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Ok, pageOf, shortListQuery } from '#kernel/values/schema.ts'
import { TRIALS } from '#modules/mail/index.ts'
import { pageFrom } from '#runtime/records/cursors.ts'
import type { Channels } from '../channels/channel.ts'
import type { OutsideChannel } from '../tables.ts'
import { PROVIDERS } from './index.ts'
import { deleteProvider, listProviders, putProvider, type ProviderDeps } from './own-providers.ts'
import { NewProvider, outsideChannel, Provider, ProviderTrial, TrialResult } from './schemas.ts'
import { tryProvider } from './try-provider.ts'

export type ProviderEndpointDeps = ProviderDeps & { channels: Channels }

const manage = { access: 'notifications.manage', wholeTenant: true } as const
const ofChannel = { params: { channel: outsideChannel } }

const channelOf = ({ channel }: { channel: string }): OutsideChannel => channel as OutsideChannel

const { https, ...others } = PROVIDERS

/** What each provider is given. `https` comes last: it is for whatever has no declaration of its own. */
const DESCRIPTIONS = [...Object.values(others), https].map((provider) => `- ${provider?.description}\n`).join('')

const OWN_PROVIDER = `All of it is given each time, its password, token or key too, which is sealed and never shown again.

${DESCRIPTIONS}
A provider’s template has the variables of the institute’s text, in lower case with underscores: {{data.examTitle}} is data_exam_title there; twilio takes names of up to 16 characters. `

export const providerEndpoints = ({ channels, ...deps }: ProviderEndpointDeps) => [
  read({
    ...manage,
    id: 'notification-providers.list',
    path: '/notification-providers',
    summary: 'What each channel sends over',
    description:
      'All of them, in one page unless `limit` is sent. Email and push go over the server’s own where the institute has none, or has lost the feature for it.',
    query: shortListQuery,
    reply: pageOf(Provider),
    handle: async ({ whole, tenant, ...context }) =>
      pageFrom(await listProviders(whole, tenant, deps), ({ channel }) => channel, context),
  }),
  change({
    ...manage,
    ...ofChannel,
    lasting: true,
    id: 'notification-providers.set',
    method: 'PUT',
    path: '/notification-providers/{channel}',
    summary: 'Send a channel over a provider of the institute’s own',
    description: `${OWN_PROVIDER}The channel needs the feature byo_email_provider, byo_push_provider, sms_notifications or whatsapp_notifications (403).`,
    body: NewProvider,
    reply: Provider,
    handle: ({ tx, params, body }) => putProvider(tx, channelOf(params), body, deps),
  }),
  change({
    ...manage,
    ...ofChannel,
    id: 'notification-providers.delete',
    method: 'DELETE',
    path: '/notification-providers/{channel}',
    summary: 'Forget the institute’s own provider of a channel',
    description: 'Email and push go over the server’s own again. What waits for another attempt follows.',
    reply: Ok,
    handle: ({ tx, params }) => deleteProvider(tx, channelOf(params)),
  }),
  change({
    ...manage,
    ...ofChannel,
    id: 'notification-providers.test',
    method: 'POST',
    path: '/notification-providers/{channel}/test',
    summary: 'Send a test message over the institute’s own provider at once',
    description:
      'The reply is 200 also when the provider refuses, and says why in its own words. The message is tried once; it does not count, and is not in the log of messages. 40 an hour at the most (429).',
    body: ProviderTrial,
    bodyOptional: true,
    reply: TrialResult,
    limits: TRIALS,
    fails: [NotFound],
    prepare: ({ whole, tenant, caller, begin, params, body }) =>
      tryProvider({ whole, tenant, caller, begin }, channelOf(params), body, channels),
    handle: async ({ tx, prepared: { providerId, result } }) => {
      tx.audit({ entityType: 'notification_provider', entityId: providerId, after: result })
      return result
    },
  }),
]
