import * as v from 'valibot'
import type { OutboundRequest, UrlPolicy } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { Message, SealedProvider } from '../channels/channel.ts'
import { openSecret } from '../channels/secrets.ts'
import type { VapidKeys } from '../push/vapid.ts'
import type { OutsideChannel } from '../tables.ts'
import type { Refusal } from './replies.ts'

/** One field of the account that an institute has at a provider. */
export interface Field<S extends v.GenericSchema = v.GenericSchema, Needed extends boolean = boolean> {
  /** As the institute gives it. */
  schema: S
  /** What the API's document says of it. */
  words: string
  isNeeded: Needed
  /** How it is shown again; null: it is the secret, which is sealed and never shown. */
  shown: { schema: v.GenericSchema; words: string } | null
}

/** A field that is shown again, as text unless `shown` says otherwise. */
export const setting = <S extends v.GenericSchema>(
  schema: S,
  words: string,
  shown: { words: string; schema?: v.GenericSchema },
): Field<S, true> => ({ schema, words, isNeeded: true, shown: { schema: v.string(), ...shown } })

export const secretField = <S extends v.GenericSchema>(schema: S, words: string): Field<S, true> => ({
  schema,
  words,
  isNeeded: true,
  shown: null,
})

export const optional = <S extends v.GenericSchema>(field: Field<S>): Field<S, false> => ({ ...field, isNeeded: false })

export type Fields = Readonly<Record<string, Field>>

/** The values of the fields, with the secret. */
export type Given<F extends Fields> = {
  readonly [K in keyof F]: v.InferOutput<F[K]['schema']> | (F[K]['isNeeded'] extends true ? never : undefined)
}

/** All that the program knows of a provider. The lists of providers/index.ts name them. */
export interface Provider<F extends Fields = Fields> {
  channels: readonly OutsideChannel[]
  /** What the API's document says of it: its channels, its fields, and what else must be known. */
  description: string
  /** In the order in which the document has them. */
  fields: F
  /** Which field is the secret. */
  secret: keyof F & string
  /** Checks what the schemas cannot. @throws VALIDATION_ERROR */
  check?(given: Given<F>, policy: UrlPolicy): void
}

/** Sends mails. */
export interface MailProvider<F extends Fields = Fields> extends Provider<F> {
  /** The mail server's address, with account and password, and whom mails come from. */
  mailServer(given: Given<F>): { url: string; from: string }
}

/** A message that goes to a phone. */
export interface TextMessage extends Message {
  channel: 'sms' | 'whatsapp'
  /** In E.164. */
  address: string
}

/** Sends text messages with one HTTP request each. */
export interface TextProvider<F extends Fields = Fields> extends Provider<F> {
  request(message: TextMessage, given: Given<F>): Pick<OutboundRequest, 'url' | 'headers' | 'body'>
  /** Reads why it refuses. @returns undefined: the answer is not in its format */
  refusalOf(json: unknown): Refusal | undefined
  /** What must not be shown of its answers; absent: the secret. */
  secretsOf?(given: Given<F>): readonly string[]
}

/** Signs push messages. */
export interface PushProvider<F extends Fields = Fields> extends Provider<F> {
  keys(given: Given<F>): VapidKeys
}

// These functions check a declaration against its own fields. The lists hold all declarations as one type.
export const mailProvider = <F extends Fields>(provider: MailProvider<F>): MailProvider<F> => provider
export const textProvider = <F extends Fields>(provider: TextProvider<F>): TextProvider<F> => provider
export const pushProvider = <F extends Fields>(provider: PushProvider<F>): PushProvider<F> => provider

/** The values of a stored provider, with its secret opened. */
export const givenOf = <F extends Fields>(
  vault: Vault,
  provider: Provider<F>,
  { settings, secret: sealed }: Pick<SealedProvider, 'settings' | 'secret'>,
): Given<F> => ({ ...settings, [provider.secret]: openSecret(vault, sealed) }) as Given<F>
