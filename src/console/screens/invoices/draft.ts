import { BOUNDS } from '../../api/bounds.ts'
import type { Schemas } from '../../api/schemas.ts'
import {
  amountsProblem,
  invoiceTotals,
  MAX_INVOICE_TOTAL_MINOR,
  plannedAmounts,
  type Amounts,
  type LineInput,
} from '../../../shared/amounts.ts'
import { plainDigits } from '../../../shared/typed.ts'

/** A line as it is typed. */
export interface TypedLine {
  key: string
  description: string
  quantity: string
  /** null: nothing, or no amount, is typed. */
  unitMinor: number | null
  discountMinor: number | null
  /** In percent. */
  tax: string
  feeScheduleId?: string
  enrollmentId?: string
  courseEnrollmentId?: string
  siblingPlace?: number
}

/** What the API takes in a line. */
export const LINE = BOUNDS.NewInvoiceLine

export const emptyLine = (key: string): TypedLine => ({
  key,
  description: '',
  quantity: '1',
  unitMinor: null,
  discountMinor: null,
  tax: '',
})

/** A whole number such as 12 or ١٢; undefined: it is none, or out of range. */
export const quantityOf = ({ quantity }: Pick<TypedLine, 'quantity'>): number | undefined => {
  const digits = plainDigits(quantity).trim()
  const number = /^\d{1,5}$/.test(digits) ? Number(digits) : 0
  return number >= 1 && number <= LINE.quantity.max ? number : undefined
}

/** Percent with at most two digits after the point; nothing is 0. undefined: it is none. */
export const taxOf = ({ tax }: Pick<TypedLine, 'tax'>): number | undefined => {
  const typed = plainDigits(tax)
    .replaceAll(/[\s%٪]/g, '')
    .replace(',', '.')
  if (typed === '') return 0
  const percent = /^\d{1,3}(?:\.\d{1,2})?$/.test(typed) ? Number(typed) : 101
  return percent <= LINE.taxRatePercent.max ? percent : undefined
}

const mostDiscount = (quantity: number, unitMinor: number): number =>
  Math.min(quantity * unitMinor, LINE.discountMinor.max)

export type LineFault = 'description' | 'letters' | 'quantity' | 'amount' | 'discount' | 'tax'

/** What is wrong with a line, by its fields. */
export const faultsOf = (line: TypedLine): LineFault[] => {
  const quantity = quantityOf(line)
  const { unitMinor, discountMinor } = line
  const letters = line.description.trim().length
  const faults: [LineFault, boolean][] = [
    ['description', letters === 0],
    ['letters', letters > LINE.description.maxLength],
    ['quantity', quantity === undefined],
    ['amount', unitMinor === null || unitMinor < 0 || unitMinor > LINE.unitAmountMinor.max],
    ['discount', (discountMinor ?? 0) < 0 || (discountMinor ?? 0) > mostDiscount(quantity ?? 0, unitMinor ?? 0)],
    ['tax', taxOf(line) === undefined],
  ]
  return faults.filter(([, isFault]) => isFault).map(([fault]) => fault)
}

/** As far as it is typed: a field that cannot be counts as nothing, as does a discount above its line. */
const inputOf = (line: TypedLine): LineInput => {
  const quantity = quantityOf(line) ?? 0
  const unitAmountMinor = inRange(line.unitMinor, MAX_INVOICE_TOTAL_MINOR)
  const discountMinor = inRange(line.discountMinor, mostDiscount(quantity, unitAmountMinor))
  return { quantity, unitAmountMinor, discountMinor, taxRatePercent: taxOf(line) ?? 0 }
}

const inRange = (minor: number | null, most: number): number =>
  minor !== null && minor >= 0 && minor <= most ? minor : 0

/** What an invoice of these lines comes to. */
export const sumsOf = (lines: readonly TypedLine[]): Amounts =>
  invoiceTotals(lines.map((line) => plannedAmounts(inputOf(line))))

/** Whether an invoice may be of this much. */
export const isTooMuch = (lines: readonly TypedLine[]): boolean =>
  amountsProblem(lines.map(inputOf))?.reason === 'too_large'

export const bodyOf = (line: TypedLine): Schemas['NewInvoiceLine'] => {
  const { description, unitMinor, discountMinor, feeScheduleId, enrollmentId, courseEnrollmentId, siblingPlace } = line
  const tax = taxOf(line) ?? 0
  return {
    description: description.trim(),
    quantity: quantityOf(line) ?? 1,
    unitAmountMinor: unitMinor ?? 0,
    ...(discountMinor !== null && discountMinor > 0 && { discountMinor }),
    ...(tax > 0 && { taxRatePercent: tax }),
    ...(feeScheduleId !== undefined && { feeScheduleId }),
    ...(enrollmentId !== undefined && { enrollmentId }),
    ...(courseEnrollmentId !== undefined && { courseEnrollmentId }),
    ...(siblingPlace !== undefined && { siblingPlace }),
  }
}

/** A line that stands, as one would type it. */
export const typedOf = (line: Schemas['InvoiceLine']): TypedLine => ({
  key: line.id,
  description: line.description,
  quantity: String(line.quantity),
  unitMinor: line.unitAmount.amountMinor,
  discountMinor: line.discount.amountMinor || null,
  tax: line.taxRatePercent === 0 ? '' : String(line.taxRatePercent),
  ...(line.feeScheduleId !== null && { feeScheduleId: line.feeScheduleId }),
  ...(line.enrollmentId !== null && { enrollmentId: line.enrollmentId }),
  ...(line.courseEnrollmentId !== null && { courseEnrollmentId: line.courseEnrollmentId }),
  ...(line.siblingPlace !== null && { siblingPlace: line.siblingPlace }),
})

/** A line of what a student is to pay, as the server works it out. */
export const pricedLine = (
  key: string,
  price: Schemas['Price'],
  charge: NonNullable<Schemas['Price']['charge']>,
): TypedLine => ({
  ...emptyLine(key),
  description: charge.description,
  unitMinor: charge.charged.amountMinor,
  discountMinor: charge.discount.amountMinor || null,
  feeScheduleId: price.feeScheduleId,
  ...(price.enrollmentId !== null && { enrollmentId: price.enrollmentId }),
  ...(price.courseEnrollmentId !== null && { courseEnrollmentId: price.courseEnrollmentId }),
  ...(charge.siblingPlace !== null && { siblingPlace: charge.siblingPlace }),
})
