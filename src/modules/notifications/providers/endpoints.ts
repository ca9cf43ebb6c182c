import { change, openRead, read } from '#kernel/endpoint.ts'
import { NotFound } from '#kernel/errors.ts'
import { Ok, pageOf, pageQuery, shortListQuery } from '#kernel/schema.ts'
import { pageFrom } from '#runtime/cursors.ts'
import type { Channels } from '../channels/channel.ts'
import type { OutsideChannel } from '../tables.ts'
import {
  Device,
  NewDevice,
  NewProvider,
  OwnDevice,
  outsideChannel,
  Provider,
  ProviderTrial,
  TrialResult,
} from './schemas.ts'
import { forgetDevice, MOST_DEVICES, OtherKey, registerDevice, type DeviceDeps } from '../push/devices.ts'
import { listDevices } from '../push/live-devices.ts'
import { deleteProvider, listProviders, putProvider, type ProviderDeps } from './own-providers.ts'
import { tryProvider } from './try-provider.ts'

export type ChannelEndpointDeps = DeviceDeps & ProviderDeps & { channels: Channels }

const own = { access: 'tenant' } as const
const manage = { access: 'notifications.manage', wholeTenant: true } as const
const ofChannel = { params: { channel: outsideChannel } }

const channelOf = ({ channel }: { channel: string }): OutsideChannel => channel as OutsideChannel

const OWN_PROVIDER =
  `All of it is given each time, its password, token or key too, which is sealed and never shown again.

- \`smtp\` (email): host, port, security, from, and user with password. Of what is sent by hand, at most three mails are sent at a time.
- \`twilio\` (sms, whatsapp): accountSid, token, from. A text’s providerTemplateName is the ContentSid.
- \`meta\` (whatsapp): phoneNumberId, token. A text’s providerTemplateName is the name of a template with named parameters, in the text’s locale.
- \`web_push\` (push): publicKey, privateKey, subject. Browsers that subscribed with another key are not reached with it.
- \`https\` (sms, whatsapp): url, token, from. The server is sent a POST with \`Authorization: Bearer {token}\`, \`Idempotency-Key\` (the message’s id, the same when it is tried again) and the JSON \`{id, channel, to, from, locale, title, text, template}\`: \`to\` in E.164; \`template\` null or \`{name, values}\`. 2xx means that it is accepted; 408, 425, 429 and 5xx are tried again, after \`Retry-After\` at the earliest; so are 401 and 403, until the account is mended; other answers are final. \`{"error": {"message"}}\`, \`{"error"}\` or \`{"message"}\` is shown in the log.

A provider’s template has the variables of the institute’s text, in lower case with underscores: {{data.examTitle}} is data_exam_title there; twilio takes names of up to 16 characters. ` as const

export const channelEndpoints = ({ channels, ...deps }: ChannelEndpointDeps) => [
  openRead({
    id: 'me.devices',
    path: '/me/devices',
    summary: 'The browsers that get the caller’s push messages',
    description:
      'Newest first; those of the active institute, none without one. A browser ends with the session in which it was registered: by signing out there or everywhere, by ending that session, with a new password for the others, a reset of the password, or when the session expires.',
    access: 'user',
    query: pageQuery({}),
    reply: pageOf(OwnDevice),
    handle: ({ everywhere, caller, ...context }) => listDevices({ ...context, db: everywhere }, caller),
  }),
  change({
    ...own,
    id: 'me.register-device',
    method: 'POST',
    path: '/me/devices',
    summary: 'Send push messages to this browser',
    description: `The body is the browser’s PushSubscription in JSON; its endpoint is https and public (422). \`applicationServerKey\`, when given, must be the key in use (409, which tells it). The browser gets messages until the session ends in which it is registered, and stops to tell whoever was signed in there before. Registered again it keeps its id. A person has at most ${MOST_DEVICES}: beyond them the first is forgotten. A browser of which its push service says that it is gone is forgotten. Messages are JSON: id, title, body, locale, templateKey, payload, institute. Only a signed-in user has browsers (403).`,
    body: NewDevice,
    status: 201,
    reply: Device,
    fails: [OtherKey],
    handle: ({ tx, caller, body }) => registerDevice(tx, caller, body, deps),
  }),
  change({
    ...own,
    id: 'me.forget-device',
    method: 'DELETE',
    path: '/me/devices/{id}',
    summary: 'Send no more push messages to a browser of the caller',
    reply: Ok,
    handle: ({ tx, caller, params }) => forgetDevice(tx, caller, params.id),
  }),
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
      'The reply is 200 also when the provider refuses, and says why in its own words. The message is tried once; it does not count, and is not in the log of messages.',
    body: ProviderTrial,
    bodyOptional: true,
    reply: TrialResult,
    fails: [NotFound],
    prepare: ({ whole, tenant, caller, begin, params, body }) =>
      tryProvider({ whole, tenant, caller, begin }, channelOf(params), body, channels),
    handle: async ({ tx, prepared: { providerId, result } }) => {
      tx.audit({ entityType: 'notification_provider', entityId: providerId, after: result })
      return result
    },
  }),
]
