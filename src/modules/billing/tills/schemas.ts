import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  currency,
  emptyable,
  id,
  integer,
  list,
  Money,
  orNull,
  pageQuery,
  prose,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { MAX_INVOICE_TOTAL_MINOR } from '#shared/amounts.ts'
import { PAYMENT_METHODS } from '../tables.ts'

const method = v.picklist(PAYMENT_METHODS)

const lineWords = {
  method: 'By which way it was taken.',
  entries: 'How many payments, reversals and refunds it is of.',
  expected: 'What was taken less what was given back; negative: more was given back.',
}

/** Negative: more were given back than were taken. */
const papers = integer(-1_000_000, 1_000_000)

const chequeWords = {
  count: 'How many cheques of later days were taken, less those that were given back.',
  total: 'What they come to. It is in no sum of the lines.',
}

export const OpenTill = named(
  'OpenTill',
  v.object({
    since: orNull(ts),
    lastClosedAt: orNull(ts),
    entries: count,
    lines: list(named('OpenTillLine', v.object({ method, expected: Money, entries: count }), lineWords)),
    held: list(named('ChequesInTill', v.object({ count: papers, total: Money }), chequeWords)),
  }),
  {
    since: 'When the first of it was recorded; null: nothing lies in the till.',
    lastClosedAt: 'When the caller closed the till last; null: never.',
    entries: 'How many payments, reversals, refunds and cheques that are held lie in it.',
    lines: 'What lies in it, by method and currency.',
    held: 'The cheques that are held until a later day, by currency: papers beside the sums.',
  },
)
export type OpenTill = v.InferOutput<typeof OpenTill>

const Counted = named(
  'CountedMethod',
  v.object({
    method,
    currency: v.optional(currency),
    amountMinor: integer(-MAX_INVOICE_TOTAL_MINOR, MAX_INVOICE_TOTAL_MINOR),
  }),
  {
    method: lineWords.method,
    currency: 'Default: the institute’s.',
    amountMinor: 'What was counted, in the smallest unit of the currency.',
  },
)

export const CloseTill = named(
  'CloseTill',
  v.object({
    counted: v.pipe(list(Counted), v.maxLength(50, 'Must have at most 50 sums.')),
    countedCheques: v.optional(
      v.pipe(
        list(
          named('CountedCheques', v.object({ currency: v.optional(currency), count: integer(-10_000, 10_000) }), {
            currency: 'Default: the institute’s.',
            count: 'How many were counted.',
          }),
        ),
        v.maxLength(10, 'Must have at most 10 counts.'),
      ),
    ),
    note: v.optional(v.nullable(emptyable(300))),
    entries: v.optional(integer(1)),
  }),
  {
    counted: 'What was counted of each method and currency of which something lies in the till.',
    countedCheques:
      'How many cheques that are held were counted, by currency; where one is left out, nobody counted them.',
    note: 'What whoever looks at the close should know.',
    entries: 'How many entries GET /tills/today told of. Where there are others by now it is 409.',
  },
)
export type CloseTill = v.InferOutput<typeof CloseTill>

export const TillClose = named(
  'TillClose',
  v.object({
    id,
    userId: id,
    userName: v.string(),
    branchId: orNull(id),
    since: ts,
    closedAt: ts,
    hasDifference: v.boolean(),
    lines: list(
      named('TillCloseLine', v.object({ method, expected: Money, counted: Money, difference: Money, entries: count }), {
        ...lineWords,
        counted: 'What was counted.',
        difference: 'What was counted more than expected; negative: less.',
      }),
    ),
    held: list(
      named('ChequesOfClose', v.object({ count: papers, total: Money, counted: orNull(papers) }), {
        ...chequeWords,
        counted: 'How many were counted; null: nobody said.',
      }),
    ),
    note: orNull(prose(300)),
  }),
  {
    userId: 'The account whose till it is.',
    userName: 'The name of that person, as it was then.',
    branchId: 'The branch of all that was taken; null: of several.',
    since: 'When the first of what it counts was recorded.',
    closedAt: 'When it was closed.',
    hasDifference: 'Whether something else was counted than expected.',
    lines: 'What was expected and counted, by method and currency.',
    held: 'The cheques that were held until a later day, by currency.',
    note: 'What was said about it; null: nothing.',
  },
)
export type TillClose = v.InferOutput<typeof TillClose>

export const TillCloseQuery = explained(pageQuery({ userId: v.optional(uuid) }), {
  userId: 'Only closes of this account.',
})
export type TillCloseQuery = v.InferOutput<typeof TillCloseQuery>

export const TillEntry = named(
  'TillEntry',
  v.object({
    id,
    kind: v.picklist(['received', 'reversed', 'refunded', 'held', 'given_back']),
    method,
    amount: Money,
    number: orNull(v.string()),
    payerName: orNull(v.string()),
    receiptId: orNull(id),
    createdAt: ts,
  }),
  {
    kind: '`received`, `reversed` where a payment was taken back, `refunded` where credit was paid out, `held` where a cheque of a later day was taken, `given_back` where it was given back before that day.',
    method: lineWords.method,
    amount: 'What came in; negative: what was given back.',
    number: 'The number of its receipt or refund; null: it has none.',
    payerName: 'Whose money it is, as that paper says; null: it names no payer.',
    receiptId: 'Its receipt; null: it is a refund.',
  },
)
export type TillEntry = v.InferOutput<typeof TillEntry>

export const TillEntryQuery = explained(pageQuery({ closeId: v.optional(uuid) }), {
  closeId: 'Those that this close counted; where it is left out, those that lie in the caller’s till now.',
})
export type TillEntryQuery = v.InferOutput<typeof TillEntryQuery>
