import { addDays } from '#kernel/time/zone.ts'
import { tagOf, type Locale } from '#shared/locale.ts'

/** A term of the settings. It lasts until the next one begins. */
export interface Term {
  name: string
  startsOn: string
}

/** The time for which a schedule charges a student once. */
export interface Period {
  /** null: the fee is monthly. */
  termName: string | null
  /** null: the fee is monthly. */
  termStartsOn: string | null
  /** The months, as YYYY-MM, of which a run charges this period; both inclusive. */
  firstMonth: string
  lastMonth: string
  /** Its days, both inclusive. */
  from: string
  to: string
}

/** The end of the last term: the last day of the last year that the API accepts. */
const END = '2200-12-31'

const firstDayAfter = (month: string): string => addDays(`${month}-28`, 4).slice(0, 8).concat('01')

/** The last day of a month. */
export const endOfMonth = (month: string): string => addDays(firstDayAfter(month), -1)

const monthly = (month: string): Period => ({
  termName: null,
  termStartsOn: null,
  firstMonth: month,
  lastMonth: month,
  from: `${month}-01`,
  to: endOfMonth(month),
})

/** The term of a month is the latest that has begun by its last day. undefined: none has. */
const termly = (month: string, terms: readonly Term[]): Period | undefined => {
  const ordered = terms.toSorted((one, other) => (one.startsOn < other.startsOn ? -1 : 1))
  const end = endOfMonth(month)
  const index = ordered.findLastIndex(({ startsOn }) => startsOn <= end)
  const term = ordered[index]
  if (!term) return undefined
  const next = ordered[index + 1]?.startsOn
  const to = next === undefined ? END : addDays(next, -1)
  const [firstMonth, monthOfNext] = [term.startsOn.slice(0, 7), next?.slice(0, 7)]
  // The month in which the next term begins is charged for that term.
  const lastMonth = monthOfNext === undefined ? END.slice(0, 7) : addDays(`${monthOfNext}-01`, -1).slice(0, 7)
  return { termName: term.name, termStartsOn: term.startsOn, firstMonth, lastMonth, from: term.startsOn, to }
}

export type Recurrence = 'monthly' | 'per_term'

/** The period that a run of that month charges. undefined: no term has begun. */
export const periodOf = (recurrence: Recurrence, month: string, terms: readonly Term[]): Period | undefined =>
  recurrence === 'monthly' ? monthly(month) : termly(month, terms)

/** As people say a month: November 2026. */
export const monthName = (month: string, locale: Locale): string =>
  new Intl.DateTimeFormat(tagOf(locale), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )

/** How a line of an invoice names what a run of that month charges. */
export const periodName = ({ termName }: Period, month: string, locale: Locale): string =>
  termName ?? monthName(month, locale)

/** The days that count for a run of that month: those of the month, of a term those up to the end of the month. */
export const daysOf = (period: Period | undefined, month: string): { from: string; to: string } => ({
  from: period?.from ?? `${month}-01`,
  to: endOfMonth(month),
})

/** Who left, and what ended, longer ago is of no interest to a run. */
const DAYS_LOOKED_BACK = 366

/** A run of that month looks at what had not ended before this day. */
export const lookedAtSince = (month: string, terms: readonly Term[]): string => {
  const [first, ofTerm] = [`${month}-01`, termly(month, terms)?.from]
  return addDays(ofTerm !== undefined && ofTerm < first ? ofTerm : first, -DAYS_LOOKED_BACK)
}

/** The day of the month, at the latest its last one, and never before today. */
export const dueDateOf = (month: string, dueDay: number, today: string): string => {
  const day = `${month}-${String(dueDay).padStart(2, '0')}`
  const end = endOfMonth(month)
  const due = day > end ? end : day
  return due < today ? today : due
}
