import type { Selectable } from 'kysely'
import { forKeyShare, forNoKeyUpdate } from '#db/dialect.ts'
import type { Currency } from '#kernel/values/money.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import { addDays } from '#kernel/time/zone.ts'
import { amountsProblem, invoiceTotal, withoutRoom, type PlannedInvoice } from '#modules/billing/index.ts'
import { courseGrantsOf } from '#modules/curriculum/index.ts'
import { dueDateOf, periodOf, type Period, type Term } from './period.ts'
import type { RunOutcome, SkipReason } from './schemas.ts'

type Schedule = Selectable<Tables['fee_schedule']>

/** What a run bills. */
export interface RunTask {
  /** null: a dry run. */
  id: string | null
  month: string
  feeScheduleIds: readonly string[]
  /** The branches whose students are billed; null: all. */
  branchIds: readonly string[] | null
}

/** What the institute's settings say on the day of the run. */
export interface RunRules {
  terms: readonly Term[]
  invoiceDueDays: number
  invoiceFooter: string | null
  today: string
}

/** The schedules of a run that still are active, recurring, and of a group or a course. */
export const runnableSchedules = async (whole: ScopedDb, ids: readonly string[]): Promise<Schedule[]> => {
  const asked = new Set(ids)
  const active = whole
    .selectFrom('fee_schedule')
    .selectAll()
    .where('is_active', '=', true)
    .where('recurrence', 'in', ['monthly', 'per_term'])
    .where('kind', 'in', ['per_group', 'per_course'])
    .where((eb) => eb.or([eb('group_id', 'is not', null), eb('course_id', 'is not', null)]))
    .orderBy('created_at')
    .orderBy('id')
  return (await active.execute()).filter(({ id }) => asked.has(id))
}

const lockSchedules = async (whole: ScopedDb, schedules: readonly Schedule[]): Promise<Schedule[]> => {
  const ids = schedules.map(({ id }) => id)
  if (ids.length === 0) return []
  const locked = await forKeyShare(
    whole,
    whole.selectFrom('fee_schedule').select('id').where('id', 'in', ids).orderBy('id'),
  ).execute()
  const found = new Set(locked.map(({ id }) => id))
  return schedules.filter(({ id }) => found.has(id))
}

/** Why a student is charged by a schedule, and how much. */
interface Claim {
  amountMinor: number
  currency: Currency
  enrollmentId?: string
  courseEnrollmentId?: string
}

type Claims = (studentId: string, schedule: Schedule) => Claim | undefined

/** Finds what the students attend now. Of several groups of one course, the first enrollment counts. */
const readClaims = async (
  whole: ScopedDb,
  studentIds: readonly string[],
  schedules: readonly Schedule[],
): Promise<Claims> => {
  const active = whole
    .selectFrom('enrollment')
    .selectAll()
    .where('student_id', 'in', studentIds)
    .where('status', '=', 'active')
  const enrollments = await forNoKeyUpdate(whole, active.orderBy('id')).execute()
  const groupIds = [...new Set(enrollments.map(({ group_id }) => group_id))]
  const groups =
    groupIds.length === 0
      ? []
      : await whole.selectFrom('group').select(['id', 'course_id']).where('id', 'in', groupIds).execute()
  const courseOf = new Map(groups.map(({ id, course_id }) => [id, course_id]))
  const courseIds = schedules.flatMap(({ kind, course_id }) => (kind === 'per_course' && course_id ? [course_id] : []))
  const grants = await courseGrantsOf(whole, courseIds, studentIds)
  const byStudent = Map.groupBy(
    enrollments.toSorted((one, other) => (one.enrolled_at < other.enrolled_at ? -1 : 1)),
    ({ student_id }) => student_id,
  )
  return (studentId, schedule) => {
    const charge = { amountMinor: schedule.amount_minor, currency: schedule.currency }
    if (schedule.kind === 'per_course') {
      const grant = grants.find((one) => one.studentId === studentId && one.courseId === schedule.course_id)
      return grant && { ...charge, courseEnrollmentId: grant.id }
    }
    const enrollment = byStudent
      .get(studentId)
      ?.find(({ group_id }) =>
        schedule.group_id === null ? courseOf.get(group_id) === schedule.course_id : group_id === schedule.group_id,
      )
    if (!enrollment) return undefined
    const own = { amountMinor: enrollment.price_minor, currency: enrollment.currency }
    return { ...(enrollment.price_overridden ? own : charge), enrollmentId: enrollment.id }
  }
}

