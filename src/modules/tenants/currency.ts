import { failure } from '#kernel/values/errors.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'

export const CurrencyFixed = failure(
  'CONFLICT',
  'currency_fixed',
  'The currency cannot be changed any more: there are invoices in it.',
)

/**
 * Fixes the institute's currency for good, together with its first invoice. From then on, and while the transaction
 * runs, nobody can change it.
 * @returns the currency, which may be newer than the one in `tx.tenant`
 */
export const lockCurrency = async ({ whole }: Tx): Promise<Currency> => {
  const fixed = await whole
    .updateTable('tenant')
    .set({ currency_fixed: true })
    .where('currency_fixed', '=', false)
    .returning('currency')
    .executeTakeFirst()
  const { currency } = fixed ?? (await whole.selectFrom('tenant').select('currency').executeTakeFirstOrThrow())
  return currency
}
