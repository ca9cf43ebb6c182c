import * as v from 'valibot'
import { explained } from '#kernel/named.ts'
import { locale } from '#kernel/schema.ts'
import { PAPER_SIZES } from '#ports/papers/port.ts'

const fields = {
  locale: v.optional(locale),
  copy: v.optional(v.boolean()),
  size: v.optional(v.picklist(PAPER_SIZES), 'a4'),
}

const words = {
  locale: 'The language of the paper; where it is left out, that of the payer, else the institute’s.',
  copy: 'true: marked as a copy.',
  size: '`a4`, the usual size, or `80mm`: the roll of a receipt printer.',
}

export const CopyQuery = explained(v.object({ locale: fields.locale, copy: fields.copy }), words)
export type CopyQuery = v.InferOutput<typeof CopyQuery>

export const ReceiptPaperQuery = explained(v.object(fields), words)
export type ReceiptPaperQuery = v.InferOutput<typeof ReceiptPaperQuery>
