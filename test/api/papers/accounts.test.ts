import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Paper, Papers } from '#ports/papers/port.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { pdf } from '#kit/paper.ts'
import { newPhone } from '../examples/people.ts'

/** What stands on the paper, by its bytes: several may be made at once. */
const papers = new Map<string, Paper>()

let app: TestApp
let institute: TestInstitute
let motherId: string
/** Two children, whose mother pays. */
let childIds: [string, string]
beforeAll(async () => {
  app = await startApp({
    config: { accessTokenSeconds: 7 * 86_400 },
    papers: (real: Papers) => ({
      ...real,
      print: async (paper, logo) => {
        const bytes = await real.print(paper, logo)
        papers.set(bytes.toString('base64'), paper)
        return bytes
      },
    }),
  })
})
beforeEach(async () => {
  app.clock.set('2026-03-02T08:00:00.000Z')
  institute = await makeInstitute(app)
  const { owner, branchId } = institute
  await owner.patch('/settings', { papers: { taxNumber: '514321987' } })
  const phone = newPhone()
  const mother = { firstName: 'رنا', lastName: 'حداد', phone, preferredLocale: 'ar' }
  motherId = (await owner.post('/guardians', mother)).body.id
  const child = async (firstName: string): Promise<string> => {
    const { body } = await owner.post('/students', { branchId, firstName, lastName: 'حداد' })
    const link = { guardianId: motherId, relationship: 'mother', isPrimary: true, isPayer: true }
    await owner.post(`/students/${body.id}/guardians`, link)
    return body.id
  }
  childIds = [await child('علي'), await child('لينا')]
})
afterAll(() => app.close())

const bill = async (studentId: string, unitAmountMinor: number): Promise<{ id: string; number: string }> => {
  const lines = [{ description: 'Books', unitAmountMinor }]
  const { body } = await institute.owner.post('/invoices', { studentId, lines, dueDate: '2026-03-20' })
  return (await institute.owner.post(`/invoices/${body.id}/issue`)).body
}
const pay = (id: string, amountMinor: number) =>
  institute.owner.post(`/invoices/${id}/payments`, { amountMinor, currency: 'ILS', method: 'cash' })

/** A credit note over 200, of which 50 took off what was to be paid. */
const newNote = async (): Promise<{ id: string; number: string; invoice: string }> => {
  const { id, number } = await bill(childIds[0], 45_000)
  await pay(id, 40_000)
  const { body } = await institute.owner.post(`/invoices/${id}/credit-notes`, {
    lines: [{ description: 'Books that never came', amountMinor: 20_000 }],
    reason: 'Out of print',
  })
  return { ...body, invoice: number }
}

const newRefund = async (): Promise<{ id: string; number: string }> => {
  await newNote()
  const refund = { guardianId: motherId, amountMinor: 12_345, method: 'bank_transfer', reference: 'TR-77' }
  return (await institute.owner.post('/refunds', { ...refund, reason: 'Moves away' })).body
}

const paperAt = async (path: string, client: Client = institute.owner): Promise<Paper> => {
  const { status, bytes } = await pdf(app, client, path)
  expect(status).toBe(200)
  return papers.get(bytes.toString('base64')) as Paper
}
const said = (paper: Paper): string => JSON.stringify(paper).replaceAll(/[\u2066-\u2069]/g, '')

test('a credit note says to whom, of which invoice, why, how much in digits and words, and where it went', async () => {
  const { id, number, invoice } = await newNote()
  const paper = await paperAt(`/credit-notes/${id}/pdf`)
  expect(paper.title).toBe('إشعار دائن')
  const english = said(await paperAt(`/credit-notes/${id}/pdf?locale=en&copy=true`))
  for (const text of [number, invoice, 'رنا حداد', 'علي حداد', 'Out of print', 'Books that never came', '514321987'])
    expect(english).toContain(text)
  expect(english).toContain('Two hundred shekels')
  expect(english).toContain('"label":"Taken off what was to be paid","value":"₪50.00"')
  expect(english).toContain('"label":"Had been paid, kept as credit","value":"₪150.00"')
})

test('the voucher of a refund says who got it, how and why, with a line to sign on', async () => {
  const { id, number } = await newRefund()
  const paper = await paperAt(`/refunds/${id}/pdf?locale=en`)
  for (const text of [number, 'رنا حداد', 'Bank transfer', 'TR-77', 'Moves away', '₪123.45', '514321987'])
    expect(said(paper)).toContain(text)
  expect(said(paper)).toContain('One hundred and twenty-three shekels')
  expect(paper.blocks.at(-1)).toMatchObject({ kind: 'signatures' })
})

describe('of a credit note and of a refund', () => {
  test.each([
    ['/credit-notes', newNote],
    ['/refunds', newRefund],
  ] as const)('there is one original (%s): of many who ask at once one gets it', async (path, make) => {
    const { id } = await make()
    const address = `${path}/${id}/pdf?locale=en`
    expect((await paperAt(`${address}&copy=true`)).note).toBe('Copy')
    const people = await Promise.all(Array.from({ length: 4 }, () => institute.member({ role: 'accountant' })))
    const notes = await Promise.all(people.map(async (one) => (await paperAt(address, one)).note))
    expect(notes.toSorted()).toEqual(['Copy', 'Copy', 'Copy', 'Original'])
    // Who made it gets it again for an hour.
    expect((await paperAt(address)).note).toBe('Original')
    await app.pass(3600)
    expect((await paperAt(address)).note).toBe('Copy')
  })
})

test('the statement of a family has all children on one paper, and closes at the balance', async () => {
  await newNote()
  const { number } = await bill(childIds[1], 30_000)
  const path = `/guardians/${motherId}/account`
  const paper = await paperAt(`${path}/pdf?scope=family&locale=en`)
  expect(paper.title).toBe('Statement of the family’s account')
  const text = said(paper)
  for (const one of [number, 'علي حداد', 'لينا حداد', 'Credit note', 'Payment']) expect(text).toContain(one)
  const { balance } = (await institute.owner.get(`${path}?scope=family`)).body
  // The second bill was paid from the credit of the note, as far as it went.
  expect(balance.amountMinor).toBe(15_000)
  expect(text).toContain('"label":"Balance to pay","value":"₪150.00"')
  const ofStudent = await paperAt(`/students/${childIds[1]}/account/pdf?locale=en`)
  expect(said(ofStudent)).not.toContain('علي حداد')
  const none = await paperAt(`${path}/pdf?locale=en&from=2026-03-03`)
  expect(said(none)).toContain('"label":"Balance before","value":"₪150.00"')
  expect((await institute.owner.get(`${path}/pdf?from=2026-03-03&to=2026-03-02`)).status).toBe(422)
})

test('an account that is below nothing says so in words', async () => {
  const ahead = { amountMinor: 5000, currency: 'ILS', method: 'cash', paidBy: { guardianId: motherId } }
  await institute.owner.post('/payments', ahead)
  const paper = await paperAt(`/guardians/${motherId}/account/pdf?locale=en`)
  expect(said(paper)).toContain('"label":"Balance in your favour","value":"₪50.00"')
  const csv = await institute.owner.send('GET', `/guardians/${motherId}/account/entries?format=csv`, {
    headers: { 'accept-language': 'en' },
  })
  expect(csv.body).toContain('Paid ahead')
})
