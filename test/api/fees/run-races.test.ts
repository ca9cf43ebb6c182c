import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#db/database.ts'
import { newId } from '#kernel/basics/ids.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { volume } from '#kit/volume.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newGroup } from '../examples/sessions.ts'

/** How many transactions the process still ends before it crashes; from then on it writes nothing. */
let left = Infinity

const crashable = (database: Database): Database => ({
  ...database,
  version: () => database.version(),
  write: async (work, options) => {
    left -= 1
    if (left < 0) throw new Error('the process has crashed')
    return database.write(work, options)
  },
})

let app: TestApp

beforeAll(async () => {
  app = await startApp({ wrap: crashable, chance: true, config: { accessTokenSeconds: 365 * 86_400 } })
})
afterAll(async () => {
  left = Infinity
  await app.close()
})

const STUDENTS = 60

/** A group with sixty students, of which a run makes three slices. */
const newClass = async () => {
  left = Infinity
  const institute = await makeInstitute(app)
  const groupId = await newGroup(institute)
  const feeScheduleIds = [
    await newFeeSchedule(institute, { groupId }),
    await newFeeSchedule(institute, { groupId }),
    await newFeeSchedule(institute, { groupId, currency: 'USD' }),
  ]
  const enrollmentIds = Array.from({ length: STUDENTS }, newId)
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    const { whole, now } = unit.tenant(institute.tenant, 'all')
    const studentIds = Array.from({ length: STUDENTS }, newId)
    const names = { first_name: 'Dana', last_name: 'Levi', search_text: 'dana levi', status: 'active' as const }
    const nothing = { email: null, phone: null, national_id: null, birth_date: null, gender: null, address: null }
    await whole
      .insertInto('student')
      .values(
        studentIds.map((id, index) => ({
          ...names,
          ...nothing,
          id,
          branch_id: institute.branchId,
          student_number: `S-${String(index + 1).padStart(6, '0')}`,
          tags: [],
          notes: null,
          user_id: null,
          created_at: now,
          updated_at: now,
        })),
      )
      .execute()
    await whole
      .insertInto('enrollment')
      .values(
        studentIds.map((student_id, index) => ({
          id: enrollmentIds[index] as string,
          student_id,
          group_id: groupId,
          status: 'active' as const,
          price_minor: 45_000,
          currency: 'ILS' as const,
          price_overridden: false,
          enrolled_at: now,
          dropped_at: null,
          drop_reason: null,
          completed_at: null,
          created_at: now,
          updated_at: now,
        })),
      )
      .execute()
  })
  return { institute, groupId, feeScheduleIds, enrollmentIds }
}

const send = ({ owner }: TestInstitute, month: string, key?: string) =>
  owner.send('POST', '/billing/runs', { body: { month }, ...(key && { headers: { 'idempotency-key': key } }) })

/** What the rows say, whatever the replies said. */
const readBilled = async ({ tenant }: TestInstitute) => {
  const { read } = app.app.database
  const lines = await read
    .selectFrom('invoice_line')
    .innerJoin('invoice', (join) =>
      join
        .onRef('invoice.tenant_id', '=', 'invoice_line.tenant_id')
        .onRef('invoice.id', '=', 'invoice_line.invoice_id'),
    )
    .select(['invoice.id', 'invoice.number', 'invoice.student_id', 'invoice.currency', 'invoice.total_minor'])
    .select(['invoice_line.fee_schedule_id', 'invoice_line.description', 'invoice_line.total_minor as line_minor'])
    .where('invoice.tenant_id', '=', tenant.id)
    .execute()
  const charges = await read.selectFrom('fee_charge').selectAll().where('tenant_id', '=', tenant.id).execute()
  return { lines, charges }
}

/** The months that are billed here, by the name that lines have for them. */
const MONTHS: Record<string, string> = { 'March 2026': '2026-03', 'April 2026': '2026-04' }

const checkBilled = async (institute: TestInstitute) => {
  const { lines, charges } = await readBilled(institute)
  const ofLines = lines.map((line) =>
    [line.student_id, line.fee_schedule_id, MONTHS[line.description.split(', ').at(-1) as string], line.id].join(),
  )
  const ofCharges = charges.map((one) => [one.student_id, one.fee_schedule_id, one.month, one.invoice_id].join())
  expect(ofLines.toSorted()).toEqual(ofCharges.toSorted())
  const oncePerMonth = new Set(charges.map((one) => [one.student_id, one.fee_schedule_id, one.month].join()))
  expect(oncePerMonth.size).toBe(lines.length)
  const invoiceIds = new Set(charges.map((one) => one.invoice_id))
  // At most one draft per student and currency of a run.
  const currencies = new Map(lines.map(({ id, currency }) => [id, currency]))
  const drafts = charges.map((one) => [one.student_id, one.billing_run_id, currencies.get(one.invoice_id)].join())
  expect(new Set(drafts).size).toBe(invoiceIds.size)
  const numbers = [...new Set(lines.map(({ number }) => number))].toSorted()
  expect(numbers).toEqual(numbers.map((_, index) => `INV-2026-${String(index + 1).padStart(6, '0')}`))
  for (const [, ofInvoice] of Map.groupBy(lines, ({ id }) => id)) {
    expect(ofInvoice.reduce((sum, { line_minor }) => sum + line_minor, 0)).toBe(ofInvoice[0]?.total_minor)
  }
  return { lines, charges }
}

