import * as v from 'valibot'
import { token } from './fields.ts'
import { setting, textProvider } from './provider.ts'
import type { Meaning } from './replies.ts'
import { providerValues } from './template-values.ts'

const ErrorAnswer = v.object({
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
const MEANINGS: Readonly<Record<number, Meaning>> = {
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

const phoneNumberId = v.pipe(v.string(), v.trim(), v.regex(/^\d{5,20}$/, 'Must be 5 to 20 digits.'))

export const meta = textProvider({
  channels: ['whatsapp'],
  description:
    '`meta` (whatsapp): phoneNumberId, token. A text’s providerTemplateName is the name of a template with named parameters, in the text’s locale.',
  fields: {
    phoneNumberId: setting(phoneNumberId, 'The id of the sending number at meta.', {
      words: 'The id of the sending number at meta; null: another provider.',
    }),
    token,
  },
  secret: 'token',
  request: ({ address, body, locale, providerTemplate }, given) => ({
    url: `https://graph.facebook.com/v23.0/${given.phoneNumberId}/messages`,
    headers: { Authorization: `Bearer ${given.token}`, 'Content-Type': 'application/json', Accept: 'application/json' },
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
    if (!v.is(ErrorAnswer, json)) return undefined
    const { message, type, code, error_data: data } = json.error
    const details = data?.details === undefined ? '' : `: ${data.details}`
    const meaning = type === NOTHING_THERE ? 'account' : MEANINGS[code]
    return { words: `${message}${details} (${code})`, meaning }
  },
})
