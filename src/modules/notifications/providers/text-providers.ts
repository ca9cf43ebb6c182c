import * as v from 'valibot'
import type { OutboundRequest } from '#ports/outbound/port.ts'
import type { Message } from '../channels/channel.ts'
import type { ProviderName, ProviderSettings } from '../tables.ts'
import type { Meaning, Refusal } from './replies.ts'

/** A message that goes to a phone. */
export interface Texting extends Message {
  channel: 'sms' | 'whatsapp'
  /** In E.164. */
  address: string
}

/** How one provider is asked to send a text, and how it says why it does not. */
export interface TextProvider {
  request(
    message: Texting,
    settings: ProviderSettings,
    secret: string,
  ): Pick<OutboundRequest, 'url' | 'headers' | 'body'>
  refusalOf(json: unknown): Refusal | undefined
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Providers name variables in lower case with underscores: `data.examTitle` is their `data_exam_title`. */
const providerName = (variable: string): string =>
  variable.replaceAll('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Providers refuse line breaks in the values of a template, and values that are empty. */
const providerValues = (values: Readonly<Record<string, string>>): [name: string, value: string][] =>
  Object.entries(values).map(([name, value]) => [providerName(name), value.replaceAll(/\s+/g, ' ').trim() || '-'])

const Said = v.union([
  v.object({ error: v.object({ message: v.string() }) }),
  v.object({ error: v.string() }),
  v.object({ message: v.string() }),
])

/** Our own format, for providers that have none of these: the endpoint's description documents it. */
const https: TextProvider = {
  request: ({ id, channel, address, title, body, locale, providerTemplate }, { url, from }, token) => ({
    url: url as string,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': JSON_TYPE,
      Accept: JSON_TYPE,
      'Idempotency-Key': id,
    },
    body: JSON.stringify({
      id,
      channel,
      to: address,
      from: from ?? null,
      locale,
      title,
      text: body,
      template: providerTemplate && {
        name: providerTemplate.name,
        values: Object.fromEntries(providerValues(providerTemplate.values)),
      },
    }),
  }),
  refusalOf: (json) => {
    if (!v.is(Said, json)) return undefined
    const words = 'message' in json ? json.message : typeof json.error === 'string' ? json.error : json.error.message
    return { words, meaning: undefined }
  },
}

const TwilioError = v.object({ code: v.number(), message: v.string() })

/**
 * What its codes mean where the HTTP status does not tell it: without one, most are 400, which is a wrong message. Codes
 * that Twilio gives a message after it was accepted (30003, 63016 …) never come as a reply.
 * https://www.twilio.com/docs/api/errors
 */
const TWILIO_CODES: Readonly<Record<number, Meaning>> = {
  10001: 'account', // account not active
  20003: 'account', // wrong account or token
  20005: 'account', // account not active, for example without funds
  70051: 'account', // the account or token may not do this
  21212: 'account', // From is not a phone number
  21408: 'account', // no permission for the region
  21606: 'account', // From cannot send, or not to there
  21608: 'account', // a trial account sends only to verified numbers
  21655: 'account', // no such ContentSid in this account
  21659: 'account', // From is not a number of Twilio's
  21660: 'account', // From is another account's number
  21661: 'account', // From cannot send SMS
  21701: 'account', // no such messaging service in this account
  21705: 'account', // the messaging service is wrong
  63007: 'account', // no WhatsApp sender with that From
  63008: 'account', // the WhatsApp sender is not set up rightly
  20429: 'moment', // too many requests at once
  21611: 'moment', // ten hours of messages are queued for From
  60728: 'moment', // too many messages in this hour
  63017: 'moment', // too many messages in this second
  63018: 'moment', // too many messages of this WhatsApp sender
  63038: 'moment', // too many messages in 24 hours
  21211: 'message', // To is not a phone number
  21610: 'message', // the recipient has opted out
  21614: 'message', // To is not a mobile number
  21617: 'message', // longer than 1600 characters
  21635: 'message', // To is a landline
  21656: 'message', // not the variables that the template has
  21658: 'message', // a value is too long
}

const twilio: TextProvider = {
  request: ({ channel, address, body, providerTemplate }, { accountSid, from }, token) => {
    const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
    const sender = from as string
    const content: Record<string, string> = providerTemplate
      ? {
          ContentSid: providerTemplate.name,
          ContentVariables: JSON.stringify(Object.fromEntries(providerValues(providerTemplate.values))),
        }
      : { Body: body }
    const form = new URLSearchParams({
      To: `${prefix}${address}`,
      ...(sender.startsWith('MG') ? { MessagingServiceSid: sender } : { From: `${prefix}${sender}` }),
      ...content,
    })
    return {
      url: `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages.json`,
      headers: {
        Authorization: `Basic ${Buffer.from(`${accountSid}:${token}`).toString('base64')}`,
        'Content-Type': FORM_TYPE,
        Accept: JSON_TYPE,
      },
      body: form.toString(),
    }
  },
  refusalOf: (json) =>
    v.is(TwilioError, json) ? { words: `${json.message} (${json.code})`, meaning: TWILIO_CODES[json.code] } : undefined,
}

const MetaError = v.object({
  error: v.object({
    message: v.string(),
    type: v.optional(v.string()),
    code: v.number(),
    error_data: v.optional(v.object({ details: v.optional(v.string()) })),
  }),
})

/** The type of Meta's error when nothing is at the address, or not for this token; its code is that of a wrong value. */
const NOTHING_THERE = 'GraphMethodException'

/**
 * Meta asks to go by the code, and not by the HTTP status.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
 */
const META_CODES: Readonly<Record<number, Meaning>> = {
  0: 'account', // cannot authenticate
  3: 'account', // a permission is missing
  10: 'account', // permission denied
  33: 'account', // the sending number was deleted
  190: 'account', // the access token has expired
  368: 'account', // restricted for breaking a policy
  130497: 'account', // restricted from sending to this country
  131005: 'account', // access denied
  131030: 'account', // a test number sends only to listed recipients
  131031: 'account', // the account is locked
  131037: 'account', // the sender's name is not approved
  131042: 'account', // its payment method fails
  131045: 'account', // the sending number's certificate is wrong
  132001: 'account', // no such template in this language, or not approved
  133010: 'account', // the sending number is not registered
  1: 'moment', // they do not know; perhaps down
  2: 'moment', // down or overloaded
  4: 'moment', // too many requests
  80007: 'moment', // too many requests of the account
  130429: 'moment', // too many messages
  131000: 'moment', // they do not know
  131016: 'moment', // down or overloaded
  131048: 'moment', // too many messages were called spam
  131056: 'moment', // too many messages to this recipient
  131057: 'moment', // under maintenance
  132015: 'moment', // the template is paused for some hours
  133004: 'moment', // down
  100: 'message', // a parameter is wrong
  131008: 'message', // a parameter is missing
  131009: 'message', // a value is wrong
  131021: 'message', // sender and recipient are the same
  131026: 'message', // the recipient cannot get it
  131047: 'message', // after 24 hours a template is needed
  131049: 'message', // the recipient gets no more of the kind for now; Meta asks not to repeat it
  131050: 'message', // the recipient has opted out
  132000: 'message', // not as many values as the template has
  132005: 'message', // too long
  132007: 'message', // a value breaks the rules for templates
  132012: 'message', // values in another format than the template's
  132016: 'message', // the template is disabled for good
  132018: 'message', // line breaks or many blanks in a value
}

const meta: TextProvider = {
  request: ({ address, body, locale, providerTemplate }, { phoneNumberId }, token) => ({
    url: `https://graph.facebook.com/v23.0/${phoneNumberId}/messages`,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': JSON_TYPE, Accept: JSON_TYPE },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: address,
      ...(providerTemplate
        ? {
            type: 'template',
            template: {
              name: providerTemplate.name,
              language: { code: locale },
              components: [
                {
                  type: 'body',
                  parameters: providerValues(providerTemplate.values).map(([name, text]) => ({
                    type: 'text',
                    parameter_name: name,
                    text,
                  })),
                },
              ],
            },
          }
        : { type: 'text', text: { preview_url: false, body } }),
    }),
  }),
  refusalOf: (json) => {
    if (!v.is(MetaError, json)) return undefined
    const { message, type, code, error_data: data } = json.error
    const details = data?.details === undefined ? '' : `: ${data.details}`
    const meaning = type === NOTHING_THERE ? 'account' : META_CODES[code]
    return { words: `${message}${details} (${code})`, meaning }
  },
}

export const TEXT_PROVIDERS: Readonly<Partial<Record<ProviderName, TextProvider>>> = { https, twilio, meta }