/** Finds what was billed already: by runs, and by hand. */
export const readBilled = async (whole: ScopedDb, studentIds: readonly string[], scheduleIds: readonly string[]) => {
  const charges = await whole
    .selectFrom('fee_charge')
    .selectAll()
    .where('student_id', 'in', studentIds)
    .where('fee_schedule_id', 'in', scheduleIds)
    .execute()
  const lines = await whole
    .selectFrom('invoice')
    .innerJoin('invoice_line', 'invoice_line.invoice_id', 'invoice.id')
    .select(['invoice.id', 'invoice.student_id', 'invoice.issue_date', 'invoice_line.fee_schedule_id'])
    .where('invoice.student_id', 'in', studentIds)
    .where('invoice.status', '!=', 'void')
    .where('invoice_line.fee_schedule_id', 'in', scheduleIds)
    .execute()
  const key = (studentId: string, scheduleId: string | null) => `${studentId} ${scheduleId}`
  const chargesByKey = Map.groupBy(charges, (charge) => key(charge.student_id, charge.fee_schedule_id))
  const linesByKey = Map.groupBy(lines, (line) => key(line.student_id, line.fee_schedule_id))
  return {
    charge: (studentId: string, scheduleId: string, month: string, period: Period) =>
      chargesByKey
        .get(key(studentId, scheduleId))
        ?.find(
          (charge) =>
            charge.month === month ||
            (period.termStartsOn !== null && charge.term_starts_on === period.termStartsOn) ||
            (charge.month >= period.firstMonth && charge.month <= period.lastMonth),
        ),
    byHand: (studentId: string, scheduleId: string, { from, to }: Period): boolean => {
      const ofRuns = new Set(chargesByKey.get(key(studentId, scheduleId))?.map(({ invoice_id }) => invoice_id))
      const found = linesByKey.get(key(studentId, scheduleId)) ?? []
      return found.some(({ id, issue_date: date }) => !ofRuns.has(id) && date >= from && date <= to)
    },
  }
}

export interface PlannedCharge {
  studentId: string
  feeScheduleId: string
  termStartsOn: string | null
}

interface SlicePlan {
  invoices: (PlannedInvoice & { charges: PlannedCharge[] })[]
  skipped: RunOutcome['skipped']
  /** The invoices that this run made for these students before, when it was interrupted. */
  madeBefore: string[]
}

/**
 * Plans the invoices of some students. In a transaction, it locks the students first, and so waits for another run that
 * bills them, and for invoices that are made by hand.
 */
export const planSlice = async (
  whole: ScopedDb,
  task: RunTask,
  { studentIds, rules }: { studentIds: readonly string[]; rules: RunRules },
): Promise<SlicePlan> => {
  const asked = whole.selectFrom('student').select(['id', 'branch_id']).where('id', 'in', studentIds).orderBy('id')
  const students = (await forNoKeyUpdate(whole, asked).execute()).filter(
    ({ branch_id }) => task.branchIds === null || task.branchIds.includes(branch_id),
  )
  const plan: SlicePlan = { invoices: [], skipped: [], madeBefore: [] }
  const schedules = await lockSchedules(whole, await runnableSchedules(whole, task.feeScheduleIds))
  if (students.length === 0 || schedules.length === 0) return plan
  const ids = students.map(({ id }) => id)
  const claims = await readClaims(whole, ids, schedules)
  const billed = await readBilled(
    whole,
    ids,
    schedules.map(({ id }) => id),
  )
  const { month } = task
  for (const student of students) {
    const studentId = student.id
    const doneBefore = plan.madeBefore.length
    const charges: (PlannedCharge &
      Pick<PlannedInvoice, 'currency' | 'dueDate'> & { line: PlannedInvoice['lines'][number] })[] = []
    const skip = (feeScheduleId: string, reason: SkipReason): void =>
      void plan.skipped.push({ studentId, feeScheduleId, reason })
    for (const schedule of schedules) {
      const claim = claims(studentId, schedule)
      if (!claim) continue
      const period = periodOf(schedule.recurrence as 'monthly' | 'per_term', month, rules.terms)
      const earlier = period && billed.charge(studentId, schedule.id, month, period)
      if (!period) skip(schedule.id, 'no_term')
      else if (earlier?.billing_run_id === task.id && earlier?.month === month) plan.madeBefore.push(earlier.invoice_id)
      else if (earlier) skip(schedule.id, 'already_billed')
      else if (billed.byHand(studentId, schedule.id, period)) skip(schedule.id, 'invoiced_by_hand')
      else {
        const { due_day: dueDay } = schedule
        const line = {
          description: `${schedule.name}, ${period.label}`,
          quantity: 1,
          unitAmountMinor: claim.amountMinor,
          discountMinor: 0,
          taxRatePercent: 0,
          feeScheduleId: schedule.id,
          enrollmentId: claim.enrollmentId,
          courseEnrollmentId: claim.courseEnrollmentId,
        }
        charges.push({
          studentId,
          feeScheduleId: schedule.id,
          termStartsOn: period.termStartsOn,
          currency: claim.currency,
          line,
          dueDate: dueDay === null ? addDays(rules.today, rules.invoiceDueDays) : dueDateOf(month, dueDay, rules.today),
        })
      }
    }
    // This run made invoices for the student before it was interrupted. One transaction makes all of them, so none is
    // missing.
    if (plan.madeBefore.length > doneBefore) continue
    for (const [currency, ofInvoice] of Map.groupBy(charges, (charge) => charge.currency)) {
      const lines = ofInvoice.map(({ line }) => line)
      const [dueDate] = ofInvoice.map((charge) => charge.dueDate).toSorted() as [string]
      if (amountsProblem(lines)) for (const { feeScheduleId } of ofInvoice) skip(feeScheduleId, 'invoice_too_large')
      else plan.invoices.push({ studentId, branchId: student.branch_id, currency, dueDate, lines, charges: ofInvoice })
    }
  }
  const refused = await withoutRoom(whole, plan.invoices, ({ lines }) => invoiceTotal(lines))
  plan.invoices = plan.invoices.filter((invoice) => !refused.has(invoice))
  for (const { charges } of refused) {
    for (const { studentId, feeScheduleId } of charges) {
      plan.skipped.push({ studentId, feeScheduleId, reason: 'sums_full' })
    }
  }
  return plan
}
