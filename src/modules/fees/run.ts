import type { ExpressionBuilder } from 'kysely'
import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import type { Begin, RequestInfo } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { declareJob } from '#kernel/contract/job.ts'
import type { JobContext } from '#kernel/contract/module.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { startOfLocalDay } from '#kernel/time/zone.ts'
import { createDrafts, previewInvoice, toInvoice } from '#modules/billing/index.ts'
import { courseGrantsOf } from '#modules/curriculum/index.ts'
import { fullName } from '#modules/people/index.ts'
import { findTenant, lockCurrency } from '#modules/tenants/index.ts'
import { checkReached, type Row } from '#runtime/records/records.ts'
import { REPEATED_SECONDS, requestHashOf } from '#runtime/change/request-hash.ts'
import { lookedAtSince } from './period.ts'
import { planSlice, runnableSchedules, schedulesOf, type RunTask } from './plan.ts'
import { rulesOf, type RunRules } from './rules.ts'
import type { BillingRun, NewBillingRun, RunOutcome } from './schemas.ts'
import { unchargedBy } from './uncharged.ts'

/** Students per transaction: it takes some milliseconds, so that other changes hardly wait. */
const SLICE = 8
/** Students whose names are read by one query. */
const NAMES_AT_ONCE = 1000
/** Groups whose students are looked up in one transaction. */
const GROUPS_AT_ONCE = 10
/** After this time a job continues the run, in case its process has died. If it has not, both may work at once. */
const GO_ON_SECONDS = 10
/** After how many students a long run logs its progress. */
const TELL_EVERY = 500

export const goOnJob = declareJob(
  'fees.billing-run',
  v.object({ tenantId: v.pipe(v.string(), v.uuid()), runId: v.pipe(v.string(), v.uuid()) }),
)

interface RunContext {
  begin: Begin
  tenant: TenantInfo
  log: Logger
}

/** A run that is stored, so that another process can go on with it. */
interface StoredRun extends RunTask {
  id: string
}

const inTenant = <T>({ begin, tenant }: RunContext, work: (tx: Tx) => Promise<T>): Promise<T> =>
  begin((system) => work(system.inTenant(tenant)))

const parts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

/** The students whom the run may have to bill, in the order of their ids. */
const findStudents = async (place: RunContext, task: RunTask): Promise<string[]> => {
  const { month, branchIds } = task
  const { groupIds, granted, since } = await inTenant(place, async (tx) => {
    const { whole } = tx
    const { terms, timezone } = await rulesOf(tx)
    const schedules = schedulesOf(await runnableSchedules(whole), task)
    const ofGroups = schedules.filter(({ kind }) => kind === 'per_group')
    const groups = ofGroups.flatMap(({ group_id }) => group_id ?? [])
    const courses = ofGroups.flatMap(({ group_id, course_id }) => (group_id === null && course_id ? [course_id] : []))
    const ofCourses =
      courses.length === 0
        ? []
        : await whole.selectFrom('group').select('id').where('course_id', 'in', courses).execute()
    const grantedCourses = schedules.flatMap(({ kind, course_id }) =>
      kind === 'per_course' && course_id ? [course_id] : [],
    )
    return {
      groupIds: [...new Set([...groups, ...ofCourses.map(({ id }) => id)])],
      granted: await courseGrantsOf(whole, grantedCourses),
      since: startOfLocalDay(lookedAtSince(month, terms), timezone),
    }
  })
  const found = new Set(granted.map(({ studentId }) => studentId))
  for (const some of parts(groupIds, GROUPS_AT_ONCE)) {
    const rows = await inTenant(place, ({ whole }) => {
      const enrolled = whole
        .selectFrom('enrollment')
        .innerJoin('student', 'student.id', 'enrollment.student_id')
        .innerJoin('group', 'group.id', 'enrollment.group_id')
        .select('enrollment.student_id')
        .distinct()
        .where('enrollment.group_id', 'in', some)
        .where((eb) => eb.or([eb('enrollment.ended_at', 'is', null), eb('enrollment.ended_at', '>=', since)]))
      if (branchIds === null) return enrolled.execute()
      const ofBranch = (eb: ExpressionBuilder<Tables, 'enrollment' | 'student' | 'group'>) => {
        const isActive = eb('enrollment.status', '=', 'active')
        return eb.or([
          eb.and([isActive, eb('student.branch_id', 'in', branchIds)]),
          eb.and([eb.not(isActive), eb('group.branch_id', 'in', branchIds)]),
        ])
      }
      return enrolled.where(ofBranch).execute()
    })
    for (const { student_id } of rows) found.add(student_id)
  }
  return [...found].toSorted()
}

