import * as v from 'valibot'
import { explained } from '#kernel/values/named.ts'
import { locale as localeField, uuid } from '#kernel/values/schema.ts'
import { gridQuery } from '#modules/attendance/index.ts'
import { AccountStatementQuery, StatementQuery } from '#modules/billing/index.ts'
import { PAPER_SIZES } from '#ports/papers/port.ts'

const locale = v.optional(localeField)
const copy = v.optional(v.boolean())
const size = v.optional(v.picklist(PAPER_SIZES), 'a4')

const words = {
  locale: 'The language of the paper; where it is left out, that of the payer of record, else the institute’s.',
  copy: 'true: marked as a copy. The original of a receipt is not taken by it.',
  size: '`a4`, the usual size, or `80mm`: the roll of a receipt printer.',
}

export const LocaleQuery = explained(v.object({ locale }), words)
export type LocaleQuery = v.InferOutput<typeof LocaleQuery>

export const InvoicePaperQuery = explained(v.object({ locale, copy, replaced: v.optional(uuid) }), {
  ...words,
  replaced:
    'The paper as it was before the invoice was moved to another payer, by the id that `replaced` of the invoice has.',
})
export type InvoicePaperQuery = v.InferOutput<typeof InvoicePaperQuery>

export const ReceiptPaperQuery = explained(v.object({ locale, copy, size }), words)
export type ReceiptPaperQuery = v.InferOutput<typeof ReceiptPaperQuery>

export const MoneyPaperQuery = explained(v.object({ locale, copy }), {
  ...words,
  copy: 'true: marked as a copy. The original is not taken by it.',
})
export type MoneyPaperQuery = v.InferOutput<typeof MoneyPaperQuery>

export const AccountPaperQuery = explained(v.object({ ...AccountStatementQuery.entries, locale }), {
  ...words,
  locale: 'The language of the paper; where it is left out, that of whom it is for, else the institute’s.',
  currency: 'Default: the institute’s.',
  scope:
    '`own`, the usual one: what this person pays; `family`: all children of the family and all who pay, on one paper.',
  from: 'The first day of the entries, in the institute’s timezone.',
  to: 'Their last day.',
})

export const StatementPaperQuery = explained(v.object({ ...StatementQuery.entries, locale }), {
  ...words,
  from: 'The first day of the entries, in the institute’s timezone.',
  to: 'Their last day.',
  currency: 'The currency of the invoices; the institute’s where it is left out.',
})

export const GroupPaperQuery = explained(v.object({ locale }), {
  locale: 'The language of the paper; the institute’s where it is left out.',
})
export type GroupPaperQuery = v.InferOutput<typeof GroupPaperQuery>

export const TillPaperQuery = explained(v.object({ locale }), {
  locale: 'The language of the paper; the institute’s where it is left out.',
})
export type TillPaperQuery = v.InferOutput<typeof TillPaperQuery>

export const RosterPaperQuery = explained(v.object({ ...gridQuery.entries, locale }), {
  ...words,
  locale: 'The language of the paper; the institute’s where it is left out.',
  sessions: 'How many of the last held sessions it shows; 12 where it is left out.',
})
