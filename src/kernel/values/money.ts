/** The currencies that requests may use. Each has 100 minor units. */
export const CURRENCIES = ['ILS', 'USD', 'EUR'] as const

export type Currency = (typeof CURRENCIES)[number]

/** An amount in minor units of the currency: 1250 ILS is 12.50 shekels. Negative when the institute owes it. */
export interface Money {
  amountMinor: number
  currency: Currency
}

/** Makes an amount. @throws RangeError when it is not a safe integer */
export function money(amountMinor: number, currency: Currency): Money {
  if (!Number.isSafeInteger(amountMinor))
    throw new RangeError(`${amountMinor} is not an amount in minor units: it must be a safe integer`)
  return { amountMinor, currency }
}

/** An amount in whole units of its currency, such as 1234.50, as exact text. */
export const decimal = (amountMinor: number): string => {
  const digits = String(Math.abs(amountMinor)).padStart(3, '0')
  return `${amountMinor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
