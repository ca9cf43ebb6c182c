import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { readCsv } from '#kit/archive.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { newPhone } from '../examples/people.ts'
import { create } from '../examples/sessions.ts'

/** Held cheques and credit stand apart in the debts, by payer and family. */

let app: TestApp
let school: TestInstitute
let world: World
let mother: string
let father: string
let child: string
let alone: string
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-02T08:00:00.000Z')
  school = await makeInstitute(app)
  world = worldOf(app, school)
  const { owner, branchId } = school
  await owner.patch('/feature-flags', { advanced_reports: true })
  await owner.patch('/settings', { applyCredit: false })
  const parent = (firstName: string) => create(world, '/guardians', { firstName, lastName: 'Levi', phone: newPhone() })
  const student = (firstName: string) => create(world, '/students', { branchId, firstName, lastName: 'Levi' })
  mother = await parent('Ruth')
  father = await parent('Dan')
  child = await student('Dana')
  alone = await student('Omar')
  for (const guardianId of [mother, father]) {
    const isPayer = guardianId === mother
    await owner.post(`/students/${child}/guardians`, { guardianId, relationship: 'other', isPrimary: isPayer, isPayer })
  }
})

const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })
const owes = async (studentId: string, unitAmountMinor: number): Promise<string> =>
  (await issuedInvoice(world, { studentId, lines: [{ description: 'March', unitAmountMinor }] })).id
let number = 0
const cheque = async (paidBy: object, amountMinor: number, more: object = {}): Promise<void> => {
  number += 1
  const drawn = { bank: '12', branch: '1', account: '2', number: String(number), amountMinor, dueOn: '2026-05-01' }
  const { status } = await school.owner.post('/cheques', { currency: 'ILS', paidBy, cheques: [drawn], ...more })
  expect(status).toBe(201)
}
const ahead = (paidBy: object, amountMinor: number) =>
  school.owner.post('/payments', { currency: 'ILS', amountMinor, method: 'cash', paidBy })
const report = async (query: string) => (await school.owner.get(`/reports/debts?${query}`)).body
const told = ({ payerName, total, held, credit }: Record<string, { amountMinor: number }>) => [
  payerName,
  ...[total, held, credit].map((sum) => sum?.amountMinor),
]

test('a payer has their own cheques and credit, and the cheques of others that are for their invoices', async () => {
  const invoiceId = await owes(child, 10_000)
  await owes(alone, 3000)
  await cheque({ guardianId: mother }, 4000)
  await cheque({ guardianId: father }, 5000, { allocations: [{ invoiceId, amountMinor: 2000 }] })
  await cheque({ studentId: alone }, 700)
  await ahead({ guardianId: mother }, 150)
  await ahead({ guardianId: father }, 90)
  const { totals, data } = await report('by=payer')
  expect(data.map(told)).toEqual([
    ['Ruth Levi', 10_000, 6000, 150],
    ['Omar Levi', 3000, 700, 0],
  ])
  expect(totals).toMatchObject([{ total: ils(13_000), held: ils(6700), credit: ils(150) }])
})

test('a family has those of all its guardians, each cheque once', async () => {
  const invoiceId = await owes(child, 10_000)
  await owes(alone, 3000)
  await cheque({ guardianId: mother }, 4000, { allocations: [{ invoiceId, amountMinor: 1000 }] })
  await cheque({ guardianId: father }, 5000, { allocations: [{ invoiceId, amountMinor: 2000 }] })
  await ahead({ guardianId: mother }, 150)
  await ahead({ guardianId: father }, 90)
  const { totals, data } = await report('by=family')
  expect(data.map(told)).toEqual([
    ['Ruth Levi', 10_000, 9000, 240],
    ['Omar Levi', 3000, 0, 0],
  ])
  expect(totals).toMatchObject([{ total: ils(13_000), held: ils(9000), credit: ils(240) }])
})

test('what is no longer held is not told, nor what those have who owe nothing', async () => {
  await owes(child, 10_000)
  await cheque({ studentId: alone }, 700)
  await ahead({ studentId: alone }, 90)
  await cheque({ guardianId: mother }, 4000)
  const { data } = (await school.owner.get('/cheques?q=Ruth')).body
  await school.owner.post(`/cheques/${data[0].id}/return`, {})
  for (const by of ['payer', 'family']) {
    const { totals, data: rows } = await report(`by=${by}`)
    expect([by, rows.map(told)]).toEqual([by, [['Ruth Levi', 10_000, 0, 0]]])
    expect(totals).toMatchObject([{ held: ils(0), credit: ils(0) }])
  }
})

test('the file has a column for each', async () => {
  await owes(child, 10_000)
  await cheque({ guardianId: mother }, 4000)
  await ahead({ guardianId: mother }, 150)
  const reply = await fetch(`${app.url}/api/v1/reports/debts?by=payer`, {
    headers: { Authorization: `Bearer ${school.owner.credential}`, Accept: 'text/csv', 'Accept-Language': 'en' },
  })
  expect(reply.status).toBe(200)
  const [heads = [], row = []] = readCsv(Buffer.from(await reply.arrayBuffer()))
  const cell = (head: string) => row[heads.findIndex((one) => one?.startsWith(head) === true)]
  expect([cell('Held cheques'), cell('Credit')]).toEqual(['40.00', '1.50'])
})
