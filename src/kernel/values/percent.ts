import * as v from 'valibot'

/** From 1 to 100, with at most two decimals. */
const isPercent = (value: number): boolean =>
  value >= 1 && value <= 100 && /^\d{1,3}(?:\.\d{1,2})?$/.test(String(value))

export const PERCENT_RULE = 'Must be a percentage from 1 to 100 with at most two decimals.'

export const percent = v.pipe(v.number(), v.check(isPercent, PERCENT_RULE), v.metadata({ minimum: 1, maximum: 100 }))

/** A percentage in hundredths of a percent: 12.5 is 1250. undefined: it is none. */
export const hundredthsOf = (value: number): number | undefined =>
  isPercent(value) ? Math.round(value * 100) : undefined

/** Of an amount so many hundredths of a percent, rounded half up. */
export const partInHundredths = (amountMinor: number, hundredths: number): number =>
  Number((2n * BigInt(amountMinor) * BigInt(hundredths) + 10_000n) / 20_000n)
