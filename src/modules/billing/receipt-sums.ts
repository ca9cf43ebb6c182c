import { CURRENCIES, money, type Currency } from '#kernel/values/money.ts'
import { exactSum } from '#kernel/values/sums.ts'
import { listReceipts } from './receipt-list.ts'
import type { ReceiptSums, ReceiptSumsQuery } from './receipt-schemas.ts'

type Asked = Omit<Parameters<typeof listReceipts>[0], 'query'> & { query: ReceiptSumsQuery }

/** So many receipts are added up: what is more is asked for by days. */
const MOST = 5000
const AT_ONCE = 500

/** What the receipts of a list come to: the same list is read, so that its rows and their sum agree. */
export const sumReceipts = async (asked: Asked): Promise<ReceiptSums> => {
  const { tenant } = asked
  const sums = new Map<Currency, number>()
  let [count, cancelled] = [0, 0]
  let cursor: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next begins
    const page = await listReceipts({ ...asked, query: { ...asked.query, limit: AT_ONCE, cursor } })
    for (const { amount, cancelledAt } of page.data) {
      count += 1
      if (cancelledAt !== null) cancelled += 1
      else sums.set(amount.currency, exactSum([sums.get(amount.currency) ?? 0, amount.amountMinor]))
    }
    cursor = page.nextCursor ?? undefined
    if (cursor !== undefined && count >= MOST) return { count: null, cancelled: null, totals: null }
  } while (cursor !== undefined)
  const order = [tenant.currency, ...CURRENCIES.filter((one) => one !== tenant.currency)]
  const totals = order
    .filter((currency) => sums.has(currency) || currency === tenant.currency)
    .map((currency) => money(sums.get(currency) ?? 0, currency))
  return { count, cancelled, totals }
}
