import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { pdf } from '#kit/paper.ts'
import { auditOf } from '#kit/records.ts'
import type { Paper, Papers } from '#ports/papers/port.ts'
import { newPhone } from '../examples/people.ts'

/** Keeps what is printed. */
const printed: Paper[] = []

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp({
    papers: (real: Papers) => ({
      ...real,
      print: (paper, logo) => {
        printed.push(paper)
        return real.print(paper, logo)
      },
    }),
  })
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const good = async (asked: ReturnType<Client['get']>) => {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** Everything that the last paper says, without the isolates. */
const said = (): string => JSON.stringify(printed.at(-1)).replaceAll(/[\u2066-\u2069]/g, '')
const bytesOf = async (path: string): Promise<string> => {
  const { status, bytes } = await pdf(app, owner, path)
  expect(status).toBe(200)
  return bytes.toString('base64')
}

const newGuardian = async (studentId: string, fields: Record<string, unknown>, isPayer = true): Promise<string> => {
  const guardian = await good(
    owner.post('/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: newPhone(), ...fields }),
  )
  const link = { guardianId: guardian.id, relationship: 'mother', isPrimary: false, isPayer }
  await good(owner.post(`/students/${studentId}/guardians`, link))
  return guardian.id
}

/** A student with a payer of record, and an invoice that is issued. */
const family = async () => {
  const person = { branchId: institute.branchId, firstName: 'Dana', lastName: 'Levi' }
  const { id: studentId } = await good(owner.post('/students', person))
  const address = { line1: 'Salah Street 5', city: 'Jerusalem' }
  const payerId = await newGuardian(studentId, { nationalId: '123456782', address, preferredLocale: 'en' })
  const lines = [{ description: 'March', unitAmountMinor: 45_000 }]
  const { id } = await good(owner.post('/invoices', { studentId, lines }))
  const issued = await good(owner.post(`/invoices/${id}/issue`))
  return { studentId, payerId, id: id as string, issued }
}

const pay = (id: string, amountMinor = 45_000) =>
  good(owner.post(`/invoices/${id}/payments`, { amountMinor, currency: 'ILS', method: 'cash' }))

/** Everything that stands on a paper is another from now on. */
const renameAll = async (studentId: string, payerId: string): Promise<string> => {
  const other = await newGuardian(studentId, { firstName: 'Samir', preferredLocale: 'ar' })
  await good(owner.patch(`/guardians/${payerId}`, { lastName: 'Cohen', nationalId: null, address: null }))
  await good(owner.patch(`/students/${studentId}`, { firstName: 'Noa' }))
  await good(owner.patch(`/branches/${institute.branchId}`, { name: 'Centre', address: { city: 'Haifa' } }))
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const { body: file } = await uploaded(app, owner, { bytes: png })
  await good(
    owner.patch('/settings', {
      name: `Institute ${Math.random()}`,
      invoiceFooter: `Footer ${Math.random()}`,
      papers: { taxNumber: String(Math.random()), address: `Street ${Math.random()}` },
      branding: { logoFileId: file.id, color: '#AA0044' },
    }),
  )
  return other
}

describe('an invoice that was issued and paid, and its receipt', () => {
  test('are the same bytes as on the day of issue when payer of record, guardian, student, branch and institute are others', async () => {
    await good(owner.patch('/settings', { papers: { taxNumber: '512345678' } }))
    const { id, studentId, payerId } = await family()
    const invoicePaper = await bytesOf(`/invoices/${id}/pdf`)
    await pay(id, 20_000)
    expect(await bytesOf(`/invoices/${id}/pdf`)).toBe(invoicePaper)
    await pay(id, 25_000)
    const [receipt] = (await good(owner.get('/receipts'))).data
    await good(owner.post(`/payments/${receipt.payments[0].id}/reverse`, { reason: 'Wrong family' }))
    const receiptPaper = await bytesOf(`/receipts/${receipt.id}/pdf`)
    expect(said()).toContain('123456782')
    expect(said()).toContain('Salah Street 5')
    await renameAll(studentId, payerId)
    expect(await bytesOf(`/invoices/${id}/pdf`)).toBe(invoicePaper)
    expect(said()).toContain('Ruth Levi')
    expect(said()).toContain('512345678')
    expect(await bytesOf(`/receipts/${receipt.id}/pdf`)).toBe(receiptPaper)
    // What is handed out from now on says what is so now.
    const lines = [{ description: 'April', unitAmountMinor: 45_000 }]
    const next = await good(owner.post('/invoices', { studentId, lines }))
    await good(owner.post(`/invoices/${next.id}/issue`))
    await bytesOf(`/invoices/${next.id}/pdf`)
    expect(said()).toContain('Samir Levi')
    expect(said()).toContain('Noa Levi')
  })

  test('keep their logo, whose file cannot be deleted', async () => {
    const first = await family()
    await renameAll(first.studentId, first.payerId)
    const { logoFileId } = (await good(owner.get('/settings'))).branding
    const { id, studentId, payerId } = await family()
    const before = await bytesOf(`/invoices/${id}/pdf`)
    await renameAll(studentId, payerId)
    const refused = await owner.delete(`/files/${logoFileId}`)
    expect([refused.status, refused.body.error.details]).toMatchObject([409, { namedBy: 'paper' }])
    expect(await bytesOf(`/invoices/${id}/pdf`)).toBe(before)
  })
})

describe('the debt of an issued invoice', () => {
  test('stays with who was the payer of record at issue: in their summary, on their receipt, together with their others', async () => {
    const { id, studentId, payerId, issued } = await family()
    expect(issued).toMatchObject({ payerGuardianId: payerId, payerName: 'Ruth Levi' })
    const other = await newGuardian(studentId, { firstName: 'Samir' })
    const openOf = async (guardianId: string) =>
      (await good(owner.get(`/guardians/${guardianId}/family-summary`))).financial.openInvoices.map(
        (invoice: { id: string }) => invoice.id,
      )
    expect(await openOf(payerId)).toEqual([id])
    expect(await openOf(other)).toEqual([])
    const lines = [{ description: 'April', unitAmountMinor: 45_000 }]
    const { id: next } = await good(owner.post('/invoices', { studentId, lines }))
    await good(owner.post(`/invoices/${next}/issue`))
    expect(await openOf(other)).toEqual([next])
    const allocations = [id, next].map((invoiceId) => ({ invoiceId, amountMinor: 100 }))
    const together = await owner.post('/payments', { allocations, currency: 'ILS', method: 'cash' })
    expect(together.body.error.details.reason).toBe('payers_differ')
    await pay(id, 100)
    expect((await good(owner.get('/receipts'))).data[0]).toMatchObject({
      payerGuardianId: payerId,
      payerName: 'Ruth Levi',
    })
  })

  test('stays with them in the lists, in their summary and on the statement, also when they are no guardian any more', async () => {
    const { id, studentId, payerId } = await family()
    const other = await newGuardian(studentId, { firstName: 'Samir', lastName: `Levi${Date.now()}` })
    const balances = async (guardianId: string) => {
      const { lastName } = await good(owner.get(`/guardians/${guardianId}`))
      const { data } = await good(owner.get(`/directory/guardians?q=${lastName}&limit=100`))
      return data.find((guardian: { id: string }) => guardian.id === guardianId).balances
    }
    const owed = [{ amountMinor: 45_000, currency: 'ILS' }]
    expect([await balances(payerId), await balances(other)]).toEqual([owed, []])
    await good(owner.delete(`/students/${studentId}/guardians/${payerId}`))
    const { financial } = await good(owner.get(`/guardians/${payerId}/family-summary`))
    expect(financial.openInvoices).toMatchObject([{ id }])
    expect([await balances(payerId), await balances(other)]).toEqual([owed, []])

    const lines = [{ description: 'April', unitAmountMinor: 10_000 }]
    const { id: next } = await good(owner.post('/invoices', { studentId, lines }))
    await good(owner.post(`/invoices/${next}/issue`))
    await pay(next, 3_000)
    expect((await good(owner.get(`/students/${studentId}/statement`))).payers).toMatchObject([
      { guardianId: payerId, name: 'Ruth Levi', balance: owed[0] },
      { guardianId: other, balance: { amountMinor: 7_000 } },
    ])
    await bytesOf(`/students/${studentId}/statement/pdf?locale=en`)
    expect(said()).toMatch(/"To","value":"Ruth Levi\\nSamir Levi/)
    expect(said()).toMatch(
      /"label":"Ruth Levi","value":"₪450.00".*"value":"₪70.00".*"label":"Balance","value":"₪520.00"/,
    )
  })

  test('of an invoice without a payer stays with the student, when there is a payer of record later', async () => {
    const person = { branchId: institute.branchId, firstName: 'Omar', lastName: 'Nasser' }
    const { id: studentId } = await good(owner.post('/students', person))
    const lines = [{ description: 'March', unitAmountMinor: 45_000 }]
    const { id } = await good(owner.post('/invoices', { studentId, lines }))
    await good(owner.post(`/invoices/${id}/issue`))
    const payerId = await newGuardian(studentId, {})
    expect((await good(owner.get(`/guardians/${payerId}/family-summary`))).financial.openInvoices).toEqual([])
    await pay(id)
    const [receipt] = (await good(owner.get('/receipts'))).data
    expect(receipt).toMatchObject({ payerGuardianId: null, students: [{ fullName: 'Omar Nasser' }] })
    const { payers } = await good(owner.get(`/students/${studentId}/statement`))
    expect(payers).toMatchObject([{ guardianId: null, name: null }])
  })

  test('is moved on purpose, with an entry in the audit log, and its paper names the new payer', async () => {
    const { id, studentId, payerId } = await family()
    const other = await newGuardian(studentId, { firstName: 'Samir', preferredLocale: 'ar' }, false)
    await bytesOf(`/invoices/${id}/pdf`)
    const former = said()
    const moved = await good(owner.post(`/invoices/${id}/payer`, { guardianId: other, reason: 'They agreed so' }))
    expect(moved).toMatchObject({
      payerGuardianId: other,
      payerName: 'Samir Levi',
      replaced: [{ payerGuardianId: payerId, payerName: 'Ruth Levi', reason: 'They agreed so' }],
    })
    await bytesOf(`/invoices/${id}/pdf?replaced=${moved.replaced[0].id}`)
    expect(said()).toBe(former.replace('"mark":null', '"mark":"Replaced"'))
    const again = await owner.post(`/invoices/${id}/payer`, { guardianId: other })
    expect([again.status, again.body.error.details.reason]).toEqual([409, 'same_payer'])
    const elsewhere = await family()
    const foreign = await pdf(app, owner, `/invoices/${elsewhere.id}/pdf?replaced=${moved.replaced[0].id}`)
    expect(foreign.status).toBe(404)
    await bytesOf(`/invoices/${id}/pdf`)
    expect(said()).toContain('Samir Levi')
    const entries = await auditOf(app, institute, 'invoices.move-payer')
    expect(entries.find((entry) => entry.entity_id === id)).toMatchObject({
      before: { payerGuardianId: payerId },
      after: { payerGuardianId: other },
      metadata: { reason: 'They agreed so' },
    })
    expect(await good(owner.post(`/invoices/${id}/payer`, { guardianId: null }))).toMatchObject({
      payerGuardianId: null,
    })
  })

  test('is not moved to somebody who is no guardian of the student, nor is that of a draft or a void invoice', async () => {
    const { id, studentId } = await family()
    const stranger = await good(owner.post('/guardians', { firstName: 'A', lastName: 'B', phone: newPhone() }))
    const refused = await owner.post(`/invoices/${id}/payer`, { guardianId: stranger.id })
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([422, ['guardianId']])
    await good(owner.post(`/invoices/${id}/void`, { reason: 'Entered twice' }))
    const draft = await good(
      owner.post('/invoices', { studentId, lines: [{ description: 'May', unitAmountMinor: 1 }] }),
    )
    for (const invoiceId of [id, draft.id]) {
      const { status, body } = await owner.post(`/invoices/${invoiceId}/payer`, { guardianId: null })
      expect([status, body.error.details.reason]).toEqual([409, 'not_issued'])
    }
  })
})
