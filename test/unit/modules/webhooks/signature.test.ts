import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { signatureHeader } from '#modules/webhooks/signature.ts'

const NOW = 1_700_000_000
const BODY = '{"id":"0190","type":"student.created","data":{"lastName":"حداد"}}'
const SECRET = 'whsec_first'

const verifiedByStripe = (header: string, body: string, secret: string) =>
  new Stripe('sk_test_unused').webhooks.constructEvent(body, header, secret, 300, undefined, NOW * 1000)

describe('the webhook signature', () => {
  // Expected value: printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac whsec_test
  test('is the lowercase hex HMAC-SHA256 of `<t>.<rawBody>`', () => {
    expect(signatureHeader(['whsec_test'], NOW, '{"a":1}')).toBe(
      't=1700000000,v1=38877139021993b830af32feea6e18a8da83eb2f6e49ee50bd9e4cf4ca4d3789',
    )
  })

  test('is accepted by a verifier of the same scheme', () => {
    expect(verifiedByStripe(signatureHeader([SECRET], NOW, BODY), BODY, SECRET)).toMatchObject({ id: '0190' })
  })

  test.each([SECRET, 'whsec_second'])('with two live secrets is accepted under %s', (secret) => {
    const header = signatureHeader([SECRET, 'whsec_second'], NOW, BODY)
    expect(header).toMatch(/^t=1700000000,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    expect(verifiedByStripe(header, BODY, secret)).toMatchObject({ id: '0190' })
  })

  test('is refused for another body, another secret and another time', () => {
    const header = signatureHeader([SECRET], NOW, BODY)
    expect(() => verifiedByStripe(header, `${BODY} `, SECRET)).toThrow('No signatures found')
    expect(() => verifiedByStripe(header, BODY, 'whsec_second')).toThrow('No signatures found')
    expect(() => verifiedByStripe(header.replace('t=1700000000', 't=1700000001'), BODY, SECRET)).toThrow(
      'No signatures found',
    )
  })
})
