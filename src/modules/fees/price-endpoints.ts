import { read } from '#kernel/contract/endpoint.ts'
import { Merged, orMerged } from '#modules/people/index.ts'
import { PriceQuery, Prices } from './price-schemas.ts'
import { pricesOfEnrollment, pricesOfStudent } from './prices.ts'

const HOW =
  'The price is that of the fee schedule or what was agreed; of it the part that is charged, rounded half up; of that percentages, that of siblings first; and then amounts. An invoice that is written by hand takes its lines from here: the description, `charged` as the unit amount, `discount`, and the ids.'

export const priceEndpoints = [
  read({
    id: 'prices.of-student',
    path: '/students/{id}/prices',
    summary: 'Read what a student pays for a month, and why',
    description: HOW,
    access: 'invoices.read',
    query: PriceQuery,
    reply: Prices,
    fails: [Merged],
    handle: (context) => orMerged(context, pricesOfStudent),
  }),
  read({
    id: 'prices.of-enrollment',
    path: '/enrollments/{id}/price',
    summary: 'Read what is paid for a place in a group for a month, and why',
    description: `${HOW} A student in several groups of a course is charged for one of them by a fee schedule of the course; for the others there is no price.`,
    access: 'invoices.read',
    query: PriceQuery,
    reply: Prices,
    handle: pricesOfEnrollment,
  }),
]
