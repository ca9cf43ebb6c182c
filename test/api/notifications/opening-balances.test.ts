import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { newFamily, type TestFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { countsOf, imported, lines } from '../imports/importing.ts'

let app: TestApp
let school: TestInstitute
let family: TestFamily
beforeAll(async () => {
  app = await startApp({ now: '2026-03-25T12:00:00.000Z', config: { accessTokenSeconds: 30 * 24 * 3600 } })
  school = await makeInstitute(app)
  family = await newFamily(school)
  const member = await school.member({ role: 'guardian' })
  await school.owner.patch(`/guardians/${family.motherId}`, { userId: member.userId })
})
afterAll(() => app.close())

const sweep = async (): Promise<void> => {
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.system().enqueue(sweepOverdueJob, {})
  })
  await app.drain()
}

/** The messages of the log and the events of the institute's money, by name. */
const told = async (): Promise<string[]> => {
  await app.drain()
  const { data } = (await school.owner.get('/notifications?limit=100')).body
  return data.map(({ templateKey }: { templateKey: string }) => templateKey).toSorted()
}

const events = async (): Promise<string[]> => {
  const rows = await app.app.database.read
    .selectFrom('event')
    .select('type')
    .where('tenant_id', '=', school.tenant.id)
    .where('type', 'like', 'invoice.%')
    .execute()
  return rows.map(({ type }) => type).toSorted()
}

const newInvoice = async (): Promise<void> => {
  const { body } = await school.owner.post('/invoices', {
    studentId: family.studentId,
    dueDate: '2026-03-26',
    lines: [{ description: 'March', unitAmountMinor: 45_000 }],
  })
  await school.owner.post(`/invoices/${body.id}/issue`)
}

test('families hear of an opening balance when staff remind them, and not by itself', async () => {
  const { body: student } = await school.owner.get(`/students/${family.studentId}`)
  const done = await imported(
    app,
    school.owner,
    lines('Student number,Balance,Due date', `${student.studentNumber},1250,01/02/2026`),
    { kind: 'balances' },
  )
  expect(countsOf(done)).toMatchObject({ created: 1, refused: 0 })
  await sweep()
  const { data } = (await school.owner.get(`/invoices?studentId=${family.studentId}`)).body
  expect(data).toMatchObject([{ status: 'overdue' }])
  expect(await told()).toEqual([])
  // Other programs get the events all the same.
  expect(await events()).toEqual(['invoice.issued', 'invoice.overdue'])
  await school.owner.post(`/invoices/${data[0].id}/remind`)
  expect(new Set(await told())).toEqual(new Set(['invoice.reminder_requested']))
})

test('they hear of the student’s other invoices as always', async () => {
  await newInvoice()
  expect(new Set(await told())).toEqual(new Set(['invoice.issued', 'invoice.reminder_requested']))
  app.clock.advance(5 * 24 * 3600)
  await sweep()
  expect(new Set(await told())).toEqual(new Set(['invoice.issued', 'invoice.overdue', 'invoice.reminder_requested']))
})
