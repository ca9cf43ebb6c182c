import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { issuedInvoice, newInvoice } from '../examples/billing.ts'

let app: TestApp
let institute: TestInstitute
let world: World
let owner: Client
let studentId: string
let otherId: string
/** In the order in which they were made: due on the 20th, the 10th, the 15th, and the 12th. */
let made: { id: string; number: string }[]

const student = async (fields: object): Promise<string> =>
  (await owner.post('/students', { branchId: institute.branchId, ...fields })).body.id

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  world = worldOf(app, institute)
  owner = institute.owner
  studentId = await student({ firstName: 'לאה', lastName: 'כהן' })
  otherId = await student({ firstName: 'Noor', lastName: 'Haddad' })
  made = []
  for (const [of, dueDate] of [
    [studentId, '2026-03-20'],
    [otherId, '2026-03-10'],
    [studentId, '2026-03-15'],
    [otherId, '2026-03-12'],
  ]) {
    app.clock.advance(1)
    made.push(await issuedInvoice(world, { studentId: of, dueDate }))
  }
})
afterAll(() => app.close())

const list = async (query: string, client = owner) => {
  const reply = await client.get(`/invoices?${query}`)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
/** Which of the made invoices a list has, by their place. */
const places = async (query: string, client = owner): Promise<number[]> =>
  (await list(query, client)).data.map(({ id }: { id: string }) => made.findIndex((invoice) => invoice.id === id))

describe('GET /invoices', () => {
  test('names the student and what is still to be paid', async () => {
    const { id } = made[1] as (typeof made)[number]
    const payment = { amountMinor: 5_000, currency: 'ILS', method: 'cash' }
    expect((await owner.post(`/invoices/${id}/payments`, payment)).status).toBe(201)
    const [row] = (await list('dueTo=2026-03-10')).data
    expect(row).toMatchObject({ id, studentName: 'Noor Haddad', balance: { amountMinor: 40_000, currency: 'ILS' } })
    expect((await owner.get(`/students/${otherId}/invoices`)).body.data).toContainEqual(row)
    const gone = await newInvoice(world, { dueDate: '2027-01-01', studentId })
    await owner.post(`/invoices/${gone.id}/void`, { reason: 'Twice' })
    expect((await list('dueFrom=2027-01-01')).data).toMatchObject([
      { studentName: 'לאה כהן', balance: { amountMinor: 0 } },
    ])
  })

  test('filters by student, branch and due date, both ends included, alone and together', async () => {
    expect(await places(`studentId=${otherId}`)).toEqual([3, 1])
    expect(await places('dueFrom=2026-03-12&dueTo=2026-03-15')).toEqual([3, 2])
    expect(await places(`dueFrom=2026-03-12&dueTo=2026-03-20&studentId=${studentId}`)).toEqual([2, 0])
    expect(await places('dueTo=2026-03-12&status=issued')).toEqual([3])
    expect(await places(`branchId=${institute.branchId}&dueTo=2026-03-12`)).toEqual([3, 1])
    const { body: north } = await owner.post('/branches', { name: 'Listed north' })
    expect(await places(`branchId=${north.id}`)).toEqual([])
  })

  test('sort=dueDate is first due first, page by page; its cursor is no cursor of the usual order', async () => {
    const byDue = 'sort=dueDate&dueTo=2026-03-31'
    expect(await places(byDue)).toEqual([1, 3, 2, 0])
    expect(await places(`sort=createdAt&dueTo=2026-03-31`)).toEqual([3, 2, 1, 0])
    expect(await places(`${byDue}&studentId=${studentId}`)).toEqual([2, 0])
    expect(await places(`${byDue}&status=issued&branchId=${institute.branchId}`)).toEqual([3, 2, 0])
    const first = await list(`${byDue}&limit=3`)
    const cursor = encodeURIComponent(first.nextCursor)
    expect(await places(`${byDue}&limit=3&cursor=${cursor}`)).toEqual([0])
    expect((await owner.get(`/invoices?dueTo=2026-03-31&cursor=${cursor}`)).status).toBe(422)
    const newest = encodeURIComponent((await list('limit=1')).nextCursor)
    expect((await owner.get(`/invoices?${byDue}&cursor=${newest}`)).status).toBe(422)
    expect((await owner.get('/invoices?sort=number')).status).toBe(422)
  })

  test('q finds an invoice by its number: the whole, its beginning, or its last part', async () => {
    const { number } = made[2] as (typeof made)[number]
    const serial = String(Number(number.slice(-6)))
    for (const q of [number, number.toLowerCase(), number.replace('INV-', ''), serial])
      expect(await places(`q=${q}`)).toEqual([2])
    expect(await places('q=INV-2026-0000&dueTo=2026-03-31')).toEqual([3, 2, 1, 0])
    expect(await places('q=INV-2026-0000&dueTo=2026-03-31&sort=dueDate')).toEqual([1, 3, 2, 0])
    expect(await places('q=2025')).toEqual([])
    expect(await places('q=INV-2026-999999')).toEqual([])
  })

  test('q finds the invoices of students by words in any script', async () => {
    expect(await places(`q=${encodeURIComponent('לֵאָה')}&dueTo=2026-03-31`)).toEqual([2, 0])
    expect(await places('q=HADD&sort=dueDate')).toEqual([1, 3])
    expect(await places('q=noor haddad&status=issued&dueTo=2026-03-12')).toEqual([3])
    expect(await places('q=noor cohen')).toEqual([])
    const { studentNumber } = (await owner.get(`/students/${studentId}`)).body
    expect(await places(`q=${studentNumber}&dueTo=2026-03-31`)).toEqual([2, 0])
  })

  test('of a branch keeps the invoices of a student who moved on, with the name', async () => {
    const { body: south } = await owner.post('/branches', { name: 'Listed south' })
    const { body: east } = await owner.post('/branches', { name: 'Listed east' })
    const manager = await institute.member({ role: 'branch_manager', branchId: south.id })
    const moved = await student({ firstName: 'Ali', lastName: 'Aziz', branchId: south.id })
    const { id } = await issuedInvoice(world, { studentId: moved })
    expect((await owner.patch(`/students/${moved}`, { branchId: east.id })).status).toBe(200)
    expect((await list('', manager)).data).toMatchObject([{ id, studentName: 'Ali Aziz' }])
    expect((await list('sort=dueDate', manager)).data).toMatchObject([{ id }])
    expect((await list(`branchId=${institute.branchId}`, manager)).data).toEqual([])
  })
})
