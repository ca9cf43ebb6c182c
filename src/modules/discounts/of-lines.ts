import { partInHundredths } from '#kernel/values/percent.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Locale } from '#shared/locale.ts'

/** What is charged: a line, before anything is taken off. */
interface ChargedFor {
  studentId: string | null
  /** The payer of record; null: there is none. */
  payerId: string | null
  groupId: string | null
  courseId: string | null
  currency: Currency
  /** The first day that it charges for: what holds on it counts. */
  day: string
}

/** What may be taken off a line. */
export interface Deduction {
  /** null: it is that of siblings. */
  id: string | null
  kind: 'percent' | 'amount' | 'siblings'
  /** null: it is called by what it is. */
  label: string | null
  /** In hundredths of a percent; null: it is an amount. */
  hundredths: number | null
  /** 0: it is a percentage. */
  amountMinor: number
}

/** What is taken off. */
export interface Taken extends Deduction {
  offMinor: number
}

type DeductionsOf = (line: ChargedFor) => Deduction[]

const isId = (id: string | null): id is string => id !== null

/** Reads the discounts of students and of who pays for them, in the order of their first days. */
export const readDeductions = async (
  whole: ScopedDb,
  { studentIds, payerIds }: { studentIds: readonly string[]; payerIds: readonly string[] },
): Promise<DeductionsOf> => {
  if (studentIds.length + payerIds.length === 0) return () => []
  const rows = await whole
    .selectFrom('discount')
    .selectAll()
    .where((eb) =>
      eb.or([
        ...(studentIds.length > 0 ? [eb('student_id', 'in', studentIds)] : []),
        ...(payerIds.length > 0 ? [eb('guardian_id', 'in', payerIds)] : []),
      ]),
    )
    .orderBy('valid_from')
    .orderBy('id')
    .execute()
  const byHolder = Map.groupBy(rows, ({ student_id, guardian_id }) => student_id ?? guardian_id)
  return ({ studentId, payerId, groupId, courseId, currency, day }) =>
    [studentId, payerId]
      .filter(isId)
      .flatMap((holder) => byHolder.get(holder) ?? [])
      .filter(
        (row) =>
          row.valid_from <= day &&
          (row.valid_to === null || day <= row.valid_to) &&
          (row.currency === null || row.currency === currency) &&
          (row.course_id === null || row.course_id === courseId) &&
          (row.group_id === null || row.group_id === groupId),
      )
      .toSorted((one, other) => (`${one.valid_from} ${one.id}` < `${other.valid_from} ${other.id}` ? -1 : 1))
      .map(({ id, kind, label, value }) => ({
        id,
        kind,
        label,
        hundredths: kind === 'percent' ? value : null,
        amountMinor: kind === 'amount' ? value : 0,
      }))
}

/**
 * Takes percentages off first, each of the whole price and rounded half up, and then amounts. Of the last one as much as
 * is left of the price, and nothing of those behind it.
 */
export const takeOff = (priceMinor: number, deductions: readonly Deduction[]): Taken[] => {
  const percentages = deductions.filter(({ hundredths }) => hundredths !== null)
  const amounts = deductions.filter(({ hundredths }) => hundredths === null)
  const taken: Taken[] = []
  let left = priceMinor
  for (const one of [...percentages, ...amounts]) {
    const { hundredths, amountMinor } = one
    const offMinor = Math.min(left, hundredths === null ? amountMinor : partInHundredths(priceMinor, hundredths))
    left -= offMinor
    if (offMinor > 0) taken.push({ ...one, offMinor })
  }
  return taken
}

export const sumOf = (taken: readonly Taken[]): number => taken.reduce((sum, { offMinor }) => sum + offMinor, 0)

const SIBLINGS: Record<Locale, string> = { en: 'Siblings’ discount', ar: 'خصم الإخوة', he: 'הנחת אחים' }

const wordsOf = ({ label, hundredths }: Taken, locale: Locale): string => {
  const name = label === null ? SIBLINGS[locale] : label
  // Who writes the percentage into the label has said it.
  return hundredths === null || name.includes('%') ? name : `${name} ${hundredths / 100}%`
}

const LONGEST = 300

/** How a line says what it is for, and why it costs less. */
export const withDiscounts = (description: string, taken: readonly Taken[], locale: Locale): string => {
  const said = [description, ...taken.map((one) => wordsOf(one, locale))].join(' · ')
  return said.length > LONGEST ? `${said.slice(0, LONGEST - 1)}…` : said
}
