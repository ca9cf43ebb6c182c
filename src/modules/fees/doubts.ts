import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays } from '#kernel/time/zone.ts'
import { fold } from '#shared/text.ts'
import { monthsNamed } from './months-named.ts'
import { endOfMonth, type Period } from './period.ts'

/**
 * What else may be the month that a run is about to charge: a line of no fee, written by hand or when the student was
 * registered, and what a fee charged that is not in use any more. Where a line is of the same group, month and price it is
 * that month; where it only looks like it, a person is asked.
 */

/** A line that may be what a run is about to charge. */
export interface BilledLine {
  invoiceId: string
  invoiceNumber: string
  description: string
  amountMinor: number
  currency: Currency
}

/** What a run is about to charge, as far as other lines are compared with it. */
export interface AboutToCharge {
  feeName: string
  groupId: string | null
  courseEnrollmentId?: string | undefined
  /** The first day on which the student belongs to what is charged. */
  beginsOn: string
  /** What it may have been billed as: all of it, the part that is charged, and that less discounts. */
  amounts: readonly number[]
  currency: Currency
  period: Period
}

interface Line extends BilledLine {
  issueDate: string
  /** Whether it is of a fee, which is not in use any more; else it was written by hand, or at a registration. */
  isOfFee: boolean
  /** The group that it is for; null: it says none. */
  groupId: string | null
  courseEnrollmentId: string | null
}

interface Names {
  group: string
  course: string
}

/** A line of a month is looked for this long before it: who is registered in spring begins in autumn. */
const DAYS_BEFORE = 366
/** A month that is named without its year is the one nearest to the day of the invoice. */
const HALF_A_YEAR = 183
/** A shorter name stands in every other text. */
const SHORTEST_NAME = 3

const readLines = async (whole: ScopedDb, studentIds: readonly string[], month: string) => {
  const rows = await whole
    .selectFrom('invoice')
    .innerJoin('invoice_line', 'invoice_line.invoice_id', 'invoice.id')
    .leftJoin('fee_schedule', 'fee_schedule.id', 'invoice_line.fee_schedule_id')
    .leftJoin('enrollment', 'enrollment.id', 'invoice_line.enrollment_id')
    .select(['invoice.id', 'invoice.number', 'invoice.student_id', 'invoice.issue_date', 'invoice.currency'])
    .select(['invoice_line.description', 'invoice_line.total_minor', 'invoice_line.tax_minor'])
    .select(['invoice_line.fee_schedule_id', 'invoice_line.course_enrollment_id', 'enrollment.group_id'])
    .where('invoice.student_id', 'in', studentIds)
    .where('invoice.status', '!=', 'void')
    .where('invoice.issue_date', '>=', addDays(`${month}-01`, -DAYS_BEFORE))
    .where('invoice.issue_date', '<=', addDays(endOfMonth(month), HALF_A_YEAR))
    .where((eb) =>
      eb.or([
        eb('invoice_line.fee_schedule_id', 'is', null),
        eb.and([eb('fee_schedule.is_active', '=', false), eb('fee_schedule.recurrence', '!=', 'once')]),
      ]),
    )
    .orderBy('invoice.number')
    .orderBy('invoice_line.position')
    .execute()
  return Map.groupBy(
    rows.map((row) => ({
      studentId: row.student_id,
      line: {
        invoiceId: row.id,
        invoiceNumber: row.number,
        description: row.description,
        amountMinor: row.total_minor - row.tax_minor,
        currency: row.currency,
        issueDate: row.issue_date,
        isOfFee: row.fee_schedule_id !== null,
        groupId: row.group_id,
        courseEnrollmentId: row.course_enrollment_id,
      } satisfies Line,
    })),
    ({ studentId }) => studentId,
  )
}

/** The names of a student’s groups and of their courses, by the group. */
type OfGroups = ReadonlyMap<string, Names>

const readNames = async (whole: ScopedDb, studentIds: readonly string[]): Promise<(studentId: string) => OfGroups> => {
  const rows = await whole
    .selectFrom('enrollment')
    .innerJoin('group', 'group.id', 'enrollment.group_id')
    .innerJoin('course', 'course.id', 'group.course_id')
    .select(['enrollment.student_id', 'group.id', 'group.name as group', 'course.name as course'])
    .distinct()
    .where('enrollment.student_id', 'in', studentIds)
    .execute()
  const ofStudents = Map.groupBy(rows, (row) => row.student_id)
  return (studentId) =>
    new Map(
      (ofStudents.get(studentId) ?? []).map(({ id, group, course }) => [
        id,
        { group: fold(group), course: fold(course) },
      ]),
    )
}

