import { compiledInTenant } from '#db/compiled.ts'
import { failure } from '#kernel/errors.ts'
import type { ScopedDb } from '#kernel/tables.ts'

/**
 * Keeps every sum over an institute's money within the exact integers of a number, 2^53 - 1, whatever is added up: what
 * is owed, what came in in a month, the balance of a statement on any day. None of them is larger than all invoices that
 * were ever made and all reversals that were ever recorded, in all currencies, together: what was paid of an invoice is at
 * most its total, and can be paid again only after a reversal.
 *
 * Only amounts of more than ten million in the currency are added up before they are written, from indexes that hold
 * nothing else: no usual invoice or payment costs anything. Invoices and reversals have four parts of nine each; the
 * ninth is for the smaller ones (a million invoices of ten million each), and for requests that look at the same time.
 * Void invoices count: statements show them.
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

/** How much all large invoices together may still come to. */
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
 * Finds which of these invoices can be made together, each that still has room in its turn.
 * @returns the others
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
