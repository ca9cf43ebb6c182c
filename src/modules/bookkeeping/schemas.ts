import * as v from 'valibot'
import { explained } from '#kernel/values/named.ts'
import { currency, date } from '#kernel/values/schema.ts'

const words = {
  from: 'The first day, in the institute’s time zone.',
  to: 'The last day. At most 366 days in all.',
  currency: 'Papers in this currency; that of the institute when it is left out.',
}

export const JournalQuery = explained(v.object({ from: date, to: date, currency: v.optional(currency) }), words)
export const PeriodQuery = explained(v.object({ from: date, to: date }), { from: words.from, to: words.to })
