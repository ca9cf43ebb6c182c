import { forKeyShare, forNoKeyUpdate } from '#db/dialect.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays } from '#kernel/time/zone.ts'
import { money } from '#kernel/values/money.ts'
import { amountsProblem, invoiceTotal, withoutRoom, type PlannedInvoice } from '#modules/billing/index.ts'
import type { Row } from '#runtime/records/records.ts'
import type { Charge } from './billed.ts'
import { chargedBy } from './charged-by.ts'
import { readDoubts, type AboutToCharge, type BilledLine } from './doubts.ts'
import { dueDateOf } from './period.ts'
import { readPricing, type Pricing } from './pricing.ts'
import type { RunRules } from './rules.ts'
import type { RunOutcome, SkipReason } from './schemas.ts'
import { readFamilies } from './siblings.ts'

type Schedule = Row<'fee_schedule'>

/** What a run bills. */
export interface RunTask {
  /** null: a dry run. */
  id: string | null
  month: string
  feeScheduleIds: readonly string[]
  /** The branches whose students are billed; null: all. */
  branchIds: readonly string[] | null
  /** What is billed though it may be billed already: somebody looked. */
  billAnyway: readonly BilledAnyway[]
}

interface BilledAnyway {
  studentId: string
  feeScheduleId: string
}

/** The schedules that runs charge. */
export const runnableSchedules = async (whole: ScopedDb): Promise<Schedule[]> => {
  const active = whole.selectFrom('fee_schedule').selectAll().where('is_active', '=', true)
  const rows = await active.orderBy('created_at').orderBy('id').execute()
  return rows.filter((row) => chargedBy(row) === 'run')
}

/** Those of a run. */
export const schedulesOf = (runnable: readonly Schedule[], { feeScheduleIds }: RunTask): Schedule[] => {
  const asked = new Set(feeScheduleIds)
  return runnable.filter(({ id }) => asked.has(id))
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
  /** The schedules that have to do with one of them. */
  concerning: Set<string>
  /** The invoices that this run made for these students before, when it was interrupted. */
  madeBefore: string[]
}

type ChargedLine = PlannedCharge &
  Pick<PlannedInvoice, 'branchId' | 'currency' | 'dueDate'> & {
    line: PlannedInvoice['lines'][number]
    about: AboutToCharge
  }

/** What a schedule charges a student for, or why it does not; undefined: they have nothing to do with each other. */
type Judge = (studentId: string, schedule: Schedule) => ChargedLine | SkipReason | undefined

