import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Locale } from '#shared/locale.ts'
import type { FeatureFlag } from '#kernel/rights/features.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Letterhead } from '#modules/mail/index.ts'
import type { Attachment } from '#ports/mail/port.ts'
import type { ChannelName, OutsideChannel } from '../tables.ts'

/** How a channel reaches a person: at an address on their record, or through their account. */
export const REACHED_BY: Readonly<Record<ChannelName, 'email' | 'phone' | 'account'>> = {
  in_app: 'account',
  email: 'email',
  sms: 'phone',
  whatsapp: 'phone',
  push: 'account',
}

/** The feature without which an institute does not have the channel. */
export const CHANNEL_FLAGS: Readonly<
  Partial<Record<ChannelName, FeatureFlag>> & Record<'sms' | 'whatsapp', FeatureFlag>
> = {
  sms: 'sms_notifications',
  whatsapp: 'whatsapp_notifications',
}

/** One message as a channel sends it. */
export interface Message {
  /** The same at every attempt, so that receivers can tell a repetition. */
  id: string
  tenant: TenantInfo
  locale: Locale
  /** An email address, or a phone number in E.164; null for channels that reach an account. */
  address: string | null
  /** The link in a mail that stops further mails; null: another channel, or a test message. */
  unsubscribeUrl: string | null
  /** The account of the recipient; null: they have none here. */
  userId: string | null
  title: string
  /** Plain text of several lines. */
  body: string
  templateKey: string
  /** The ids of the records that it is about. */
  payload: Readonly<Record<string, string>>
  /** The name and the values of a template that the provider has; null: it sends `body`. */
  providerTemplate: { name: string; values: Readonly<Record<string, string>> } | null
  /** The institute's own provider of the channel; null: it has none. */
  provider: SealedProvider | null
  /** What goes with a mail. */
  attachments: readonly Attachment[]
  /** How a mail looks like one of the institute; null: another channel, or a test message. */
  letterhead: Letterhead | null
  /** The recipient's devices, for the channel push. */
  devices: readonly SealedDevice[]
}

/** A provider as the database has it. */
export interface SealedProvider {
  provider: string
  settings: Readonly<Record<string, unknown>>
  /** Its sealed credential. */
  secret: string
}

/** A browser that gets push messages, as the database has it. */
export interface SealedDevice {
  id: string
  /** Where and with which keys it is reached. */
  subscription: string
  /** The public key of the server that it lets in. */
  application_server_key: string
}

/**
 * What became of an attempt. Reasons are shown to staff: each is a sentence without credentials, which may quote the beginning
 * of an answer.
 * - `sent`: the other side has accepted it.
 * - `later`: it may work later (the server is down, or too busy): the attempt is repeated.
 * - `failed`: the same message would be refused again.
 * - `kept`: it waits until the institute has set the channel up, and somebody says that it is sent.
 * - `skipped`: there was nothing to try: the channel is not set up, or the person has no device.
 */
export type Outcome = (
  | { kind: 'sent' }
  | { kind: 'later'; reason: string; retryAfterSeconds?: number }
  | { kind: 'failed' | 'kept' | 'skipped'; reason: string }
) & {
  /** The ids of devices that do not exist any more. */
  gone?: readonly string[]
}

const ORDER: readonly Outcome['kind'][] = ['sent', 'later', 'failed', 'kept', 'skipped']

/**
 * The outcome of a message that went to several devices: the best of theirs. One device that accepted it is enough. The
 * message is not sent again for the sake of the others, since that one would show it twice.
 */
export const bestOf = (outcomes: readonly Outcome[]): Outcome => {
  const [best] = outcomes.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
  if (!best) return { kind: 'skipped', reason: 'They have no browser that takes messages.' }
  return { ...best, gone: outcomes.flatMap(({ gone = [] }) => gone) }
}

/** A channel that hands messages over to another server. `send` may be called several times with the same message. */
export interface Channel {
  /** Whether the institute can send over it at all. Events leave out the channels that are not set up. */
  isSetUp(whole: ScopedDb, tenant: TenantInfo): Promise<boolean>
  /** Whether what is sent goes out now; where it does not, it waits. Left out: it does wherever the channel is set up. */
  goesOut?(whole: ScopedDb, tenant: TenantInfo): Promise<boolean>
  /** Makes one attempt. It never throws for a reason that lies at the other side. */
  send(message: Message, signal: AbortSignal): Promise<Outcome>
  /**
   * The message's devices by the server that it is handed to, for a channel whose devices choose their servers. Each
   * server has a lane of its own, so that one that hangs holds up no other.
   */
  serversOf?(message: Message): ReadonlyMap<string, readonly SealedDevice[]>
}

/** Every channel that leaves this server. */
export type Channels = Readonly<Record<OutsideChannel, Channel>>