const previewSlice = async (tx: Tx, task: RunTask, studentIds: readonly string[]): Promise<RunOutcome> => {
  const rules = await rulesOf(tx)
  const { invoices, skipped, concerning } = await planSlice(tx.whole, task, { studentIds, rules })
  return { skipped, concerning, invoices: invoices.map((invoice) => previewInvoice(invoice, rules)) }
}

const readInvoices = async (
  whole: ScopedDb,
  ids: readonly string[],
  { invoiceFooter }: RunRules,
): Promise<RunOutcome['invoices']> => {
  if (ids.length === 0) return []
  const some = [...new Set(ids)]
  const rows = await whole.selectFrom('invoice').selectAll().where('id', 'in', some).execute()
  return rows.map((row) => toInvoice({ ...row, footer_now: invoiceFooter }))
}

/**
 * Bills some students: their drafts, and the rows that keep others from billing them again, in one transaction. If two
 * runs meet, the unique keys of fee_charge let only one of them bill.
 */
const billSlice = async (tx: Tx, run: StoredRun, studentIds: readonly string[]): Promise<RunOutcome> => {
  await lockCurrency(tx)
  const rules = await rulesOf(tx)
  const plan = await planSlice(tx.whole, run, { studentIds, rules })
  const { invoices: planned, skipped, concerning, madeBefore } = plan
  const drafts = await createDrafts(tx, planned, rules)
  const charges = planned.flatMap(({ charges: ofInvoice }, index) =>
    ofInvoice.map(({ studentId, feeScheduleId, termStartsOn }) => ({
      student_id: studentId,
      fee_schedule_id: feeScheduleId,
      month: run.month,
      term_starts_on: termStartsOn,
      billing_run_id: run.id,
      invoice_id: drafts[index]?.id as string,
    })),
  )
  const former = planned.flatMap((invoice) => invoice.charges.flatMap((charge) => charge.former))
  for (const { student_id, fee_schedule_id, month } of former) {
    await tx.whole
      .deleteFrom('fee_charge')
      .where('student_id', '=', student_id)
      .where('fee_schedule_id', '=', fee_schedule_id)
      .where('month', '=', month)
      .execute()
  }
  if (charges.length > 0) await tx.whole.insertInto('fee_charge').values(charges).execute()
  return { skipped, concerning, invoices: [...(await readInvoices(tx.whole, madeBefore, rules)), ...drafts] }
}

/** Stores how far the run is. A second process that works on the same run never sets it back. */
const storeProgress = async (
  { whole, now }: Tx,
  runId: string,
  { done, lastStudentId, skipped }: { done: number; lastStudentId: string; skipped: RunOutcome['skipped'] },
): Promise<void> => {
  const asked = whole.selectFrom('billing_run').select(['students_done', 'skipped']).where('id', '=', runId)
  const run = await forNoKeyUpdate(whole, asked).executeTakeFirst()
  if (!run || run.students_done >= done) return
  const counts = { ...run.skipped }
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1
  await whole
    .updateTable('billing_run')
    .set({ students_done: done, last_student_id: lastStudentId, skipped: counts, updated_at: now })
    .where('id', '=', runId)
    .execute()
}

