import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { count, id, list, Money, orNull } from '#kernel/values/schema.ts'
import { month, SKIP_REASONS } from './schemas.ts'
import { FEE_PRICES } from './tables.ts'

const words = {
  month: 'The month, as YYYY-MM.',
  feeName: 'The name of the fee schedule.',
  enrollmentId: 'The place in a group that it charges for; null: none.',
  courseEnrollmentId: 'The course to learn on one’s own that it charges for; null: none, or it is not charged.',
  groupId: 'The group of that place; null: there is none.',
  groupName: 'Its name; null: there is none.',
  courseId: 'The course to learn on one’s own; null: there is none.',
  courseName: 'Its name; null: there is none.',
  state: '`due`: a run would charge it now. Else why not, as POST /billing/runs says it.',
  charge: 'What it comes to, also where it was charged already; null: it is not charged.',
  priceOf: 'Whose price it is: that of the fee schedule, or what was agreed with the student.',
  full: 'The price of the whole month or term.',
  part: 'The part that is charged; null: all of it.',
  of: 'Of what it is a part.',
  count: 'How many of them are charged.',
  all: 'How many there are.',
  charged: 'What that part costs, before discounts.',
  discounts: 'What is taken off, in the order in which it is.',
  discountId: 'The discount that stands; null: it is that of siblings.',
  kind: 'What it is: a percentage, an amount, or the percentage of the setting siblingDiscounts.',
  label: 'What it is called; null: it is that of siblings.',
  percent: 'How much of what is charged; null: it is an amount.',
  off: 'What it comes to.',
  discount: 'What is taken off in all.',
  total: 'What is left.',
  siblingPlace: 'As which child of the payer the student is charged; null: it does not matter.',
  description: 'What the line of the invoice says, in the language of whoever pays.',
}

export const Price = named(
  'Price',
  v.object({
    feeScheduleId: id,
    feeName: v.string(),
    enrollmentId: orNull(id),
    courseEnrollmentId: orNull(id),
    groupId: orNull(id),
    groupName: orNull(v.string()),
    courseId: orNull(id),
    courseName: orNull(v.string()),
    state: v.picklist(['due', ...SKIP_REASONS]),
    charge: orNull(
      named(
        'PriceCharge',
        v.object({
          priceOf: v.picklist(FEE_PRICES),
          full: Money,
          part: orNull(named('PricePart', v.object({ of: v.picklist(['lessons', 'days']), count, all: count }), words)),
          charged: Money,
          discounts: list(
            named(
              'PriceDiscount',
              v.object({
                discountId: orNull(id),
                kind: v.picklist(['percent', 'amount', 'siblings']),
                label: orNull(v.string()),
                percent: orNull(v.number()),
                off: Money,
              }),
              words,
            ),
          ),
          discount: Money,
          total: Money,
          siblingPlace: orNull(count),
          description: v.string(),
        }),
        words,
      ),
    ),
  }),
  words,
)
export type Price = v.InferOutput<typeof Price>

export const Prices = named('Prices', v.object({ studentId: id, month: v.string(), prices: list(Price) }), {
  ...words,
  prices: 'One for each fee schedule that runs look at for the student, the oldest first.',
})
export type Prices = v.InferOutput<typeof Prices>

export const PriceQuery = explained(v.object({ month: v.optional(month) }), {
  month: 'The month, as YYYY-MM; the current one, in the institute’s zone, where it is left out.',
})
