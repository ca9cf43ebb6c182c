import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { line, orNull, text, ts } from '#kernel/values/schema.ts'
import { OUTSIDE_CHANNELS } from '../tables.ts'
import { ALL_FIELDS, PROVIDERS } from './index.ts'
import type { Field } from './provider.ts'

export const outsideChannel = v.picklist(OUTSIDE_CHANNELS)
const NAMES = Object.keys(PROVIDERS)

/** Something of each field, by its name. A field of which `get` returns undefined is left out. */
const ofFields = <T>(get: (field: Field) => T | undefined): Record<string, T> =>
  Object.fromEntries(
    Object.entries(ALL_FIELDS).flatMap(([name, field]): [string, T][] => {
      const value = get(field)
      return value === undefined ? [] : [[name, value]]
    }),
  )

const words = {
  channel: 'The channel that it sends over.',
  provider:
    'smtp: a mail server; twilio, meta: the provider of that name; https: any other; web_push: Web Push with keys of one’s own.',
  secretSetAt: 'When its password, token or key was given; null: it is the server’s.',
  to: 'The email address or phone number that the test goes to; for push it goes to the caller’s browsers.',
  templateName:
    'The provider’s name of a template without variables; WhatsApp needs one unless the person wrote first.',
  ok: 'Whether the provider accepted the message.',
  error: 'Why not, with what the provider said; null: it accepted.',
}

export const NewProvider = named(
  'NewNotificationProvider',
  v.object({ provider: v.picklist(NAMES), ...ofFields(({ schema }) => v.optional(schema)) }),
  { ...words, ...ofFields((field) => field.words) },
)
export type NewProvider = v.InferOutput<typeof NewProvider> & Readonly<Record<string, unknown>>

export const Provider = named(
  'NotificationProvider',
  v.object({
    channel: outsideChannel,
    provider: orNull(v.picklist([...NAMES, 'server'])),
    ...ofFields((field) => (field.shown ? orNull(field.shown.schema) : undefined)),
    secretSetAt: orNull(ts),
    updatedAt: orNull(ts),
  }),
  {
    ...words,
    ...ofFields((field) => field.shown?.words),
    provider: 'What it sends over; server: the server’s own mail server or push keys; null: it is not set up.',
    updatedAt: 'When it was last changed; null: it is not the institute’s own.',
  },
)
export type Provider = v.InferOutput<typeof Provider> & Readonly<Record<string, unknown>>

/** The fields of all providers that are shown, each null. */
export const NO_FIELDS = ofFields((field) => (field.shown ? null : undefined))

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
