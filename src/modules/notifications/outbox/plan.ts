import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { unlinked } from '#shared/text.ts'
import { CHANNEL_FLAGS, REACHED_BY, type Channels } from '../channels/channel.ts'
import { CHANNELS, type ChannelName, type DigestMode } from '../tables.ts'
import { formats, inOrder } from '../texts/formats.ts'
import type { Writing } from '../events/occasion.ts'
import type { Person } from '../recipients/people.ts'
import type { PreferenceOf } from '../preferences/lookup.ts'
import { fillIn, variablesOf, type Values } from '../texts/render.ts'
import type { TextsOf } from '../texts/choose-text.ts'
import { TEXTS } from '../texts/defaults.ts'
import { REASONS } from './reasons.ts'

/** Why no message goes to a person over a channel that they switched off. */
const refusedBy = ({ accountId }: Pick<Person, 'accountId'>): string =>
  accountId === null ? REASONS.optedOut : REASONS.off

/** The text of a message, and where it goes. */
interface MessageText {
  channel: ChannelName
  locale: Locale
  address: string | null
  title: string
  body: string
  providerTemplateName: string | null
  providerValues: Values | null
}

/** A message that goes to one person over one channel. */
export interface Planned extends MessageText {
  digestMode: DigestMode
}

/** A message that does not go to the person, and why. Title and body are empty where there is no text. */
export interface Skipped extends MessageText {
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

const withoutText = (channel: ChannelName, locale: Locale): MessageText => ({
  channel,
  locale,
  address: null,
  title: '',
  body: '',
  providerTemplateName: null,
  providerValues: null,
})

/** A message that does not go to the person, and has no text. */
export const skippedAt = (channel: ChannelName, { locale }: Person, reason: string): Skipped => ({
  ...withoutText(channel, locale),
  reason,
})

/** What decides whether a message goes to a person. */
export interface Rules {
  texts: TextsOf
  preferenceOf: PreferenceOf
}

/** Makes the address of what a message is about. */
export type PlaceLink = (of: { templateKey: string; payload: Readonly<Record<string, string>> }) => string

export interface Planning extends Rules {
  tenant: TenantInfo
  /** Where one signs in. */
  link: string
  /** undefined: the message is about nothing that has an address. */
  placeLink?: PlaceLink | undefined
}

/** What a message says, without its recipient. */
export interface Content {
  templateKey: string
  /** The ids of the records that it is about. */
  payload?: Readonly<Record<string, string>>
  values(writing: Writing): Values
}

const decide = ({ texts, preferenceOf }: Rules, templateKey: string, person: Person, channel: ChannelName) => {
  const address = addressOf(person, channel)
  const { enabled, digestMode: chosenMode } = preferenceOf(person, channel)
  // Only an active account has digests.
  const digestMode = person.userId === null ? 'immediate' : chosenMode
  // A digest greets once: its messages have the short texts of the app.
  const chosen = texts.choose(templateKey, digestMode === 'immediate' ? channel : 'in_app', person.locale)
  if (!chosen) return { reason: REASONS.noText }
  if (!chosen.text.isActive) return { reason: REASONS.textOff }
  const refusal = enabled ? null : refusedBy(person)
  return {
    ...chosen,
    address: address?.address ?? null,
    digestMode,
    reason: address ? refusal : REASONS[REACHED_BY[channel]],
  }
}

/** Why no message goes to a person over a channel; null: one goes. */
export const reasonToSkip = (rules: Rules, templateKey: string, person: Person, channel: ChannelName): string | null =>
  decide(rules, templateKey, person, channel).reason

/**
 * Decides whether a message goes to a person over a channel, and writes it in their language. A skipped message has its
 * text too, where there is one: it can be sent once the address is known.
 */
export const planFor = (
  planning: Planning,
  { templateKey, payload = {}, values }: Content,
  person: Person,
  channel: ChannelName,
): Planned | Skipped => {
  const decision = decide(planning, templateKey, person, channel)
  if (!('text' in decision)) return skippedAt(channel, person, decision.reason)
  const { text, locale, address, digestMode, reason } = decision
  const { tenant, link, placeLink } = planning
  const place = placeLink?.({ templateKey, payload })
  const writing = { f: formats(locale, tenant.timezone), words: TEXTS[locale], locale, person }
  const plain: Values = {
    institute: unlinked(tenant.name),
    recipientName: unlinked(person.name),
    link: place ?? link,
    // Who has no account could open nothing.
    seeIt: place === undefined || person.userId === null ? '' : `${writing.words.seeIt}\n\n${place}`,
    ...values(writing),
  }
  const message: MessageText = {
    channel,
    locale,
    address,
    title: fillIn(text.subject ?? '{{institute}}', plain, locale).replaceAll(/\s+/g, ' '),
    body: inOrder(fillIn(text.body, plain, locale), locale),
    providerTemplateName: text.providerTemplateName,
    // A provider refuses values that its template does not name. It is to name the variables of the institute's text.
    providerValues:
      text.providerTemplateName === null
        ? null
        : Object.fromEntries(variablesOf(text.body).map((name): [string, string] => [name, plain[name] ?? ''])),
  }
  return reason === null ? { ...message, digestMode } : { ...message, reason }
}