const isBound = (line: Line, charge: AboutToCharge): boolean =>
  (line.groupId !== null && line.groupId === charge.groupId) ||
  (line.courseEnrollmentId !== null && line.courseEnrollmentId === charge.courseEnrollmentId)

const isFree = ({ groupId, courseEnrollmentId, isOfFee }: Line): boolean =>
  groupId === null && courseEnrollmentId === null && !isOfFee

/** Whether a line that names months, or has its day alone, is of the period. */
const isOfTime = (line: Line, { period, beginsOn }: AboutToCharge, month: string): boolean => {
  const named = period.termName === null ? monthsNamed(line.description) : []
  if (named.length > 0) {
    const isNear =
      line.issueDate >= addDays(`${month}-15`, -HALF_A_YEAR) && line.issueDate <= addDays(`${month}-15`, HALF_A_YEAR)
    return named.includes(month) || (isNear && named.includes(month.slice('YYYY-'.length)))
  }
  // Who is registered before they begin is billed for the time in which they do.
  const isEarly = !isFree(line) && line.issueDate < beginsOn
  const day = isEarly ? beginsOn : line.issueDate
  return day >= period.from && day <= period.to
}

/** What a line says of a charge: it is the same, or it may be. */
interface Verdict {
  isSure: boolean
  line: BilledLine
}

interface Doubts {
  /** @returns what of these charges of one student is billed by another line, or may be, in their order */
  of: (studentId: string, charges: readonly AboutToCharge[]) => (Verdict | undefined)[]
}

/** Of these charges, those that the line has the amount of; where it is of none, all. */
const byAmount = (line: Line, charges: readonly AboutToCharge[]): readonly AboutToCharge[] => {
  const same = charges.filter((charge) => hasAmount(line, charge))
  return same.length > 0 ? same : charges
}

const hasAmount = ({ amountMinor, currency }: Line, charge: AboutToCharge): boolean =>
  currency === charge.currency && charge.amounts.includes(amountMinor)

/** Which of the charges a line may be that says no group: one that it names, else one of its amount or any of its month. */
const meantBy = (line: Line, charges: readonly AboutToCharge[], names: OfGroups) => {
  const said = fold(line.description)
  const isSaid = (name: string): boolean => name.length >= SHORTEST_NAME && said.includes(name)
  const ofCharge = ({ groupId, feeName }: AboutToCharge): boolean => {
    const { group = '', course = '' } = names.get(groupId ?? '') ?? {}
    return isSaid(group) || isSaid(course) || isSaid(fold(feeName))
  }
  const named = charges.filter(ofCharge)
  if (named.length > 0) return byAmount(line, named)
  // It is for another group of the student.
  if ([...names.values()].some(({ group, course }) => isSaid(group) || isSaid(course))) return []
  const same = charges.filter((charge) => hasAmount(line, charge))
  return same.length > 0 || monthsNamed(line.description).length === 0 ? same : charges
}

/** Reads the other lines of these students that may be what a run charges for the month. */
export const readDoubts = async (whole: ScopedDb, studentIds: readonly string[], month: string): Promise<Doubts> => {
  const linesOf = studentIds.length === 0 ? new Map<string, never[]>() : await readLines(whole, studentIds, month)
  const namesOf = linesOf.size === 0 ? undefined : await readNames(whole, [...linesOf.keys()])
  return {
    of: (studentId, charges) => {
      const verdicts = new Map<AboutToCharge, Verdict>()
      const lines = linesOf.get(studentId) ?? []
      const names: OfGroups = lines.length === 0 || !namesOf ? new Map() : namesOf(studentId)
      for (const { line } of lines) {
        const inTime = charges.filter((charge) => isOfTime(line, charge, month))
        const bound = inTime.filter((charge) => isBound(line, charge))
        const meant = isFree(line) ? meantBy(line, inTime, names) : byAmount(line, bound)
        for (const charge of meant) {
          const isSure = !isFree(line) && !line.isOfFee && hasAmount(line, charge)
          const before = verdicts.get(charge)
          if (before === undefined || (isSure && !before.isSure)) verdicts.set(charge, { isSure, line })
        }
      }
      return charges.map((charge) => verdicts.get(charge))
    },
  }
}
