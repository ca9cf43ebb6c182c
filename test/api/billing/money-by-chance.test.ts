import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { effectiveFeatures } from '#kernel/rights/features.ts'
import { newId } from '#kernel/basics/ids.ts'
import { CURRENCIES } from '#kernel/values/money.ts'
import { Grants, SYSTEM_ROLES } from '#kernel/rights/permissions.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { createInvoice } from '#modules/billing/drafts.ts'
import { issueInvoice, voidInvoice } from '#modules/billing/lifecycle.ts'
import { recordPayment, reversePayment } from '#modules/billing/payments.ts'
import { readStatement } from '#modules/billing/statement.ts'
import { createBranch } from '#modules/branches/index.ts'
import { readDashboard } from '#modules/dashboard/figures.ts'
import { readFamily } from '#modules/families/summary.ts'
import { insertTenant } from '#modules/tenants/index.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { readHandle } from '#runtime/records/handles.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { volume } from '#kit/volume.ts'

/**
 * Statements, family summaries and the dashboard, compared with sums that are made here from the rows of invoices and
 * payments, for institutes of random history.
 */

let app: TestApp

beforeAll(async () => {
  app = await startApp({ chance: true })
})
afterAll(() => app.close())

/** The sums are the same code on both engines; what may differ, SQL and types, shows in fewer. */
const INSTITUTES = engine === 'postgres' ? volume(30, 300) : volume(200, 2000)
const STUDENTS = 3
const DAYS = ['2026-02-27T08:00:00.000Z', '2026-02-28T22:30:00.000Z', '2026-03-02T08:00:00.000Z'] as const
const TODAY = '2026-03-02'

const day = fc.constantFrom('2026-01-15', '2026-02-20', '2026-02-28', '2026-03-01', '2026-03-10')

