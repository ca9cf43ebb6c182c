import * as v from 'valibot'
import { named } from '#kernel/named.ts'
import { email, httpUrl, id, integer, line, orNull, secret, text, ts } from '#kernel/schema.ts'
import { CHANNELS } from '../tables.ts'
import { PROVIDERS } from '../tables.ts'

const OUTSIDE = CHANNELS.filter((channel) => channel !== 'in_app')
export const outsideChannel = v.picklist(OUTSIDE)

const words = {
  channel: 'The channel that it sends over.',
  provider:
    'smtp: a mail server; twilio, meta: the provider of that name; https: any other; web_push: Web Push with keys of one’s own.',
  host: 'The mail server: a name or an address.',
  port: 'The mail server’s port, such as 587, or 465 with tls.',
  security:
    'tls: encrypted from the beginning; starttls: encrypted where the server offers it, always with a password.',
  user: 'The account at the mail server; null: it asks for none.',
  password: 'The password of the account. It is never shown.',
  from: 'Who messages come from: an email address; a phone number or a name that the provider knows; at twilio also a messaging service (MG…); null: the provider knows.',
  url: 'Where messages are sent with POST.',
  token: 'The bearer token, the auth token at twilio, the access token at meta. It is never shown.',
  accountSid: 'The account at twilio: AC and 32 digits.',
  phoneNumberId: 'The id of the sending number at meta.',
  publicKey: 'The public key (VAPID) with which browsers subscribe: a point of P-256 in base64url.',
  privateKey: 'The private key of the public key: 32 bytes in base64url. It is never shown.',
  subject: 'Whom a push service can write to: mailto: and an address, or an https: address.',
  secretSetAt: 'When its password, token or key was given; null: it is the server’s.',
  to: 'The email address or phone number that the test goes to; for push it goes to the caller’s browsers.',
  templateName:
    'The provider’s name of a template without variables; WhatsApp needs one unless the person wrote first.',
  ok: 'Whether the provider accepted the message.',
  error: 'Why not, with what the provider said; null: it accepted.',
  endpoint: 'The address at the browser’s push service.',
  keys: 'The browser’s keys, in base64url.',
  p256dh: 'The browser’s public key.',
  auth: 'The browser’s authentication secret.',
  applicationServerKey: 'The key with which the browser subscribed: the publicKey of the channel push.',
}

/** Printable ASCII: it stands in a header. */
const token = v.pipe(secret(1, 2000), v.regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII without blanks.'))

const subject = v.pipe(
  line(300),
  v.regex(/^(?:mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/\S+)$/, 'Must be mailto: with an address, or an https: address.'),
)

export const NewProvider = named(
  'NewNotificationProvider',
  v.object({
    provider: v.picklist(PROVIDERS),
    host: v.optional(
      v.pipe(text(253), v.regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$|^[0-9A-Fa-f:.]+$/, 'Must be a host.')),
    ),
    port: v.optional(integer(1, 65_535)),
    security: v.optional(v.picklist(['starttls', 'tls'])),
    user: v.optional(text(300)),
    password: v.optional(v.pipe(secret(1), v.regex(/^\P{Cc}+$/u, 'Must not contain control characters.'))),
    from: v.optional(text(254)),
    url: v.optional(httpUrl),
    token: v.optional(token),
    accountSid: v.optional(v.pipe(v.string(), v.trim(), v.regex(/^AC[0-9a-fA-F]{32}$/, 'Must be AC and 32 digits.'))),
    phoneNumberId: v.optional(v.pipe(v.string(), v.trim(), v.regex(/^\d{5,20}$/, 'Must be 5 to 20 digits.'))),
    publicKey: v.optional(line(200)),
    privateKey: v.optional(line(200)),
    subject: v.optional(subject),
  }),
  words,
)
export type NewProvider = v.InferOutput<typeof NewProvider>

export const Provider = named(
  'NotificationProvider',
  v.object({
    channel: outsideChannel,
    provider: orNull(v.picklist([...PROVIDERS, 'server'])),
    host: orNull(v.string()),
    port: orNull(integer(1, 65_535)),
    security: orNull(v.picklist(['starttls', 'tls'])),
    user: orNull(v.string()),
    from: orNull(v.string()),
    url: orNull(v.string()),
    accountSid: orNull(v.string()),
    phoneNumberId: orNull(v.string()),
    publicKey: orNull(v.string()),
    subject: orNull(v.string()),
    secretSetAt: orNull(ts),
    updatedAt: orNull(ts),
  }),
  {
    ...words,
    provider: 'What it sends over; server: the server’s own mail server or push keys; null: it is not set up.',
    host: 'The mail server; null: this provider has none.',
    port: 'The mail server’s port; null: this provider has none.',
    security: 'How the mail server encrypts; null: this provider is none.',
    from: 'Who messages come from; null: the provider knows.',
    url: 'Where messages are sent with POST; null: the provider’s own address.',
    accountSid: 'The account at twilio; null: another provider.',
    phoneNumberId: 'The id of the sending number at meta; null: another provider.',
    publicKey: 'The public key with which browsers subscribe; null: another channel.',
    subject: 'Whom a push service can write to; null: another channel.',
    updatedAt: 'When it was last changed; null: it is not the institute’s own.',
  },
)
export type Provider = v.InferOutput<typeof Provider>

export const ProviderTrial = named(
  'NotificationProviderTrial',
  v.object({ to: v.optional(line(254)), templateName: v.optional(text(150)) }),
  words,
)
export type ProviderTrial = v.InferOutput<typeof ProviderTrial>

export const TrialResult = named(
  'NotificationProviderTrialResult',
  v.object({ ok: v.boolean(), error: orNull(v.string()) }),
  words,
)
export type TrialResult = v.InferOutput<typeof TrialResult>

/** A browser's PushSubscription as it writes itself in JSON, with the key it was made with. */
export const NewDevice = named(
  'NewPushDevice',
  v.object({
    endpoint: httpUrl,
    keys: named('PushKeys', v.object({ p256dh: line(200), auth: line(100) }), words),
    applicationServerKey: v.optional(line(200)),
  }),
  words,
)
export type NewDevice = v.InferOutput<typeof NewDevice>

export const Device = named('PushDevice', v.object({ id, applicationServerKey: v.string(), createdAt: ts }), {
  ...words,
  createdAt: 'When it was first registered.',
})
export type Device = v.InferOutput<typeof Device>

export const OwnDevice = named(
  'OwnPushDevice',
  v.object({ id, userAgent: orNull(v.string()), createdAt: ts, lastUsedAt: ts }),
  {
    userAgent: 'What the browser called itself at the last sign-in or refresh of its session; null: nothing.',
    createdAt: 'When it was first registered.',
    lastUsedAt: 'When its session was signed in or refreshed last.',
  },
)
export type OwnDevice = v.InferOutput<typeof OwnDevice>

export const isEmail = (value: string): boolean => v.is(email, value)