const judgeOf =
  (task: RunTask, rules: RunRules, { priceOf, billed }: Pricing): Judge =>
  (studentId, schedule) => {
    const { month } = task
    const priced = priceOf(studentId, schedule)
    if (!priced || (task.branchIds !== null && !task.branchIds.includes(priced.branchId))) return undefined
    if ('reason' in priced) return priced.reason
    const { period, amountMinor, discountMinor, currency, branchId, description, siblingPlace } = priced
    if (billed.charge(studentId, schedule.id, month, period)) return 'already_billed'
    if (billed.byHand(studentId, schedule.id, period)) return 'invoiced_by_hand'
    if (discountMinor === amountMinor) return 'no_price'
    const { enrollmentId, courseEnrollmentId } = priced
    const { due_day: dueDay } = schedule
    return {
      studentId,
      feeScheduleId: schedule.id,
      termStartsOn: period.termStartsOn,
      former: billed.former(studentId, schedule.id, month, period),
      branchId,
      currency,
      line: {
        description,
        quantity: 1,
        unitAmountMinor: amountMinor,
        discountMinor,
        taxRatePercent: 0,
        feeScheduleId: schedule.id,
        enrollmentId,
        courseEnrollmentId,
        siblingPlace,
      },
      about: {
        feeName: schedule.name,
        groupId: priced.groupId,
        courseEnrollmentId,
        beginsOn: priced.beginsOn,
        amounts: [priced.fullMinor, amountMinor, amountMinor - discountMinor],
        currency,
        period,
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
  const families = await readFamilies(whole, { studentIds })
  // Siblings are looked at too, and nobody else bills them meanwhile: two at once would take the same place.
  const haveRule = rules.siblingDiscounts.length > 0
  const siblingIds = haveRule ? [...families.childrenOf.values()].flat() : []
  const lookedAt = [...new Set([...studentIds, ...siblingIds])]
  const asked = whole.selectFrom('student').select(['id', 'branch_id']).where('id', 'in', lookedAt).orderBy('id')
  const students = await forNoKeyUpdate(whole, asked).execute()
  const plan: SlicePlan = { invoices: [], skipped: [], concerning: new Set(), madeBefore: [] }
  const runnable = await runnableSchedules(whole)
  const schedules = await lockSchedules(whole, schedulesOf(runnable, task))
  const ofSlice = new Set(studentIds)
  const ids = students.map(({ id }) => id).filter((id) => ofSlice.has(id))
  if (ids.length === 0 || schedules.length === 0) return plan
  const pricing = await readPricing(whole, {
    students,
    families,
    schedules: haveRule ? runnable : schedules,
    month: task.month,
    rules,
    isCharged: true,
  })
  const { billed } = pricing
  const scheduleIds = schedules.map(({ id }) => id)
  const judge = judgeOf(task, rules, pricing)
  const doubts = await readDoubts(whole, ids, task.month)
  const lookedAtBySomebody = new Set(task.billAnyway.map((one) => `${one.studentId} ${one.feeScheduleId}`))
  for (const studentId of ids) {
    // This run made invoices for the student before it was interrupted. One transaction makes all of them, so none is
    // missing.
    const before = scheduleIds.flatMap((id) => billed.ofRun(studentId, id, task.id)?.invoice_id ?? [])
    plan.madeBefore.push(...before)
    const charged: ChargedLine[] = []
    for (const schedule of schedules) {
      const isBilled = billed.ofRun(studentId, schedule.id, task.id) !== undefined
      const judged = isBilled ? undefined : judge(studentId, schedule)
      if (isBilled || judged !== undefined) plan.concerning.add(schedule.id)
      if (typeof judged === 'string') {
        plan.skipped.push({ studentId, feeScheduleId: schedule.id, reason: judged, mayBe: null })
      } else if (judged) charged.push(judged)
    }
    const verdicts = doubts.of(
      studentId,
      charged.map(({ about }) => about),
    )
    const wanted = charged.filter(({ feeScheduleId }, at) => {
      const verdict = verdicts[at]
      if (!verdict || (!verdict.isSure && lookedAtBySomebody.has(`${studentId} ${feeScheduleId}`))) return true
      const reason = verdict.isSure ? ('invoiced_by_hand' as const) : ('may_be_billed' as const)
      plan.skipped.push({ studentId, feeScheduleId, reason, mayBe: verdict.isSure ? null : shownLine(verdict.line) })
      return false
    })
    if (before.length === 0) addInvoices(plan, wanted)
  }
  const refused = await withoutRoom(whole, plan.invoices, ({ lines }) => invoiceTotal(lines))
  plan.invoices = plan.invoices.filter((invoice) => !refused.has(invoice))
  for (const { charges } of refused) skipAll(plan, charges, 'sums_full')
  return plan
}

const skipAll = (plan: SlicePlan, charges: readonly PlannedCharge[], reason: SkipReason): void => {
  plan.skipped.push(
    ...charges.map(({ studentId, feeScheduleId }) => ({ studentId, feeScheduleId, reason, mayBe: null })),
  )
}

const shownLine = ({ amountMinor, currency, ...line }: BilledLine) => {
  const { invoiceId, invoiceNumber, description } = line
  return { invoiceId, invoiceNumber, description, amount: money(amountMinor, currency) }
}

const addInvoices = (plan: SlicePlan, charged: readonly ChargedLine[]): void => {
  for (const invoice of invoicesOf(charged)) {
    if (amountsProblem(invoice.lines)) skipAll(plan, invoice.charges, 'invoice_too_large')
    else plan.invoices.push(invoice)
  }
}
