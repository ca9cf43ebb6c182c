import { failure } from './errors.ts'

/**
 * The one rule of sums in replies: an amount is a JSON number that is exact, at most 2^53 - 1, or the request is refused.
 * Amounts that would make a sum too large are refused when they are written (src/modules/billing/sums.ts). This refusal
 * remains for rows that are older than that rule, and for more small amounts than it foresees.
 */
export const SumTooLarge = failure(
  'CONFLICT',
  'sum_too_large',
  'The amounts come to more than can be told exactly: 9007199254740991 in the smallest unit of the currency.',
)

/** Adds whole amounts up. @throws SumTooLarge when the sum, or one on the way to it, is not exact */
export const exactSum = (amounts: Iterable<number>): number => {
  let sum = 0
  for (const amount of amounts) {
    sum += amount
    if (!Number.isSafeInteger(sum)) throw SumTooLarge()
  }
  return sum
}
