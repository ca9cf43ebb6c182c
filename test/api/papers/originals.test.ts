import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MailError, type Mail } from '#ports/mail/port.ts'
import type { Paper, Papers } from '#ports/papers/port.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { pdf } from '#kit/paper.ts'
import { auditOf } from '#kit/records.ts'

/** What stands on the paper, by its bytes: several may be made at once. */
const notes = new Map<string, Paper['note']>()
let mails: Mail[] = []
let refusal: MailError | undefined

let app: TestApp
let institute: TestInstitute
let desk: Client
let other: Client

beforeAll(async () => {
  app = await startApp({
    config: { accessTokenSeconds: 7 * 86_400 },
    papers: (real: Papers) => ({
      ...real,
      print: async (paper, logo) => {
        const bytes = await real.print(paper, logo)
        notes.set(bytes.toString('base64'), paper.note)
        return bytes
      },
    }),
    openMailer: () => ({
      send: async (mail) => {
        mails.push(mail)
        if (refusal) throw refusal
        return { answer: 'taken', passwordUnused: false }
      },
      close: async () => {},
    }),
  })
})
beforeEach(async () => {
  institute = await makeInstitute(app)
  desk = await institute.member({ role: 'front_desk' })
  other = await institute.member({ role: 'accountant' })
  await app.drain()
  mails = []
  refusal = undefined
})
afterAll(() => app.close())

/** A receipt that the front desk issued. */
const newReceipt = async (): Promise<string> => {
  const student = { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad', email: 'noor@example.org' }
  const { body: made } = await institute.owner.post('/students', student)
  const lines = [{ description: 'March', unitAmountMinor: 45_000 }]
  const { body: invoice } = await institute.owner.post('/invoices', { studentId: made.id, lines })
  await institute.owner.post(`/invoices/${invoice.id}/issue`)
  const allocations = [{ invoiceId: invoice.id, amountMinor: 45_000 }]
  const { status, body } = await desk.post('/payments', { allocations, currency: 'ILS', method: 'cash' })
  expect(status).toBe(201)
  return body.id
}

/** How the paper is marked that this person gets. */
const noteFor = async (client: Client, id: string, query = ''): Promise<Paper['note'] | undefined> => {
  const { status, bytes } = await pdf(app, client, `/receipts/${id}/pdf?locale=en${query}`)
  expect(status).toBe(200)
  return notes.get(bytes.toString('base64'))
}

const noteOfMail = (at: number): Paper['note'] | undefined => {
  const [paper] = mails[at]?.attachments ?? []
  return paper && notes.get(paper.bytes.toString('base64'))
}

describe('the first paper of a receipt', () => {
  test('is the original and all later ones are copies, with an entry in the audit log', async () => {
    const id = await newReceipt()
    await app.pass(3600)
    expect(await noteFor(other, id)).toBe('Original')
    expect(await noteFor(institute.owner, id)).toBe('Copy')
    expect(await noteFor(desk, id)).toBe('Copy')
    const entries = await auditOf(app, institute, 'receipts.pdf')
    expect(entries).toMatchObject([{ entity_id: id, metadata: { original: expect.any(String) } }])
  })

  test('is the original again for who got it and for who recorded the payment, within the hour', async () => {
    const id = await newReceipt()
    expect(await noteFor(other, id)).toBe('Original')
    await app.pass(3599)
    expect([await noteFor(other, id), await noteFor(desk, id)]).toEqual(['Original', 'Original'])
    expect(await noteFor(institute.owner, id)).toBe('Copy')
    await app.pass(1)
    expect([await noteFor(other, id), await noteFor(desk, id)]).toEqual(['Copy', 'Copy'])
  })

  test('goes to one of many who ask at once', async () => {
    const id = await newReceipt()
    const people = await Promise.all(
      Array.from({ length: 6 }, () => institute.member({ permissions: ['invoices.read'] })),
    )
    const got = await Promise.all(people.map((person) => noteFor(person, id)))
    expect(got.toSorted()).toEqual(['Copy', 'Copy', 'Copy', 'Copy', 'Copy', 'Original'])
  })

  test('is not taken by a HEAD, by a copy that is asked for, or by who sees a part of it', async () => {
    const id = await newReceipt()
    const headers = { authorization: `Bearer ${other.credential}` }
    const head = await request(`${app.url}/api/v1/receipts/${id}/pdf`, { method: 'HEAD', headers })
    expect(head.statusCode).toBe(200)
    expect(await noteFor(other, id, '&copy=true')).toBe('Copy')
    expect(await noteFor(institute.owner, id)).toBe('Original')
  })
})

describe('a receipt of several branches', () => {
  test('is a copy for who sees a part of it, and its original waits for somebody who sees all', async () => {
    const student = { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad' }
    const { body: made } = await institute.owner.post('/students', student)
    const north = (await institute.owner.post('/branches', { name: 'North' })).body.id
    const lines = [{ description: 'March', unitAmountMinor: 45_000 }]
    const allocations: { invoiceId: string; amountMinor: number }[] = []
    for (const branchId of [institute.branchId, north]) {
      await institute.owner.patch(`/students/${made.id}`, { branchId })
      const { body } = await institute.owner.post('/invoices', { studentId: made.id, lines })
      await institute.owner.post(`/invoices/${body.id}/issue`)
      allocations.push({ invoiceId: body.id, amountMinor: 45_000 })
    }
    const { body } = await institute.owner.post('/payments', { allocations, currency: 'ILS', method: 'cash' })
    const ofBranch = await institute.member({ role: 'front_desk', branchId: north })
    expect(await noteFor(ofBranch, body.id)).toBe('Copy')
    expect(await noteFor(other, body.id)).toBe('Original')
  })
})

describe('a mail with a receipt', () => {
  const send = async (id: string) => expect((await institute.owner.post(`/receipts/${id}/send`)).status).toBe(200)

  test('carries the original where nobody has it, also when it is sent again after a fault, and a copy the next time', async () => {
    const id = await newReceipt()
    await app.drain()
    mails = []
    refusal = new MailError('the mail server is away', false)
    await send(id)
    await app.drain()
    refusal = undefined
    await app.pass(7200)
    expect([noteOfMail(0), noteOfMail(1)]).toEqual(['Original', 'Original'])
    expect(await noteFor(other, id)).toBe('Copy')
    await send(id)
    await app.drain()
    expect(noteOfMail(2)).toBe('Copy')
  })

  test('that is refused for good gives the original back', async () => {
    const id = await newReceipt()
    await app.drain()
    mails = []
    refusal = new MailError('no such mailbox', true)
    await send(id)
    await app.drain()
    expect(noteOfMail(0)).toBe('Original')
    await app.pass(7200)
    expect(await noteFor(other, id)).toBe('Original')
  })

  test('carries a copy where the office has handed out the original', async () => {
    const id = await newReceipt()
    expect(await noteFor(desk, id)).toBe('Original')
    await app.drain()
    mails = []
    await send(id)
    await app.drain()
    expect(noteOfMail(0)).toBe('Copy')
  })
})
