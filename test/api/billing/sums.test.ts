import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { newId } from '#kernel/basics/ids.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { loadExamples, sendExample, worldOf } from '#kit/examples.ts'
import { localDate } from '#kernel/time/zone.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { extraEndpoints } from '#kit/extra-endpoints.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newPhone } from '../examples/people.ts'
import { newGroup, newPupil } from '../examples/sessions.ts'

/** Every sum is exact, or refused by name: an invoice may come to 10^12, and 9,007 such invoices pass 2^53. */

const LARGEST = 1_000_000_000_000
/** What all invoices of more than 10^9, and all such reversals, may come to. */
const MOST_LARGE = 4_000_000_000_000_000

let app: TestApp
beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: NO_LIMITS, modules: [extraEndpoints] })
})
afterAll(() => app.close())

const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })
const conflict = (reason: string) => ({ status: 409, body: { error: { code: 'CONFLICT', details: { reason } } } })
/** Amounts are added up exactly here, whatever they come to. */
const sumOf = (amounts: readonly number[]) => Number(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n))

/** An institute with a student, of whom a guardian is the payer. */
const begin = async () => {
  const institute = await makeInstitute(app)
  const { owner } = institute
  const studentId = await newPupil(institute, await newGroup(institute))
  const guardian = { firstName: 'Ruth', lastName: 'Levi', phone: newPhone() }
  const guardianId = (await owner.post('/guardians', guardian)).body.id as string
  const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
  expect((await owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
  return { institute, owner, studentId, guardianId }
}
type Begun = Awaited<ReturnType<typeof begin>>

const ROWS_AT_ONCE = 500

/** Writes rows past all checks, as they may have come from an older version. */
const seed = async (
  { tenant, branchId }: TestInstitute,
  studentId: string,
  invoices: readonly { total: number; status: 'overdue' | 'issued' | 'draft' | 'void'; reversed?: number }[],
): Promise<void> => {
  const earlier = '2026-01-05T08:00:00.000Z'
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    const { whole, now } = unit.tenant(tenant, 'all')
    for (let at = 0; at < invoices.length; at += ROWS_AT_ONCE) {
      const some = invoices.slice(at, at + ROWS_AT_ONCE).map((one) => ({ ...one, id: newId() }))
      await whole
        .insertInto('invoice')
        .values(
          some.map(({ id, total, status }, index) => ({
            id,
            branch_id: branchId,
            student_id: studentId,
            number: `INV-2019-${String(at + index + 1).padStart(6, '0')}`,
            status,
            issue_date: '2019-05-01',
            due_date: '2019-06-01',
            currency: 'ILS' as const,
            subtotal_minor: total,
            discount_minor: 0,
            tax_minor: 0,
            total_minor: total,
            paid_minor: 0,
            notes: null,
            void_reason: null,
            footer: null,
            issued_at: status === 'draft' ? null : earlier,
            voided_at: status === 'void' ? earlier : null,
            version: 1,
            created_at: earlier,
            updated_at: earlier,
          })),
        )
        .execute()
      const payments = some.flatMap(({ id, reversed }) => {
        if (reversed === undefined) return []
        const payment = {
          invoice_id: id,
          currency: 'ILS' as const,
          method: 'cash' as const,
          provider: 'manual' as const,
          reference: null,
          received_by_user_id: null,
        }
        const paid = newId()
        const first = { reason: null, reverses_payment_id: null, received_at: earlier, created_at: earlier }
        const taken = { reason: 'Wrong family', reverses_payment_id: paid, received_at: now, created_at: now }
        return [
          { ...payment, ...first, id: paid, amount_minor: reversed },
          { ...payment, ...taken, id: newId(), amount_minor: -reversed },
        ]
      })
      if (payments.length > 0) await whole.insertInto('payment').values(payments).execute()
    }
  })
}

const draft = ({ owner, studentId }: Pick<Begun, 'owner' | 'studentId'>, total: number) =>
  owner.post('/invoices', { studentId, lines: [{ description: 'March', unitAmountMinor: total }] })

const sumsOf = async ({ owner, studentId, guardianId }: Begun) => ({
  summary: await owner.get('/billing/summary'),
  dashboard: await owner.get('/dashboard'),
  statement: await owner.get(`/students/${studentId}/statement`),
  family: await owner.get(`/guardians/${guardianId}/family-summary`),
  account: await owner.get(`/students/${studentId}/account`),
  list: await owner.get('/directory/students'),
})