const finish = (place: RunContext, runId: string): Promise<unknown> =>
  inTenant(place, ({ whole, now }) =>
    whole
      .updateTable('billing_run')
      .set({ finished_at: now, updated_at: now })
      .where('id', '=', runId)
      .where('finished_at', 'is', null)
      .execute(),
  )

const nothingYet = (): RunOutcome => ({ skipped: [], invoices: [], concerning: new Set() })

const addTo = (outcome: RunOutcome, { skipped, invoices, concerning }: RunOutcome): void => {
  outcome.skipped.push(...skipped)
  outcome.invoices.push(...invoices)
  for (const id of concerning) outcome.concerning.add(id)
}

/** Bills all students of the run, a slice at a time. Students who are billed already stay as they are. */
const billAll = async (
  place: RunContext,
  run: StoredRun,
  { students, done = 0 }: { students: readonly string[]; done?: number },
): Promise<RunOutcome> => {
  const outcome = nothingYet()
  const of = done + students.length
  let billed = done
  for (const slice of parts(students, SLICE)) {
    const before = billed
    billed += slice.length
    const ofSlice = await inTenant(place, async (tx) => {
      const made = await billSlice(tx, run, slice)
      await storeProgress(tx, run.id, { done: billed, lastStudentId: slice.at(-1) as string, skipped: made.skipped })
      return made
    })
    addTo(outcome, ofSlice)
    if (Math.floor(before / TELL_EVERY) < Math.floor(billed / TELL_EVERY)) {
      place.log.info({ billingRun: run.id, students: billed, of }, 'a billing run goes on')
    }
  }
  await finish(place, run.id)
  place.log.info({ billingRun: run.id, students: billed, of }, 'a billing run is done')
  return outcome
}

const storedRun = (row: Row<'billing_run'>): StoredRun => ({
  id: row.id,
  month: row.month,
  feeScheduleIds: row.fee_schedule_ids,
  branchIds: row.branch_ids,
  billAnyway: row.bill_anyway ?? [],
})

/** Goes on with a run whose process died. */
export const goOn =
  (log: Logger) =>
  async ({ payload, db, change }: JobContext<{ tenantId: string; runId: string }>): Promise<void> => {
    const tenant = await findTenant(db, payload.tenantId)
    if (!tenant || tenant.status === 'archived') return
    const place = { begin: change, tenant, log }
    const row = await inTenant(place, ({ whole }) =>
      whole.selectFrom('billing_run').selectAll().where('id', '=', payload.runId).executeTakeFirst(),
    )
    if (!row || row.finished_at !== null) return
    const run = storedRun(row)
    const last = row.last_student_id
    const students = (await findStudents(place, run)).filter((studentId) => last === null || studentId > last)
    await billAll(place, run, { students, done: row.students_done })
  }

/** Stores a new run, and the job that goes on with it; or returns the run that a repeated request began. */
const beginRun = (
  place: RunContext,
  task: RunTask,
  { requestHash, students }: { requestHash: string | null; students: number },
) =>
  inTenant(place, async (tx): Promise<StoredRun> => {
    if (requestHash !== null) {
      const earlier = await tx.whole
        .selectFrom('billing_run')
        .selectAll()
        .where('request_hash', '=', requestHash)
        .where('created_at', '>', plusSeconds(tx.now, -REPEATED_SECONDS))
        .executeTakeFirst()
      if (earlier) return storedRun(earlier)
    }
    const id = tx.id()
    await tx.whole
      .insertInto('billing_run')
      .values({
        id,
        month: task.month,
        fee_schedule_ids: [...task.feeScheduleIds],
        branch_ids: task.branchIds && [...task.branchIds],
        bill_anyway: [...task.billAnyway],
        request_hash: requestHash,
        students,
        last_student_id: null,
        finished_at: null,
        skipped: {},
        created_at: tx.now,
        updated_at: tx.now,
      })
      .execute()
    const runAt = plusSeconds(tx.now, GO_ON_SECONDS)
    tx.enqueue(goOnJob, { tenantId: tx.tenant.id, runId: id }, { runAt })
    return { ...task, id }
  })