/** One act; `nth` picks the invoice or the payment that it is about. */
const act = fc.oneof(
  fc.record({
    kind: fc.constant('invoice' as const),
    student: fc.nat(STUDENTS - 1),
    amount: fc.nat(500),
    currency: fc.constantFrom('ILS' as const, 'ILS' as const, 'USD' as const),
    issueDate: day,
    dueDate: day,
    isIssued: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('pay' as const),
    nth: fc.nat(5),
    share: fc.integer({ min: 1, max: 4 }),
    ago: fc.nat(40),
  }),
  fc.record({ kind: fc.constant('reverse' as const), nth: fc.nat(3) }),
  fc.record({ kind: fc.constant('void' as const), nth: fc.nat(5) }),
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const history = fc.record({
  days: fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: DAYS.length, maxLength: DAYS.length }),
  payerOf: fc.array(fc.boolean(), { minLength: STUDENTS, maxLength: STUDENTS }),
  statuses: fc.array(fc.constantFrom('lead' as const, 'active' as const, 'withdrawn' as const), {
    minLength: STUDENTS,
    maxLength: STUDENTS,
  }),
  marks: fc.array(fc.constantFrom('present' as const, 'absent' as const, 'late' as const, 'excused' as const), {
    maxLength: 5,
  }),
  from: fc.option(day, { nil: undefined }),
  to: fc.option(day, { nil: undefined }),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

const newTenant = (): TenantInfo => {
  const id = newId()
  return {
    id,
    slug: `chance-${id}`,
    name: 'Chance',
    status: 'active',
    lockedAt: null,
    lockedReason: null,
    deploymentMode: 'self_hosted',
    defaultLocale: 'en',
    timezone: 'Asia/Jerusalem',
    currency: 'ILS',
    features: effectiveFeatures({}),
    quotas: {},
    writesEndAt: null,
  }
}

const change = <T>(tenant: TenantInfo, work: (tx: Tx) => Promise<T>): Promise<T> =>
  runInTransaction(app.app.runtime, systemAuditContext('test'), (unit) => work(unit.tenant(tenant, 'all')))

/** An institute with a family of three, a group that all attend, and a few marked sessions of today. */
const makeFamily = async (tenant: TenantInfo, { payerOf, statuses, marks }: History) => {
  await runInTransaction(app.app.runtime, systemAuditContext('test'), (unit) =>
    insertTenant(unit.system(), tenant, { createdBy: null as never, baseUrl: undefined }),
  )
  return change(tenant, async (tx) => {
    const { whole, now: created_at } = tx
    const made = { created_at, updated_at: created_at }
    const branchId = (await createBranch(tx, { name: 'Main', isDefault: true })).id
    const [guardianId, categoryId, courseId, groupId] = [tx.id(), tx.id(), tx.id(), tx.id()]
    const studentIds = statuses.map(() => tx.id())
    const nothing = { email: null, national_id: null, address: null, user_id: null }
    await whole
      .insertInto('student')
      .values(
        studentIds.map((id, index) => ({
          ...made,
          ...nothing,
          id,
          branch_id: branchId,
          student_number: `S-00000${index + 1}`,
          first_name: 'Dana',
          last_name: 'Levi',
          status: statuses[index] as 'lead',
          phone: null,
          birth_date: null,
          gender: null,
          tags: [],
          notes: null,
          search_text: 'dana levi',
        })),
      )
      .execute()
    const named = { first_name: 'Ruth', last_name: 'Levi', phone: '+972500000000', preferred_locale: 'he' as const }
    await whole
      .insertInto('guardian')
      .values({ ...made, ...nothing, ...named, id: guardianId, unlinked_branch_id: null, search_text: 'ruth levi' })
      .execute()
    await whole
      .insertInto('guardian_link')
      .values(
        studentIds.map((student_id, index) => ({
          id: tx.id(),
          student_id,
          guardian_id: guardianId,
          relationship: 'mother' as const,
          is_primary: false,
          is_payer: payerOf[index] as boolean,
          created_at,
        })),
      )
      .execute()
    const category = { parent_id: null, name: 'Languages', slug: 'l', slug_key: 'l', sort_order: 0, is_active: true }
    await whole
      .insertInto('course_category')
      .values({ ...made, ...category, id: categoryId })
      .execute()
    const unknown = { code: null, description: null, level: null, color: null, language: null }
    await whole
      .insertInto('course')
      .values({
        ...made,
        ...unknown,
        id: courseId,
        category_id: categoryId,
        name: 'English',
        default_fee_minor: null,
        currency: 'ILS',
        default_capacity: null,
        is_active: true,
        is_public: false,
        delivery_mode: 'group',
        search_text: 'english',
      })
      .execute()
    await whole
      .insertInto('group')
      .values({
        ...made,
        id: groupId,
        course_id: courseId,
        branch_id: branchId,
        name: 'English A',
        teacher_staff_id: null,
        room: null,
        capacity: null,
        fee_minor: null,
        currency: 'ILS',
        status: 'active',
        starts_on: null,
        ends_on: null,
        search_text: 'english a',
      })
      .execute()
    for (const [index, status] of marks.entries()) {
      const sessionId = tx.id()
      await whole
        .insertInto('session')
        .values({
          ...made,
          id: sessionId,
          group_id: groupId,
          scheduled_start: `2026-03-02T0${index}:00:00.000Z`,
          scheduled_end: `2026-03-02T0${index}:45:00.000Z`,
          status: 'held',
          teacher_staff_id: null,
          topic: null,
          notes: null,
          lesson_id: null,
          occurrence_date: null,
          occurrence_slot: null,
          roster_complete_at: null,
          long_until: null,
        })
        .execute()
      const marked = { session_id: sessionId, student_id: studentIds[0] as string, note: null, marked_at: created_at }
      await whole
        .insertInto('attendance')
        .values({ ...marked, status, minutes_late: 0 })
        .execute()
    }
    return { guardianId, studentIds }
  })
}

/** Does the act, unless the rules refuse it. */
const play = async (tx: Tx, one: Act, studentIds: readonly string[]): Promise<void> => {
  if (one.kind === 'invoice') {
    const lines = [
      { description: 'Fee', quantity: 1, unitAmountMinor: one.amount, discountMinor: 0, taxRatePercent: 17 },
    ]
    const { issueDate, dueDate, currency } = one
    const invoice = await createInvoice(tx, {
      studentId: studentIds[one.student] as string,
      lines,
      issueDate,
      dueDate,
      currency,
    })
    if (one.isIssued) await issueInvoice(tx, invoice.id)
    return
  }
  if (one.kind === 'reverse') {
    const payments = await tx.whole.selectFrom('payment').selectAll().orderBy('id').execute()
    const reversed = new Set(payments.map((payment) => payment.reverses_payment_id))
    const open = payments.filter(({ id, amount_minor }) => amount_minor > 0 && !reversed.has(id))
    const payment = open[one.nth % Math.max(1, open.length)]
    if (payment) await reversePayment(tx, payment.id, 'Wrong family')
    return
  }
  const invoices = await tx.whole.selectFrom('invoice').selectAll().orderBy('id').execute()
  const invoice = invoices[one.nth % Math.max(1, invoices.length)]
  if (!invoice) return
  const balance = invoice.total_minor - invoice.paid_minor
  if (one.kind === 'void') {
    if (invoice.status !== 'void' && invoice.paid_minor === 0) await voidInvoice(tx, invoice.id, 'Entered twice')
  } else if (['issued', 'partially_paid', 'overdue'].includes(invoice.status) && balance > 0) {
    const receivedAt = new Date(Date.parse(tx.now) - one.ago * 86_400_000).toISOString()
    const amountMinor = Math.ceil(balance / one.share)
    const paid = { amountMinor, currency: invoice.currency, receivedAt }
    await recordPayment(tx, invoice.id, { ...paid, method: 'cash', provider: 'manual' })
  }
}

const caller = (tenant: TenantInfo): Caller => ({
  actor: { type: 'system' },
  channel: 'system',
  id: newId(),
  limitPerMinute: 1,
  tenant,
  membershipActive: true,
  needsSecondFactor: false,
  grants: new Grants([{ permissions: SYSTEM_ROLES[0]?.permissions ?? [], branchId: null }]),
  isOwner: true,
  key: null,
})

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
const OPEN = new Set(['issued', 'partially_paid', 'overdue'])

/** The date in Jerusalem, which is two hours ahead of UTC in these months. */
const localDay = (instant: string): string => new Date(Date.parse(instant) + 7_200_000).toISOString().slice(0, 10)

test(`the figures of ${INSTITUTES} institutes are the sums of their rows`, { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(history, async (given) => {
      const tenant = newTenant()
      app.clock.set('2026-02-15T08:00:00.000Z')
      const { guardianId, studentIds } = await makeFamily(tenant, given)
      for (const [index, acts] of given.days.entries()) {
        app.clock.set(DAYS[index] as string)
        await change(tenant, async (tx) => {
          for (const one of acts) await play(tx, one, studentIds)
        })
      }
      const whole = readHandle(app.app.runtime, tenant.id, 'all')
      const context = { db: whole, whole, tenant, caller: caller(tenant), now: app.clock.now() }
      const invoices = await whole.selectFrom('invoice').selectAll().execute()
      const payments = await whole.selectFrom('payment').selectAll().execute()
      const events = new Set(
        (
          await app.app.database.read
            .selectFrom('event')
            .select('body')
            .where('tenant_id', '=', tenant.id)
            .where('type', '=', 'invoice.issued')
            .execute()
        ).map(({ body }) => JSON.parse(body).data.invoiceId as string),
      )
      const paidOn = (invoiceId: string) => payments.filter((payment) => payment.invoice_id === invoiceId)
      const owedOn = (invoice: (typeof invoices)[number]): number =>
        OPEN.has(invoice.status) ? invoice.total_minor - sum(paidOn(invoice.id).map((one) => one.amount_minor)) : 0
      const inShekels = (studentId?: string) =>
        invoices.filter((one) => one.currency === 'ILS' && (studentId === undefined || one.student_id === studentId))

      for (const studentId of studentIds) {
        for (const currency of CURRENCIES) {
          const ofStudent = invoices.filter((one) => one.student_id === studentId && one.currency === currency)
          const all = await readStatement(context, studentId, { currency })
          expect(all.openingBalance.amountMinor).toBe(0)
          expect(all.closingBalance.amountMinor).toBe(sum(ofStudent.map(owedOn)))
          // Every issued invoice, every payment and every void of an issued invoice has its entry, once.
          const issued = ofStudent.filter(({ id }) => events.has(id))
          const expected = [
            ...issued.map((one) => `${one.issue_date} invoice ${one.number} ${one.total_minor}`),
            ...issued
              .filter(({ status }) => status === 'void')
              .map((one) => {
                const voided = localDay(one.updated_at)
                return `${voided < one.issue_date ? one.issue_date : voided} void ${one.number} ${-one.total_minor}`
              }),
            ...ofStudent.flatMap((one) =>
              paidOn(one.id).map(({ amount_minor, received_at }) => {
                const kind = amount_minor > 0 ? 'payment' : 'reversal'
                return `${localDay(received_at)} ${kind} ${one.number} ${-amount_minor}`
              }),
            ),
          ]
          const entries = all.entries.map(({ date, kind, reference, debit, credit }) => {
            return `${date} ${kind} ${reference} ${debit.amountMinor - credit.amountMinor}`
          })
          expect(entries.toSorted()).toEqual(expected.toSorted())
          // A part of it begins where what was before ends, and each balance follows from the one before.
          const { from, to } = given
          if (from !== undefined && to !== undefined && to < from) continue
          const part = await readStatement(context, studentId, { currency, from, to })
          const isBefore = ({ date }: { date: string }) => from !== undefined && date < from
          const net = (one: (typeof all.entries)[number]) => one.debit.amountMinor - one.credit.amountMinor
          expect(part.openingBalance.amountMinor).toBe(sum(all.entries.filter(isBefore).map(net)))
          expect(part.entries).toEqual(
            all.entries.filter((one) => !isBefore(one) && (to === undefined || one.date <= to)),
          )
          let balance = part.openingBalance.amountMinor
          for (const one of part.entries) expect(one.balance.amountMinor).toBe((balance += net(one)))
          expect(part.closingBalance.amountMinor).toBe(balance)
        }
      }

      const family = await readFamily(context, guardianId)
      const owedBy = studentIds.map((studentId) => sum(inShekels(studentId).map(owedOn)))
      expect(family.children.map((child) => [child.studentId, child.balance?.amountMinor]).toSorted()).toEqual(
        studentIds.map((studentId, index) => [studentId, owedBy[index]]).toSorted(),
      )
      expect(family.financial?.balance.amountMinor).toBe(sum(owedBy))
      const paidFor = new Set(studentIds.filter((_, index) => given.payerOf[index]))
      expect(
        family.financial?.openInvoices.map(({ id, balance }) => `${id} ${balance.amountMinor}`).toSorted(),
      ).toEqual(
        invoices
          .filter((one) => OPEN.has(one.status) && paidFor.has(one.student_id))
          .map((one) => `${one.id} ${owedOn(one)}`)
          .toSorted(),
      )

      const counted = given.marks.filter((status) => status !== 'excused')
      const attended = counted.filter((status) => status !== 'absent').length
      const rate = counted.length === 0 ? null : Math.round((attended * 1000) / counted.length) / 10
      expect(family.children.find((child) => child.studentId === studentIds[0])?.attendanceRate30d).toBe(rate)
      const dashboard = await readDashboard(context)
      expect(dashboard).toMatchObject({
        studentsActive: given.statuses.filter((status) => status === 'active').length,
        studentsNewThisMonth: 0,
        attendanceRate30d: rate,
        outstandingMinor: sum(inShekels().map(owedOn)),
        overdueCount: invoices.filter(({ status, due_date }) => status === 'overdue' && due_date < TODAY).length,
      })
      expect(dashboard.todaySessions).toHaveLength(given.marks.length)
    }),
    { numRuns: INSTITUTES, seed: 20_260_302, endOnFailure: true },
  )
})