describe('where invoices and reversals come to as much as is taken', () => {
  const totals = Array.from({ length: MOST_LARGE / LARGEST }, (_, index) => LARGEST - index)
  let at: Begun
  beforeAll(async () => {
    at = await begin()
    await seed(
      at.institute,
      at.studentId,
      totals.map((total) => ({ total, status: 'overdue', reversed: total })),
    )
  })

  test('every sum is exact, to the last agora', async () => {
    const owed = sumOf(totals)
    expect(Number.isSafeInteger(owed)).toBe(true)
    const { summary, dashboard, statement, family } = await sumsOf(at)
    expect(summary.body).toMatchObject({
      outstanding: ils(owed),
      overdueTotal: ils(owed),
      overdueCount: totals.length,
      collectedThisMonth: ils(-owed),
    })
    expect(dashboard.body).toMatchObject({ outstandingMinor: owed, overdueCount: totals.length })
    expect(statement.body).toMatchObject({ openingBalance: ils(0), closingBalance: ils(owed) })
    expect(statement.body.entries).toHaveLength(3 * totals.length)
    expect(family.body).toMatchObject({ children: [{ balance: ils(owed) }], financial: { balance: ils(owed) } })
  })

  test('another large invoice is 409, made or grown to; a usual one is taken, and one may shrink', async () => {
    const owner = at.owner
    const room = MOST_LARGE - sumOf(totals)
    expect(room).toBeLessThan(LARGEST)
    expect(await draft(at, LARGEST)).toMatchObject(conflict('sums_full'))
    const small = await draft(at, 1_000_000_000)
    expect(small.status).toBe(201)
    const grow = (unitAmountMinor: number) =>
      owner.patch(`/invoices/${small.body.id}`, { lines: [{ description: 'March', unitAmountMinor }] })
    expect(await grow(LARGEST)).toMatchObject(conflict('sums_full'))
    expect((await owner.get(`/invoices/${small.body.id}`)).body).toEqual(small.body)
    expect((await grow(5)).status).toBe(200)
  })

  test('a billing run leaves out who has no room, and says so; a dry run too', async () => {
    const { institute, owner } = at
    const groupId = await newGroup(institute)
    const studentId = await newPupil(institute, groupId)
    const large = await newFeeSchedule(institute, { groupId, amountMinor: LARGEST })
    const usual = await newFeeSchedule(institute, { groupId, amountMinor: 45_000, currency: 'EUR' })
    for (const dryRun of [true, false]) {
      const { body } = await owner.post('/billing/runs', { month: '2026-03', feeScheduleIds: [large, usual], dryRun })
      expect(body).toMatchObject({
        created: 1,
        skipped: [{ studentId, feeScheduleId: large, reason: 'sums_full' }],
        invoices: [{ studentId, total: { amountMinor: 45_000, currency: 'EUR' } }],
      })
    }
  })

  test('another large reversal is 409; a usual one is taken', async () => {
    const { owner } = at
    const { data } = (await owner.get('/invoices?status=overdue&limit=2')).body
    const pay = async (invoiceId: string, amountMinor: number) =>
      (await owner.post(`/invoices/${invoiceId}/payments`, { amountMinor, currency: 'ILS', method: 'cash' })).body.id
    const [large, usual] = [await pay(data[0].id, data[0].total.amountMinor), await pay(data[1].id, 1_000_000_000)]
    const reverse = (id: string) => owner.post(`/payments/${id}/reverse`, { reason: 'Wrong family' })
    expect(await reverse(large)).toMatchObject(conflict('sums_full'))
    const receipts: { id: string; payments: { id: string }[] }[] = (await owner.get('/receipts')).body.data
    const receipt = receipts.find(({ payments }) => payments.some(({ id }) => id === large))
    expect(await owner.post(`/receipts/${receipt?.id}/reverse`, { reason: 'Wrong family' })).toMatchObject(
      conflict('sums_full'),
    )
    expect((await owner.get(`/invoices/${data[0].id}`)).body).toMatchObject({ status: 'paid' })
    expect((await reverse(usual)).status).toBe(201)
  })
})

test('in another institute large invoices are taken up to the limit, of any status and currency', async () => {
  const at = await begin()
  const statuses = ['draft', 'issued', 'void'] as const
  const before = Array.from({ length: MOST_LARGE / LARGEST - 2 }, (_, index) => ({
    total: LARGEST,
    status: statuses[index % 3] as (typeof statuses)[number],
  }))
  await seed(at.institute, at.studentId, before)
  expect((await draft(at, LARGEST)).status).toBe(201)
  const { body } = await draft(at, LARGEST - 1)
  const put = (unitAmountMinor: number) =>
    at.owner.patch(`/invoices/${body.id}`, { lines: [{ description: 'March', unitAmountMinor }] })
  expect((await put(LARGEST)).status).toBe(200)
  expect(await draft(at, 1_000_000_001)).toMatchObject(conflict('sums_full'))
  // One that was large already counts with what it grows by.
  expect((await put(LARGEST)).status).toBe(200)
})