interface Asked {
  body: NewBillingRun
  caller: Caller
  tenant: TenantInfo
  request: RequestInfo
  db: ScopedDb
  whole: ScopedDb
  begin: Begin
}

/** @throws NotFound for the branch or a fee schedule */
const taskOf = async ({ body, caller, db, whole }: Asked): Promise<RunTask> => {
  const { month, branchId, feeScheduleIds, billAnyway } = body
  if (branchId !== undefined) await checkReached(db, 'branch', branchId)
  const asked = feeScheduleIds && new Set(feeScheduleIds)
  let schedules = whole.selectFrom('fee_schedule').select('id')
  if (asked) schedules = schedules.where('id', 'in', [...asked])
  const ids = (await schedules.execute()).map(({ id }) => id)
  if (asked && ids.length !== asked.size) throw NotFound()
  const reach = caller.grants.reach('invoices.write') ?? { branchIds: [] }
  const reached = reach === 'all' ? null : reach.branchIds
  return { id: null, month, feeScheduleIds: ids, branchIds: branchId === undefined ? reached : [branchId], billAnyway }
}

/** Adds the names of the students, as they are now. */
const withNames = async (
  whole: ScopedDb,
  { skipped, invoices }: RunOutcome,
): Promise<Pick<BillingRun, 'skipped' | 'invoices'>> => {
  const names = new Map<string, string>()
  const ids = [...new Set([...invoices, ...skipped].map(({ studentId }) => studentId))]
  for (const some of parts(ids, NAMES_AT_ONCE)) {
    const students = whole.selectFrom('student').select(['id', 'first_name', 'last_name']).where('id', 'in', some)
    for (const row of await students.execute()) names.set(row.id, fullName(row))
  }
  const named = <T extends { studentId: string }>(one: T) => ({ ...one, studentName: names.get(one.studentId) ?? '' })
  return { skipped: skipped.map(named), invoices: invoices.map(named) }
}

const byNumber = (one: { number: string | null }, other: { number: string | null }): number =>
  String(one.number) < String(other.number) ? -1 : 1

/**
 * Bills a month, in transactions of its own, or says what it would bill.
 * @throws NotFound for the branch or a fee schedule
 */
export const runBilling = async (asked: Asked, log: Logger): Promise<BillingRun> => {
  const { body, begin, tenant, caller, request, db, whole } = asked
  const place = { begin, tenant, log }
  const task = await taskOf(asked)
  const { month, dryRun } = body
  const students = await findStudents(place, task)
  const unchargedOf = async ({ concerning }: RunOutcome) => {
    const { terms } = await inTenant(place, rulesOf)
    return unchargedBy(db, { ...task, terms, concerning, isNamed: body.feeScheduleIds !== undefined })
  }
  if (dryRun) {
    const outcome = nothingYet()
    for (const slice of parts(students, SLICE)) {
      addTo(outcome, await inTenant(place, (tx) => previewSlice(tx, task, slice)))
    }
    const named = await withNames(whole, outcome)
    return { id: null, month, dryRun, created: named.invoices.length, ...named, uncharged: await unchargedOf(outcome) }
  }
  const run = await beginRun(place, task, {
    requestHash: requestHashOf(caller, request, body),
    students: students.length,
  })
  const outcome = await billAll(place, run, { students })
  const { skipped, invoices } = await withNames(whole, outcome)
  const uncharged = await unchargedOf(outcome)
  const made = { created: invoices.length, skipped, uncharged, invoices: invoices.toSorted(byNumber) }
  return { id: run.id, month, dryRun, ...made }
}