describe('a run whose process crashes', () => {
  test.each([1, 3, 4, 5, 6, 7])('after %i transactions goes on by itself, and bills everybody once', async (writes) => {
    const { institute } = await newClass()
    left = writes
    expect((await send(institute, '2026-03')).status).toBeGreaterThanOrEqual(500)
    left = Infinity
    await app.pass(11)
    const { lines } = await checkBilled(institute)
    const began = writes >= 3
    expect(lines).toHaveLength(began ? 3 * STUDENTS : 0)
    if (!began) return
    const [row] = await app.app.database.read
      .selectFrom('billing_run')
      .selectAll()
      .where('tenant_id', '=', institute.tenant.id)
      .execute()
    expect(row).toMatchObject({ students: STUDENTS, students_done: STUDENTS, finished_at: expect.any(String) })
  })

  test.each([5, 6])('after %i transactions answers a repeat of the request with all that it made', async (writes) => {
    const { institute } = await newClass()
    left = writes
    await send(institute, '2026-03', 'march')
    left = Infinity
    // The job takes it up only after the repeat.
    app.clock.advance(61)
    const { status, body } = await send(institute, '2026-03', 'march')
    expect([status, body.created, body.skipped]).toEqual([201, 2 * STUDENTS, []])
    expect(new Set(body.invoices.map(({ studentId }: { studentId: string }) => studentId)).size).toBe(STUDENTS)
    await app.drain()
    const { charges } = await checkBilled(institute)
    expect(new Set(charges.map((one) => one.billing_run_id))).toEqual(new Set([body.id]))
  })
})

const month = fc.constantFrom('2026-03', '2026-04')
const act = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('run' as const), month, key: fc.option(fc.constantFrom('a', 'b')) }),
  },
  fc.record({ kind: fc.constant('drop' as const), index: fc.nat(STUDENTS - 1) }),
  fc.record({
    kind: fc.constant('price' as const),
    amountMinor: fc.nat(100_000),
    currency: fc.constantFrom('ILS', 'USD'),
    which: fc.nat(2),
  }),
  fc.record({ kind: fc.constant('pass' as const), seconds: fc.constantFrom(1, 11, 61) }),
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

/** Acts that begin at once, and the transactions after which the process crashes and is started again; null: it does not. */
const turn = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 3 }),
  crashesAfter: fc.option(fc.nat(12), { freq: 2 }),
})

test(
  'whatever happens at once and whenever the process crashes: one line per student, fee schedule and month, no number lost',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
        const { institute, feeScheduleIds, enrollmentIds } = await newClass()
        const { owner } = institute
        const dropped = new Set<string>()
        let created = 0
        const play = async (one: Act) => {
          if (one.kind === 'run') {
            const key = one.key === null ? undefined : `${one.key} ${one.month}`
            const reply = await send(institute, one.month, key)
            if (reply.status === 201 && !reply.headers.get('idempotency-replayed')) created += reply.body.created
          } else if (one.kind === 'drop') {
            dropped.add(enrollmentIds[one.index] as string)
            await owner.post(`/enrollments/${enrollmentIds[one.index]}/drop`)
          } else if (one.kind === 'price') {
            const { amountMinor, currency } = one
            await owner.patch(`/fee-schedules/${feeScheduleIds[one.which]}`, { amountMinor, currency })
          } else {
            await app.pass(one.seconds).catch(() => {})
          }
        }
        for (const { acts, crashesAfter } of turns) {
          left = crashesAfter ?? Infinity
          await Promise.all(acts.map(play))
          left = Infinity
        }
        await app.pass(90)
        await checkBilled(institute)
        // Whoever is enrolled all the time is billed by whichever run ends.
        expect((await send(institute, '2026-03')).status).toBe(201)
        const { charges, lines } = await checkBilled(institute)
        const inMarch = new Set(charges.filter((one) => one.month === '2026-03').map((one) => one.student_id))
        expect(inMarch.size).toBeGreaterThanOrEqual(STUDENTS - dropped.size)
        expect(created).toBeLessThanOrEqual(new Set(lines.map(({ id }) => id)).size)
      }),
      { numRuns: volume(20, 200), seed: 20_260_302, endOnFailure: true },
    )
  },
)
