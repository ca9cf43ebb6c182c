import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Refused, Sent } from '../port.ts'

/** How far the time of a signature may lie from now, either way: what Stripe's own libraries take. */
const TOLERANCE_SECONDS = 300

/**
 * Checks the header Stripe-Signature: `t=<seconds>,v1=<hex>`, with several v1 while a secret is replaced; what has another
 * name is of no concern. The HMAC is over the time, a dot and the bytes as they came.
 * https://docs.stripe.com/webhooks#verify-manually
 * @returns undefined: it is signed with the secret, and fresh
 */
export const signatureProblem = ({ bytes, header, now }: Sent, secret: string): Refused['why'] | undefined => {
  const parts = (header('stripe-signature') ?? '').split(',').map((part) => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  const given = parts.flatMap(([name, value = '']) => (name === 'v1' && /^[0-9a-f]{64}$/.test(value) ? [value] : []))
  if (!/^\d{1,12}$/.test(time) || given.length === 0) return 'not_signed'
  const expected = createHmac('sha256', secret).update(`${time}.`).update(bytes).digest()
  if (!given.some((one) => timingSafeEqual(Buffer.from(one, 'hex'), expected))) return 'wrong_signature'
  const away = Math.abs(Date.parse(now) / 1000 - Number(time))
  return away > TOLERANCE_SECONDS ? 'too_old' : undefined
}
