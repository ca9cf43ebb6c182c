import { describe, expect, test } from 'vitest'
import { TEXT_PROVIDERS } from '#modules/notifications/providers/index.ts'
import { outcomeOf } from '#modules/notifications/providers/replies.ts'

/** What becomes of a message that Twilio or Meta refuses, in the shape of their replies. */

const refused = (provider: 'twilio' | 'meta', status: number, json: unknown) => {
  const body = Buffer.from(JSON.stringify(json))
  const result = { ok: false, status, body, truncated: false, excerpt: body.toString(), durationMs: 1 }
  const { refusalOf = () => undefined } = TEXT_PROVIDERS[provider] ?? {}
  const now = '2026-03-02T08:00:00.000Z'
  const outcome = outcomeOf(result, { now, secrets: [], refusalOf })
  const isAccount = 'reason' in outcome && outcome.reason.includes('refuses the institute’s account')
  return isAccount ? `${outcome.kind}: the account` : outcome.kind
}

const ACCOUNT = 'later: the account'

describe('Twilio refuses', () => {
  test.each([
    [401, 20003, 'a wrong token', ACCOUNT],
    [403, 20005, 'an account without funds', ACCOUNT],
    [400, 21408, 'a region that is not enabled', ACCOUNT],
    [400, 21608, 'a number that a trial account has not verified', ACCOUNT],
    [400, 21660, 'a From of another account', ACCOUNT],
    [400, 21661, 'a From that sends no SMS', ACCOUNT],
    [404, 21701, 'a messaging service that is not there', ACCOUNT],
    [400, 63007, 'a From that is no WhatsApp sender', ACCOUNT],
    [429, 20429, 'too many requests', 'later'],
    [400, 21611, 'a full queue', 'later'],
    [400, 63038, 'more messages than a day may have', 'later'],
    [400, 21211, 'a To that is no number', 'failed'],
    [400, 21610, 'somebody who has opted out', 'failed'],
    [400, 21614, 'a To that is not mobile', 'failed'],
    [400, 21635, 'a landline', 'failed'],
    [400, 21656, 'other variables than the template’s', 'failed'],
    [400, 29999, 'what a new code means', 'failed'],
    [500, 20500, 'anything, being down', 'later'],
  ])('%i, %i: %s', (status, code, message, expected) => {
    const more_info = `https://www.twilio.com/docs/errors/${code}`
    expect(refused('twilio', status, { code, message, more_info, status })).toBe(expected)
  })
})

describe('Meta refuses', () => {
  test.each([
    [401, 0, 'a token that cannot sign in', ACCOUNT],
    [500, 3, 'a token without the capability', ACCOUNT],
    [401, 190, 'a token that has expired', ACCOUNT],
    [403, 200, 'a token without the permission', ACCOUNT],
    [403, 368, 'an account that broke a policy', ACCOUNT],
    [400, 131030, 'a recipient whom a test number does not list', ACCOUNT],
    [400, 131042, 'an account that does not pay', ACCOUNT],
    [404, 132001, 'a template that is not there', ACCOUNT],
    [400, 4, 'too many requests', 'later'],
    [400, 80007, 'too many requests of the account', 'later'],
    [400, 130429, 'too many messages, with the older status', 'later'],
    [429, 130429, 'too many messages', 'later'],
    [400, 131056, 'too many messages to one person', 'later'],
    [400, 132015, 'a template that is paused', 'later'],
    [503, 2, 'anything, being down', 'later'],
    [400, 100, 'a wrong parameter', 'failed'],
    [400, 131026, 'a number without WhatsApp', 'failed'],
    [400, 131047, 'a text after 24 hours', 'failed'],
    [400, 132000, 'another number of values', 'failed'],
    [400, 132016, 'a template that is disabled', 'failed'],
    [400, 199999, 'what a new code means', 'failed'],
  ])('%i, %i: %s', (status, code, details, expected) => {
    const error = {
      message: `(#${code}) ${details}`,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details },
      fbtrace_id: 'A1',
    }
    expect(refused('meta', status, { error })).toBe(expected)
  })

  test('a sending number that is not there, with the code of a wrong parameter', () => {
    const message =
      'Unsupported post request. Object with ID does not exist, cannot be loaded due to missing permissions'
    const error = { message, type: 'GraphMethodException', code: 100, error_subcode: 33, fbtrace_id: 'A1' }
    expect(refused('meta', 400, { error })).toBe(ACCOUNT)
  })
})
