import { addDays, lastOfMonth } from '../../../shared/dates.ts'
import { type Format } from '../../words/format.ts'

export type DueChoice = 'any' | 'past' | 'week' | 'month' | 'range'

/** The first and the last day; '': open at that end. */
export interface Span {
  from: string
  to: string
}

/** The days that are chosen by a word. */
export const spansOf = (today: string): Readonly<Record<'past' | 'week' | 'month', Span>> => ({
  past: { from: '', to: addDays(today, -1) },
  week: { from: today, to: addDays(today, 7) },
  month: { from: `${today.slice(0, 8)}01`, to: lastOfMonth(today) },
})

/** The word for a span of days. */
export const choiceOf = ({ from, to }: Span, format: Pick<Format, 'today'>): DueChoice => {
  if (from === '' && to === '') return 'any'
  const spans = Object.entries(spansOf(format.today())) as ['past' | 'week' | 'month', Span][]
  return spans.find(([, span]) => span.from === from && span.to === to)?.[0] ?? 'range'
}
