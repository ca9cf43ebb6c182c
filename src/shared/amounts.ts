/** The input of an invoice line. Amounts are in the currency's minor unit; tax is added to the price. */
export interface LineInput {
  /** A whole number, at least 1. */
  quantity: number
  unitAmountMinor: number
  /** Taken off the whole line, not off each unit; at most the line's amount. */
  discountMinor: number
  /** 0 to 100. Decimals such as 17.5 are computed exactly, without float errors. */
  taxRatePercent: number
}

/** subtotal − discount + tax = total, in the currency's minor unit. */
export interface Amounts {
  subtotal: number
  discount: number
  tax: number
  total: number
}

/** The largest total of an invoice. */
export const MAX_INVOICE_TOTAL_MINOR = 1_000_000_000_000

/** Why lines cannot be an invoice: a discount exceeds its line (by index), or the invoice is too large. */
export type AmountsProblem = { reason: 'discount_above_line'; line: number } | { reason: 'too_large' }

/**
 * Why these lines cannot be an invoice, if so; call it before lineAmounts and invoiceTotals. An invoice is too large
 * when its total exceeds MAX_INVOICE_TOTAL_MINOR, or when its subtotal exceeds the exact integers of a number, whatever
 * the discount.
 */
export function amountsProblem(lines: readonly LineInput[]): AmountsProblem | undefined {
  const exact = lines.map(exactAmounts)
  const line = exact.findIndex(({ subtotal, discount }) => discount > subtotal)
  if (line !== -1) return { reason: 'discount_above_line', line }
  const subtotal = exact.reduce((sum, amounts) => sum + amounts.subtotal, 0n)
  const total = exact.reduce((sum, amounts) => sum + amounts.total, 0n)
  const fits = subtotal <= BigInt(Number.MAX_SAFE_INTEGER) && total <= BigInt(MAX_INVOICE_TOTAL_MINOR)
  return fits ? undefined : { reason: 'too_large' }
}

/**
 * Computes one line: quantity × unit price, minus the discount, plus tax rounded half up to the minor unit. Throws a
 * RangeError for lines that amountsProblem reports, and for fields outside the limits of LineInput.
 */
export function lineAmounts(line: LineInput): Amounts {
  const problem = amountsProblem([line])
  if (problem !== undefined) throw new RangeError(`not an invoice line: ${problem.reason}`)
  return plannedAmounts(line)
}

/** As lineAmounts, for a line that is still being written and may come to too much. */
export function plannedAmounts(line: LineInput): Amounts {
  const { subtotal, discount, tax, total } = exactAmounts(line)
  return { subtotal: Number(subtotal), discount: Number(discount), tax: Number(tax), total: Number(total) }
}

/** Adds the lines up. An invoice's tax is the sum of its lines' rounded taxes, so that the printed figures add up. */
export function invoiceTotals(lines: readonly Amounts[]): Amounts {
  const sum = (field: keyof Amounts): number => lines.reduce((total, line) => total + line[field], 0)
  return { subtotal: sum('subtotal'), discount: sum('discount'), tax: sum('tax'), total: sum('total') }
}

/** What an invoice of these lines comes to. */
export const invoiceTotal = (lines: readonly LineInput[]): number => invoiceTotals(lines.map(lineAmounts)).total

function exactAmounts(line: LineInput): Record<keyof Amounts, bigint> {
  const subtotal = wholeNumber(line.quantity) * wholeNumber(line.unitAmountMinor)
  const discount = wholeNumber(line.discountMinor)
  const rate = decimal(line.taxRatePercent)
  // taxed × digits / divisor, rounded half up: add a half, then cut off the fraction.
  const divisor = 100n * rate.scale
  const tax = (2n * (subtotal - discount) * rate.digits + divisor) / (2n * divisor)
  return { subtotal, discount, tax, total: subtotal - discount + tax }
}

function wholeNumber(amount: number): bigint {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`${amount} is no whole number of 0 or more`)
  return BigInt(amount)
}

/** A percentage exactly as written in decimals, as digits / scale: 17.5 is 175 / 10. */
function decimal(percent: number): { digits: bigint; scale: bigint } {
  if (!(percent >= 0 && percent <= 100)) throw new RangeError(`${percent} is no percentage from 0 to 100`)
  // JavaScript prints numbers below a millionth with a negative exponent.
  const [mantissa = '', exponent = '0'] = String(percent).split('e')
  const [integer = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(integer + fraction), scale: 10n ** BigInt(fraction.length - Number(exponent)) }
}
