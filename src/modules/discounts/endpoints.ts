import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { PersonErased } from '#modules/people/index.ts'
import { Discount, DiscountChanges, DiscountQuery, NewDiscount } from './schemas.ts'
import {
  changeDiscount,
  createDiscount,
  deleteDiscount,
  DiscountsAbovePrice,
  listDiscounts,
  readDiscount,
} from './service.ts'

export const discountEndpoints = [
  read({
    id: 'discounts.list',
    path: '/discounts',
    summary: 'List the discounts that stand, the latest first day first',
    description: 'Under a role for one branch, those of its students and of their guardians.',
    access: 'invoices.read',
    query: DiscountQuery,
    reply: pageOf(Discount),
    handle: listDiscounts,
  }),
  change({
    id: 'discounts.create',
    method: 'POST',
    path: '/discounts',
    summary: 'Give a student, or all for whom a guardian pays, a discount',
    description:
      'Billing runs, registrations and proposals for invoices take it off what is charged for groups and courses, not off registration fees and what is charged once. What counts is the first day that a line charges for: a discount that holds on it is taken off the whole line. ' +
      'Of a price, or of the part of it that is charged, first go percentages (that of siblings, then the others by their first days), each of the whole and rounded half up to the smallest unit; then amounts. A line never goes below 0: of the last one as much is taken as is left. ' +
      'Percentages of one holder that hold on a day for the same thing come to at most 100 together, or it is refused; those of a student and of the payer may come to more, and are cut. An amount comes off each line that it is for. What was invoiced before stays as it is.',
    access: 'invoices.write',
    body: NewDiscount,
    status: 201,
    reply: Discount,
    fails: [NotFound, PersonErased, DiscountsAbovePrice],
    handle: ({ tx, body }) => createDiscount(tx, body),
  }),
  read({
    id: 'discounts.read',
    path: '/discounts/{id}',
    summary: 'Read a discount',
    access: 'invoices.read',
    reply: Discount,
    handle: ({ db, params }) => readDiscount(db, params.id),
  }),
  change({
    id: 'discounts.update',
    method: 'PATCH',
    path: '/discounts/{id}',
    summary: 'End a discount, or call it something else',
    description:
      'How much it is, of what and since when stays: end it and add another. What was invoiced stays as it is.',
    access: 'invoices.write',
    body: DiscountChanges,
    reply: Discount,
    fails: [DiscountsAbovePrice],
    handle: ({ tx, params, body }) => changeDiscount(tx, params.id, body),
  }),
  change({
    id: 'discounts.delete',
    method: 'DELETE',
    path: '/discounts/{id}',
    summary: 'Remove a discount that should never have been',
    description: 'What was invoiced with it stays as it is, and says so. To end one, give it a last day.',
    access: 'invoices.write',
    reply: Ok,
    handle: ({ tx, params }) => deleteDiscount(tx, params.id),
  }),
]
