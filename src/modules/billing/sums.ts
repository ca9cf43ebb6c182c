import { compiledInTenant } from '#db/queries/compiled.ts'
import { failure } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

/**
 * Keeps every sum over an institute's money within the exact integers of a number, 2^53 - 1: what is owed, the takings of
 * a month, the balance of a statement on any day. No such sum exceeds the total of all invoices ever made plus the total
 * of all reversals ever recorded, in all currencies: the payments of an invoice are at most its total, and more can be
 * paid only after a reversal.
 *
 * Only large amounts, of more than ten million in the currency, are added up before they are written. Their own index
 * holds nothing else, so a usual invoice or payment costs nothing. The limit is divided into nine parts: large invoices
 * may take four, large reversals four. The ninth is left for smaller amounts (a million invoices of ten million each) and
 * for concurrent requests that do not see each other. Void invoices count, because statements show them.
 */

/** migrations/0046_labels_and_sums.ts has the same number. */
const LARGE_MINOR = 1_000_000_000

const MOST_LARGE_MINOR = 4_000_000_000_000_000

export const SumsFull = failure(
  'CONFLICT',
  'sums_full',
  'An amount of more than 1000000000 in the smallest unit of the currency is no longer taken: with it, the institute’s would come to more than sums can hold exactly.',
)

const largeInvoices = compiledInTenant((whole) =>
  whole
    .selectFrom('invoice')
    .select((eb) => eb.fn.sum<number | null>('total_minor').as('sum'))
    .where((eb) => eb('total_minor', '>', eb.lit(LARGE_MINOR))),
)

const largeReversals = compiledInTenant((whole) =>
  whole
    .selectFrom('payment')
    .select((eb) => eb.fn.sum<number | null>('amount_minor').as('sum'))
    .where((eb) => eb('amount_minor', '<', eb.lit(-LARGE_MINOR))),
)

/** How much may still be added to the total of all large invoices. */
const roomForInvoices = async (whole: ScopedDb): Promise<number> =>
  MOST_LARGE_MINOR - ((await largeInvoices(whole, {}))[0]?.sum ?? 0)

/** Checks that an invoice of this total can be made, in place of one of `before`. @throws SumsFull */
export const checkRoomForInvoice = async (whole: ScopedDb, total: number, before = 0): Promise<void> => {
  if (total <= LARGE_MINOR || total <= before) return
  const counted = before > LARGE_MINOR ? before : 0
  if (total - counted > (await roomForInvoices(whole))) throw SumsFull()
}

/** Checks that a payment of this amount can be reversed. @throws SumsFull */
export const checkRoomForReversal = async (whole: ScopedDb, amount: number): Promise<void> => {
  if (amount <= LARGE_MINOR) return
  const reversed = -((await largeReversals(whole, {}))[0]?.sum ?? 0)
  if (reversed + amount > MOST_LARGE_MINOR) throw SumsFull()
}

/**
 * Goes through the invoices in order, and counts in each that still has room.
 * @returns those that have no room
 */
export const withoutRoom = async <T>(
  whole: ScopedDb,
  planned: readonly T[],
  totalOf: (one: T) => number,
): Promise<ReadonlySet<T>> => {
  const large = planned.filter((one) => totalOf(one) > LARGE_MINOR)
  const refused = new Set<T>()
  if (large.length === 0) return refused
  let room = await roomForInvoices(whole)
  for (const one of large) {
    if (totalOf(one) > room) refused.add(one)
    else room -= totalOf(one)
  }
  return refused
}
