import type { TenantInfo } from '#kernel/actor.ts'
import type { Locale } from '#kernel/locale.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { unlinked } from '#kernel/text.ts'
import { CHANNEL_FLAGS, REACHED_BY, type Channels } from '../channels/channel.ts'
import { CHANNELS, type ChannelName } from '../tables.ts'
import { formats, inOrder, isolated } from '../texts/formats.ts'
import type { Writing } from '../events/occasion.ts'
import type { Person } from '../recipients/people.ts'
import type { PreferenceOf } from '../preferences/lookup.ts'
import { fillIn, variablesOf, type Values } from '../texts/render.ts'
import type { TextsOf } from '../texts/choose-text.ts'
import { TEXTS } from '../texts/defaults.ts'
import type { DigestMode } from '../tables.ts'

/** The reasons why somebody is not told, in words. */
export const REASONS = {
  email: 'There is no email address on record.',
  phone: 'There is no phone number on record.',
  account: 'They have no account here.',
  off: 'They have switched this channel off.',
  optedOut: 'They have opted out of mails to this address.',
  noText: 'There is no text for this channel.',
  textOff: 'The institute has switched this text off.',
  quota: 'The plan allows no more messages in this month.',
  left: 'They have no active account here any more.',
  archived: 'The institute has been archived.',
} as const

/** Why a person is not told over a channel that they do not want. */
export const refusedBy = ({ accountId }: Pick<Person, 'accountId'>): string =>
  accountId === null ? REASONS.optedOut : REASONS.off

/** The words of a message. */
interface Worded {
  channel: ChannelName
  locale: Locale
  address: string | null
  title: string
  body: string
  providerTemplateName: string | null
  providerValues: Values | null
}

/** A message that is to go to one person over one channel. */
export interface Planned extends Worded {
  digestMode: DigestMode
}

/** A message that does not go, and why; title and body are empty where there is no text. */
export interface Skipped extends Worded {
  reason: string
}

/** The channels that the institute can use now: its features allow them, and they are set up. */
export const usableChannels = async (
  whole: ScopedDb,
  tenant: TenantInfo,
  channels: Channels,
): Promise<ReadonlySet<ChannelName>> => {
  const usable = new Set<ChannelName>(['in_app'])
  for (const channel of CHANNELS) {
    if (channel === 'in_app') continue
    const flag = CHANNEL_FLAGS[channel]
    if (flag !== undefined && !tenant.features[flag]) continue
    if (await channels[channel].isSetUp(whole, tenant)) usable.add(channel)
  }
  return usable
}

/** @returns undefined: there is none */
const addressOf = (person: Person, channel: ChannelName): { address: string | null } | undefined => {
  const by = REACHED_BY[channel]
  if (by === 'account') return person.userId === null ? undefined : { address: null }
  const address = person[by]
  return address === null ? undefined : { address }
}

const wordless = (channel: ChannelName, locale: Locale): Worded => ({
  channel,
  locale,
  address: null,
  title: '',
  body: '',
  providerTemplateName: null,
  providerValues: null,
})

/** A message over a channel that is not set up. */
export const skippedAt = (channel: ChannelName, { locale }: Person, reason: string): Skipped => ({
  ...wordless(channel, locale),
  reason,
})

/** Values that several lines or a link are made of stand by themselves; all others are isolated. */
const inText = (values: Values, locale: Locale): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name === 'link' || value.includes('\n') ? value : isolated(value, locale),
    ]),
  )

export interface Planning {
  tenant: TenantInfo
  link: string
  texts: TextsOf
  preferenceOf: PreferenceOf
}

/** Something that is told, without its recipients. */
interface Content {
  templateKey: string
  values(writing: Writing): Values
}

/**
 * Decides whether and how a person is told over a channel, in the language in which they read. What a digest takes is
 * worded as in the app: a digest greets once. What is skipped is worded too, so that it can be sent once the address
 * is known.
 */
export const planFor = (
  { tenant, link, texts, preferenceOf }: Planning,
  { templateKey, values }: Content,
  person: Person,
  channel: ChannelName,
): Planned | Skipped => {
  const address = addressOf(person, channel)
  const preference = preferenceOf(person, channel)
  // Only an active account has digests.
  const digestMode = person.userId === null ? 'immediate' : preference.digestMode
  const chosen = texts.choose(templateKey, digestMode === 'immediate' ? channel : 'in_app', person.locale)
  if (!chosen) return skippedAt(channel, person, REASONS.noText)
  const { text, locale } = chosen
  if (!text.isActive) return skippedAt(channel, person, REASONS.textOff)
  const writing = { f: formats(locale, tenant.timezone), words: TEXTS[locale], person }
  const plain: Values = {
    institute: unlinked(tenant.name),
    recipientName: unlinked(person.name),
    link,
    ...values(writing),
  }
  const filled = inText(plain, locale)
  const worded: Worded = {
    channel,
    locale,
    address: address?.address ?? null,
    title: fillIn(text.subject ?? '{{institute}}', filled).replaceAll(/\s+/g, ' '),
    body: inOrder(fillIn(text.body, filled), locale),
    providerTemplateName: text.providerTemplateName,
    // A provider refuses values that its template does not name: it names those of the institute's text.
    providerValues:
      text.providerTemplateName === null
        ? null
        : Object.fromEntries(variablesOf(text.body).map((name): [string, string] => [name, plain[name] ?? ''])),
  }
  if (!address) return { ...worded, reason: REASONS[REACHED_BY[channel]] }
  return preference.enabled ? { ...worded, digestMode } : { ...worded, reason: refusedBy(person) }
}
