import type { Currency } from '#kernel/values/money.ts'

/** Says an amount in words: whole units below 10^12, and hundredths. */
export type Spell = (whole: number, part: number, currency: Currency) => string
