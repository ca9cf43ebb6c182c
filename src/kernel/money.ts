/** The currencies that requests may name. Each has a minor unit of a hundredth. */
export const CURRENCIES = ['ILS', 'USD', 'EUR'] as const

export type Currency = (typeof CURRENCIES)[number]

/** An amount in the currency's minor unit: 1250 ILS are twelve shekels and fifty agorot. Negative when it is owed back. */
export interface Money {
  amountMinor: number
  currency: Currency
}

/** Throws a RangeError for an amount that is no integer or too large to be exact. */
export function money(amountMinor: number, currency: Currency): Money {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError(`${amountMinor} is no amount in minor units`)
  return { amountMinor, currency }
}
