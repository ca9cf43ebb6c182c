import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import type { Notice, OnPage, Refused, Sent } from '../port.ts'
import { idOf, namedIn, stateOf, Transaction, type Transaction as Read } from './transaction.ts'

const Body = v.object({ transaction_type: v.nullish(v.string()), transaction: Transaction })

const matches = (given: Buffer, secret: string, message: string | Uint8Array): boolean => {
  const expected = createHmac('sha256', secret).update(message).digest()
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const tellsOf = (type: string, transaction: Read, now: string): OnPage | null | undefined => {
  const says = stateOf(transaction, now)
  if (says === undefined) return undefined
  const named = namedIn(transaction)
  if (/^charge/i.test(type)) return { ...named, says }
  if (!/^refund/i.test(type) || says.is !== 'paid') return null
  const { paymentId, amountMinor, currency } = says
  return { ...named, says: { is: 'refunded', paymentId, amountMinor, currency } }
}

/**
 * What PayPlus sends to `refURL_callback`: its header `hash` is the HMAC-SHA256 of the body by the secret key, in base64, and
 * its User-Agent is PayPlus. The documents take the HMAC of the body as their sample writes it again from its parsed form
 * (`JSON.stringify`), so that is taken as well as the bytes: it says the same facts. It tells no time, so an old one is known
 * by its transaction alone.
 * https://docs.payplus.co.il/reference/validate-requests-received-from-payplus
 */
export const readCallback = ({ bytes, header, now }: Sent, secret: string): Notice | Refused => {
  const hash = header('hash')
  if (hash === undefined || header('user-agent') !== 'PayPlus') return { is: 'refused', why: 'not_signed' }
  let body: unknown
  try {
    body = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return { is: 'refused', why: 'not_readable' }
  }
  const given = Buffer.from(hash, 'base64')
  if (!matches(given, secret, bytes) && !matches(given, secret, JSON.stringify(body))) {
    return { is: 'refused', why: 'wrong_signature' }
  }
  if (!v.is(Body, body)) return { is: 'refused', why: 'not_readable' }
  const { transaction } = body
  const type = body.transaction_type ?? ''
  const id = idOf(transaction)
  const tells = tellsOf(type, transaction, now)
  if (id === null || tells === undefined) return { is: 'refused', why: 'not_readable' }
  return { is: 'notice', id: `${id} ${type} ${transaction.status_code ?? ''}`.slice(0, 255), tells }
}
