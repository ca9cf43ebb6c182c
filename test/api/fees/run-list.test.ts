import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newGroup } from '../examples/sessions.ts'

/** The list of billing runs: what each billed, what became of it, and how many it did not bill. */

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 86_400 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-02T08:00:00.000Z')
  institute = await makeInstitute(app)
  owner = institute.owner
})

const good = async (asked: ReturnType<Client['get']>) => {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
const enrol = async (groupId: string, branchId = institute.branchId): Promise<string> => {
  const studentId = (await good(owner.post('/students', { branchId, firstName: 'Omar', lastName: 'Nasser' }))).id
  await good(owner.post('/enrollments', { studentId, groupId, enrolledAt: '2026-02-01' }))
  return studentId
}
const runs = async (query = '', as: Client = owner) => (await good(as.get(`/billing/runs${query}`))).data

test('a run says what counts of it, and how many were skipped why', async () => {
  const groupId = await newGroup(institute)
  const paused = await enrol(groupId)
  await enrol(groupId)
  await enrol(groupId)
  await good(owner.post(`/students/${paused}/status`, { status: 'active' }))
  await good(owner.post(`/students/${paused}/status`, { status: 'paused', pausedFrom: '2026-03-01' }))
  await newFeeSchedule(institute, { groupId, amountMinor: 40_000 })
  const run = await good(owner.post('/billing/runs', { month: '2026-03' }))
  await good(owner.post('/billing/runs', { month: '2026-03', dryRun: true }))
  const made = { id: run.id, month: '2026-03', createdAt: app.clock.now(), finishedAt: app.clock.now() }
  const both = [{ amountMinor: 80_000, currency: 'ILS' }]
  const skipped = [{ reason: 'paused', count: 1 }]
  expect(await runs()).toEqual([{ ...made, billed: 2, drafts: 2, voided: 0, totals: both, skipped }])

  await good(owner.post(`/invoices/${run.invoices[0].id}/issue`))
  expect(await runs()).toMatchObject([{ billed: 2, drafts: 1, voided: 0, totals: both }])
  await good(owner.post(`/billing/runs/${run.id}/void`, { reason: 'At a wrong price' }))
  const one = [{ amountMinor: 40_000, currency: 'ILS' }]
  expect(await runs()).toMatchObject([{ billed: 1, drafts: 0, voided: 1, totals: one }])

  app.clock.set('2026-03-02T09:00:00.000Z')
  const again = await good(owner.post('/billing/runs', { month: '2026-03' }))
  const [latest] = await runs()
  expect(latest.id).toBe(again.id)
  expect(new Map(latest.skipped.map((each: { reason: string; count: number }) => [each.reason, each.count]))).toEqual(
    new Map([
      ['paused', 1],
      ['already_billed', 1],
    ]),
  )
  await good(owner.post('/billing/runs', { month: '2026-04' }))
  expect(await runs('?month=2026-03')).toHaveLength(2)
})

test('under a role for one branch it is about its students alone', async () => {
  const other = (await good(owner.post('/branches', { name: 'Haifa' }))).id
  const [here, there] = [await newGroup(institute), await newGroup(institute, { branchId: other })]
  await enrol(here)
  for (const groupId of [here, there]) await newFeeSchedule(institute, { groupId, amountMinor: 40_000 })
  await good(owner.post('/billing/runs', { month: '2026-02' }))
  await enrol(there, other)
  const { id } = await good(owner.post('/billing/runs', { month: '2026-03' }))
  const inBranch = await institute.member({ permissions: ['invoices.read'], branchId: other })
  expect(await runs('', inBranch)).toMatchObject([
    { id, billed: 1, totals: [{ amountMinor: 40_000, currency: 'ILS' }], skipped: null },
  ])
  expect((await runs()).map(({ billed }: { billed: number }) => billed)).toEqual([2, 1])
})
