import * as v from 'valibot'
import { invalid } from '#kernel/values/errors.ts'
import { from, token } from './fields.ts'
import { setting, textProvider } from './provider.ts'
import type { Meaning } from './replies.ts'
import { providerValues } from './template-values.ts'

const ErrorAnswer = v.object({ code: v.number(), message: v.string() })

/**
 * What its codes mean where the HTTP status alone would mislead: most have the status 400, which stands for a wrong
 * message. Codes that Twilio gives a message after it was accepted (30003, 63016 …) never come as a reply.
 * https://www.twilio.com/docs/api/errors
 */
const MEANINGS: Readonly<Record<number, Meaning>> = {
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

/** E.164, a messaging service, a short code, or a name of at most 11 letters and digits. */
const SENDER = /^(?:\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11})$/

const accountSid = v.pipe(v.string(), v.trim(), v.regex(/^AC[0-9a-fA-F]{32}$/, 'Must be AC and 32 digits.'))

export const twilio = textProvider({
  channels: ['sms', 'whatsapp'],
  description: '`twilio` (sms, whatsapp): accountSid, token, from. A text’s providerTemplateName is the ContentSid.',
  fields: {
    accountSid: setting(accountSid, 'The account at twilio: AC and 32 digits.', {
      words: 'The account at twilio; null: another provider.',
    }),
    token,
    from,
  },
  secret: 'token',
  check: (given) => {
    if (!SENDER.test(given.from)) {
      throw invalid(['from'], 'Must be a number such as +15005550006, a messaging service (MG…) or a sender name.')
    }
  },
  request: ({ channel, address, body, providerTemplate }, given) => {
    const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
    const sender = given.from
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
      url: `https://api.twilio.com/2010-04-01/Accounts/${given.accountSid}/Messages.json`,
      headers: {
        Authorization: `Basic ${Buffer.from(`${given.accountSid}:${given.token}`).toString('base64')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
        Accept: 'application/json',
      },
      body: form.toString(),
    }
  },
  refusalOf: (json) =>
    v.is(ErrorAnswer, json) ? { words: `${json.message} (${json.code})`, meaning: MEANINGS[json.code] } : undefined,
  // Basic authentication sends the account and the token as one text.
  secretsOf: (given) => [`${given.accountSid}:${given.token}`, given.token],
})
