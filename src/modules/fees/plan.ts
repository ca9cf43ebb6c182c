import { forKeyShare, forNoKeyUpdate } from '#db/dialect.ts'
import type { Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays } from '#kernel/time/zone.ts'
import {
  amountsProblem,
  invoiceTotal,
  readPayerLocales,
  withoutRoom,
  type PlannedInvoice,
} from '#modules/billing/index.ts'
import { partWords } from './part.ts'
import type { Row } from '#runtime/records/records.ts'
import { readBilled, type Charge } from './billed.ts'
import { readClaims, type Claims } from './claims.ts'
import { daysOf, dueDateOf, lookedAtSince, periodName, periodOf, type Recurrence, type Term } from './period.ts'
import type { RunOutcome, SkipReason } from './schemas.ts'

type Schedule = Row<'fee_schedule'>
type Billed = Awaited<ReturnType<typeof readBilled>>

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
  timezone: string
  /** In which invoices are written of students without a payer of record. */
  locale: Locale
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

/** A charge that a run is to store, with what it takes the place of. */
export interface PlannedCharge {
  studentId: string
  feeScheduleId: string
  termStartsOn: string | null
  former: readonly Charge[]
}

interface SlicePlan {
  invoices: (PlannedInvoice & { charges: PlannedCharge[] })[]
  skipped: RunOutcome['skipped']
  /** The invoices that this run made for these students before, when it was interrupted. */
  madeBefore: string[]
}

type ChargedLine = PlannedCharge &
  Pick<PlannedInvoice, 'branchId' | 'currency' | 'dueDate'> & { line: PlannedInvoice['lines'][number] }

/** What a schedule charges a student for, or why it does not; undefined: they have nothing to do with each other. */
type Judge = (studentId: string, schedule: Schedule) => ChargedLine | SkipReason | undefined

interface Known {
  claims: Claims
  billed: Billed
  /** By the ids of students; who has no payer of record is missing. */
  locales: ReadonlyMap<string, Locale>
}

const judgeOf =
  (task: RunTask, rules: RunRules, { claims, billed, locales }: Known): Judge =>
  (studentId, schedule) => {
    const { month } = task
    const period = periodOf(schedule.recurrence as Recurrence, month, rules.terms)
    const claim = claims(studentId, schedule, daysOf(period, month))
    if (!claim || (task.branchIds !== null && !task.branchIds.includes(claim.branchId))) return undefined
    if ('reason' in claim) return claim.reason
    if (!period) return 'no_term'
    if (billed.charge(studentId, schedule.id, month, period)) return 'already_billed'
    if (billed.byHand(studentId, schedule.id, period)) return 'invoiced_by_hand'
    const { amountMinor, currency, branchId, enrollmentId, courseEnrollmentId } = claim
    const { due_day: dueDay } = schedule
    const locale = locales.get(studentId) ?? rules.locale
    return {
      studentId,
      feeScheduleId: schedule.id,
      termStartsOn: period.termStartsOn,
      former: billed.former(studentId, schedule.id, month, period),
      branchId,
      currency,
      line: {
        description: `${schedule.name}, ${periodName(period, month, locale)}${partWords(claim.part, locale)}`,
        quantity: 1,
        unitAmountMinor: amountMinor,
        discountMinor: 0,
        taxRatePercent: 0,
        feeScheduleId: schedule.id,
        enrollmentId,
        courseEnrollmentId,
      },
      dueDate: dueDay === null ? addDays(rules.today, rules.invoiceDueDays) : dueDateOf(month, dueDay, rules.today),
    }
  }

/** One invoice for each branch and currency. */
const invoicesOf = (charged: readonly ChargedLine[]): SlicePlan['invoices'] =>
  [...Map.groupBy(charged, ({ branchId, currency }) => `${branchId} ${currency}`).values()].map((charges) => {
    const [{ studentId, branchId, currency }] = charges as [ChargedLine]
    const [dueDate] = charges.map((charge) => charge.dueDate).toSorted() as [string]
    return { studentId, branchId, currency, dueDate, lines: charges.map(({ line }) => line), charges }
  })

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
  const students = await forNoKeyUpdate(whole, asked).execute()
  const plan: SlicePlan = { invoices: [], skipped: [], madeBefore: [] }
  const schedules = await lockSchedules(whole, await runnableSchedules(whole, task.feeScheduleIds))
  if (students.length === 0 || schedules.length === 0) return plan
  const ids = students.map(({ id }) => id)
  const { timezone, today, terms } = rules
  const lookedAtFrom = lookedAtSince(task.month, terms)
  const claims = await readClaims(whole, {
    students,
    schedules,
    timezone,
    today,
    month: daysOf(undefined, task.month),
    lookedAtFrom,
  })
  const scheduleIds = schedules.map(({ id }) => id)
  const billed = await readBilled(whole, ids, scheduleIds)
  const judge = judgeOf(task, rules, { claims, billed, locales: await readPayerLocales(whole, ids) })
  for (const studentId of ids) {
    // This run made invoices for the student before it was interrupted. One transaction makes all of them, so none is
    // missing.
    const before = scheduleIds.flatMap((id) => billed.ofRun(studentId, id, task.id)?.invoice_id ?? [])
    plan.madeBefore.push(...before)
    const charged: ChargedLine[] = []
    for (const schedule of schedules) {
      if (billed.ofRun(studentId, schedule.id, task.id)) continue
      const judged = judge(studentId, schedule)
      if (typeof judged === 'string') {
        plan.skipped.push({ studentId, feeScheduleId: schedule.id, reason: judged })
      } else if (judged) charged.push(judged)
    }
    if (before.length === 0) addInvoices(plan, charged)
  }
  const refused = await withoutRoom(whole, plan.invoices, ({ lines }) => invoiceTotal(lines))
  plan.invoices = plan.invoices.filter((invoice) => !refused.has(invoice))
  for (const { charges } of refused) skipAll(plan, charges, 'sums_full')
  return plan
}

const skipAll = (plan: SlicePlan, charges: readonly PlannedCharge[], reason: SkipReason): void => {
  plan.skipped.push(...charges.map(({ studentId, feeScheduleId }) => ({ studentId, feeScheduleId, reason })))
}

const addInvoices = (plan: SlicePlan, charged: readonly ChargedLine[]): void => {
  for (const invoice of invoicesOf(charged)) {
    if (amountsProblem(invoice.lines)) skipAll(plan, invoice.charges, 'invoice_too_large')
    else plan.invoices.push(invoice)
  }
}