describe('where rows of before come to more than can be told exactly', () => {
  const TOO_MANY = 9_008
  let at: Begun
  beforeAll(async () => {
    at = await begin()
    await seed(
      at.institute,
      at.studentId,
      Array.from({ length: TOO_MANY }, () => ({ total: LARGEST, status: 'issued' })),
    )
  })

  test('each sum is 409 by name, and what is no sum is answered', async () => {
    for (const [name, reply] of Object.entries(await sumsOf(at))) {
      expect(reply, name).toMatchObject(conflict('sum_too_large'))
    }
    const { owner, studentId } = at
    for (const path of ['/invoices', `/students/${studentId}/invoices`, '/payments', '/search?q=INV-2019']) {
      expect((await owner.get(path)).status, path).toBe(200)
    }
    for (const path of ['statement/pdf', 'account/entries', 'account/pdf']) {
      expect(await owner.get(`/students/${studentId}/${path}`), path).toMatchObject(conflict('sum_too_large'))
    }
    const may = '/reports/income?by=month&from=2019-05-01&to=2019-05-31'
    expect(await owner.get(may)).toMatchObject(conflict('sum_too_large'))
    const none = await owner.get(`/students/${studentId}/statement?currency=EUR`)
    expect(none.body).toMatchObject({ closingBalance: { amountMinor: 0, currency: 'EUR' } })
  })

  test('so is what is due today, and what is overdue', async () => {
    const today = localDate(app.clock.now(), at.institute.tenant.timezone)
    await app.app.database.write((db) =>
      db.updateTable('invoice').set({ due_date: today }).where('tenant_id', '=', at.institute.tenant.id).execute(),
    )
    expect(await at.owner.get('/dashboard/attention')).toMatchObject(conflict('sum_too_large'))
  })

  test('so is what their payer owes', async () => {
    const { owner, guardianId, institute } = at
    await app.app.database.write((db) =>
      db
        .updateTable('invoice')
        .set({ payer_guardian_id: guardianId })
        .where('tenant_id', '=', institute.tenant.id)
        .execute(),
    )
    for (const path of [
      `/guardians/${guardianId}/account`,
      `/guardians/${guardianId}/account/entries`,
      `/guardians/${guardianId}/account/pdf`,
      '/directory/guardians',
    ]) {
      expect(await owner.get(path), path).toMatchObject(conflict('sum_too_large'))
    }
  })

  test('so is what their student owes', async () => {
    const student = await at.institute.member({ role: 'student' })
    await linkAccount(app, 'student', { id: at.studentId, userId: student.userId })
    expect(await student.get('/me/family')).toMatchObject(conflict('sum_too_large'))
    expect(await student.get(`/me/students/${at.studentId}/money`)).toMatchObject(conflict('sum_too_large'))
  })

  test('no read of the institute is 500', { timeout: 60_000 }, async () => {
    const maker = await loadExamples()
    const reads = app.app.endpoints.filter(({ kind }: Endpoint) => kind === 'read')
    expect(reads.length).toBeGreaterThan(50)
    const world = worldOf(app, at.institute)
    const refused: string[] = []
    for (const endpoint of reads) {
      const example = await maker(endpoint).make(world)
      const { status, body } = await sendExample(endpoint, example, example.as ?? at.owner)
      expect(status, endpoint.id).toBeLessThan(500)
      if (status === 409) refused.push(`${endpoint.id} ${body.error.details.reason}`)
    }
    for (const id of ['billing.summary', 'dashboard.read', 'bookkeeping.journal', 'bookkeeping.uniform-file']) {
      expect(refused).toContain(`${id} sum_too_large`)
    }
    expect(refused.every((one) => one.endsWith(' sum_too_large'))).toBe(true)
  })
})

test('a till of more than can be told exactly is 409', async () => {
  const { institute, owner } = await begin()
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    const { whole, now } = unit.tenant(institute.tenant, 'all')
    const entry = { user_id: institute.ownerUserId, branch_id: institute.branchId, method: 'cash' as const }
    const taken = { ...entry, currency: 'ILS' as const, amount_minor: LARGEST, created_at: now }
    for (let left = 9_500; left > 0; left -= ROWS_AT_ONCE) {
      const rows = Array.from({ length: ROWS_AT_ONCE }, () => ({
        ...taken,
        id: newId(),
        payment_id: null,
        credit_entry_id: null,
        refund_id: null,
        close_id: null,
      }))
      await whole.insertInto('till_entry').values(rows).execute()
    }
  })
  expect(await owner.get('/tills/today')).toMatchObject(conflict('sum_too_large'))
})

test('what was taken back in a month is 409 too where it comes to more than can be told', async () => {
  const at = await begin()
  const reversed = Array.from({ length: 9_008 }, () => ({ total: LARGEST, status: 'void' as const, reversed: LARGEST }))
  await seed(at.institute, at.studentId, reversed)
  expect(await at.owner.get('/billing/summary')).toMatchObject(conflict('sum_too_large'))
  const received = '/reports/income/collected?from=2026-01-01&to=2026-01-31'
  expect(await at.owner.get(received)).toMatchObject(conflict('sum_too_large'))
  expect((await at.owner.get('/dashboard')).body.outstandingMinor).toBe(0)
})
