import * as v from 'valibot'
import type { OnPage, PageState } from '../port.ts'

const text = v.nullish(v.union([v.string(), v.number()]))

/**
 * A transaction as PayPlus writes it: below `transaction` in what it sends by itself, flat below `data` in answers to IPN.
 * The same facts have two names, by where they stand.
 */
export const Transaction = v.object({
  uid: text,
  transaction_uid: text,
  payment_page_request_uid: text,
  payment_request_uid: text,
  page_request_uid: text,
  status_code: text,
  amount: text,
  currency: text,
  currency_code: text,
  more_info: text,
  more_info_2: text,
})
export type Transaction = v.InferOutput<typeof Transaction>

const APPROVED = ['000', '0']

const first = (...given: (string | number | null | undefined)[]): string | null => {
  const known = given.find((one) => one !== null && one !== undefined && one !== '')
  return known === undefined ? null : String(known)
}

/**
 * Whole units as a number or as text, such as 450.5 or "450.50", to minor units. It is read as text: in floating point
 * 1.15 × 100 is 114.99999999999999.
 * @returns undefined: it is no amount with at most two decimals
 */
export const minorOf = (given: string | number): number | undefined => {
  const [, whole = '', part = ''] = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(String(given).trim()) ?? []
  return whole === '' ? undefined : Number(whole + part.padEnd(2, '0'))
}

/**
 * @param now when it became known here: PayPlus writes times of some clock and documents no zone, so nothing is dated by them
 * @returns undefined: it is not what the documents say
 */
export const stateOf = (transaction: Transaction, now: string): PageState | undefined => {
  const code = first(transaction.status_code)
  if (code === null) return { is: 'open' }
  if (!APPROVED.includes(code)) return { is: 'failed' }
  const paymentId = first(transaction.uid, transaction.transaction_uid)
  const currency = first(transaction.currency, transaction.currency_code)
  const given = first(transaction.amount)
  const amountMinor = given === null ? undefined : minorOf(given)
  if (paymentId === null || currency === null || amountMinor === undefined) return undefined
  return { is: 'paid', paymentId, amountMinor, currency: currency.toUpperCase(), paidAt: now }
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const uuidIn = (given: string | null): string | null =>
  given !== null && UUID.test(given) ? given.toLowerCase() : null

export const namedIn = (transaction: Transaction): Omit<OnPage, 'says'> => ({
  pageId: first(transaction.payment_page_request_uid, transaction.payment_request_uid, transaction.page_request_uid),
  reference: uuidIn(first(transaction.more_info)),
  about: uuidIn(first(transaction.more_info_2)),
})

export const idOf = (transaction: Transaction): string | null => first(transaction.uid, transaction.transaction_uid)
