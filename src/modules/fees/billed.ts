import type { Selectable } from 'kysely'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Period } from './period.ts'

export type Charge = Selectable<Tables['fee_charge']>

const key = (studentId: string, scheduleId: string | null): string => `${studentId} ${scheduleId}`

const linesOf = (whole: ScopedDb, studentIds: readonly string[], scheduleIds: readonly string[]) =>
  whole
    .selectFrom('invoice')
    .innerJoin('invoice_line', 'invoice_line.invoice_id', 'invoice.id')
    .select(['invoice.id', 'invoice.student_id', 'invoice.issue_date', 'invoice_line.fee_schedule_id'])
    .select('invoice_line.sibling_place')
    .where('invoice.student_id', 'in', studentIds)
    .where('invoice.status', '!=', 'void')
    .where('invoice_line.fee_schedule_id', 'in', scheduleIds)
    .execute()

/**
 * Finds what was billed already: by runs, and by hand. What a run charged counts while its invoice is not void and still
 * has the line.
 */
export const readBilled = async (whole: ScopedDb, studentIds: readonly string[], scheduleIds: readonly string[]) => {
  // An empty list is no condition that Postgres takes.
  const isNothing = studentIds.length === 0 || scheduleIds.length === 0
  const charges = await (isNothing
    ? []
    : whole
        .selectFrom('fee_charge')
        .selectAll()
        .where('student_id', 'in', studentIds)
        .where('fee_schedule_id', 'in', scheduleIds)
        .execute())
  const lines = await (isNothing ? [] : linesOf(whole, studentIds, scheduleIds))
  const chargesByKey = Map.groupBy(charges, (charge) => key(charge.student_id, charge.fee_schedule_id))
  const linesByKey = Map.groupBy(lines, (line) => key(line.student_id, line.fee_schedule_id))
  const chargesOf = (studentId: string, scheduleId: string): Charge[] =>
    chargesByKey.get(key(studentId, scheduleId)) ?? []
  const counts = (charge: Charge): boolean =>
    (linesByKey.get(key(charge.student_id, charge.fee_schedule_id)) ?? []).some(({ id }) => id === charge.invoice_id)
  const byHand = (studentId: string, scheduleId: string, { from, to }: Period) => {
    const ofRuns = new Set(chargesOf(studentId, scheduleId).map(({ invoice_id: id }) => id))
    const found = linesByKey.get(key(studentId, scheduleId)) ?? []
    return found.filter(({ id, issue_date: date }) => !ofRuns.has(id) && date >= from && date <= to)
  }
  const isOf = (charge: Charge, month: string, period: Period): boolean =>
    charge.month === month ||
    (period.termStartsOn !== null && charge.term_starts_on === period.termStartsOn) ||
    (charge.month >= period.firstMonth && charge.month <= period.lastMonth)
  return {
    /** What a run charged for this time, and counts. */
    charge: (studentId: string, scheduleId: string, month: string, period: Period): Charge | undefined =>
      chargesOf(studentId, scheduleId).find((charge) => isOf(charge, month, period) && counts(charge)),
    /** What this run charged before it was interrupted, whatever became of it since. */
    ofRun: (studentId: string, scheduleId: string, runId: string | null): Charge | undefined =>
      chargesOf(studentId, scheduleId).find(({ billing_run_id: id }) => id === runId),
    /** What a run charged for this time, and counts no more. */
    former: (studentId: string, scheduleId: string, month: string, period: Period): Charge[] =>
      chargesOf(studentId, scheduleId).filter((charge) => isOf(charge, month, period) && !counts(charge)),
    byHand: (studentId: string, scheduleId: string, period: Period): boolean =>
      byHand(studentId, scheduleId, period).length > 0,
    /** As which child of its payer the student was billed for this time, by whatever counts; none: was not billed. */
    places: (studentId: string, scheduleId: string, month: string, period: Period): (number | null)[] => {
      const ofTime = chargesOf(studentId, scheduleId).filter((charge) => isOf(charge, month, period))
      const invoiceIds = new Set(ofTime.map(({ invoice_id: id }) => id))
      const ofRuns = (linesByKey.get(key(studentId, scheduleId)) ?? []).filter(({ id }) => invoiceIds.has(id))
      return [...ofRuns, ...byHand(studentId, scheduleId, period)].map(({ sibling_place: place }) => place)
    },
  }
}
