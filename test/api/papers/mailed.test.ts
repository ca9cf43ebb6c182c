import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MailError, type Mail } from '#ports/mail/port.ts'
import type { Paper, Papers } from '#ports/papers/port.ts'
import { RateLimited } from '#kernel/values/errors.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newPhone } from '../examples/people.ts'

let app: TestApp
let institute: TestInstitute
/** In place of the program's own printer. */
let print: Papers['print']
let printed: Paper[] = []
let mails: Mail[] = []
let refusal: MailError | undefined
const logged: string[] = []
const PDF = Buffer.from('%PDF-1.7')

beforeAll(async () => {
  app = await startApp({
    config: { accessTokenSeconds: 7 * 86_400 },
    papers: (real) => ({
      ...real,
      print: (paper, logo) => {
        printed.push(paper)
        return print(paper, logo)
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
    log: pino({ level: 'warn' }, { write: (line: string) => logged.push(line) }),
  })
})
beforeEach(async () => {
  institute = await makeInstitute(app)
  await app.drain()
  print = async () => PDF
  printed = []
  mails = []
  logged.length = 0
  refusal = undefined
})
afterAll(() => app.close())

const wantPapers = async (): Promise<void> => {
  expect((await institute.owner.patch('/settings', { papers: { inMails: true } })).status).toBe(200)
}

const newStudent = async (): Promise<string> => {
  const student = { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad', email: 'noor@example.org' }
  return (await institute.owner.post('/students', student)).body.id
}

/** Issues an invoice, and forgets what was mailed if `isQuiet`. */
const issued = async (studentId: string) => {
  const lines = [{ description: 'March', unitAmountMinor: 45_000 }]
  const { body } = await institute.owner.post('/invoices', { studentId, lines })
  expect((await institute.owner.post(`/invoices/${body.id}/issue`)).status).toBe(200)
  return body
}

/** Those to the student: the owner has an invitation too. */
const toStudent = (): Mail[] => mails.filter(({ to }) => to === 'noor@example.org')

describe('a mail about money', () => {
  test('has no paper, and none is printed, unless the institute wants it', async () => {
    await issued(await newStudent())
    await app.drain()
    expect(toStudent()).toHaveLength(1)
    expect(toStudent()[0]?.attachments ?? []).toEqual([])
    expect(printed).toEqual([])
  })

  test('carries the invoice, or the receipt, under the name that its address has, in the language of the mail', async () => {
    await wantPapers()
    const studentId = await newStudent()
    const { body: guardian } = await institute.owner.post('/guardians', {
      firstName: 'רות',
      lastName: 'כהן',
      phone: newPhone(),
      email: 'ruth@example.org',
      preferredLocale: 'he',
    })
    await institute.owner.post(`/students/${studentId}/guardians`, {
      guardianId: guardian.id,
      relationship: 'mother',
      isPrimary: true,
      isPayer: true,
    })
    const { id, number } = await issued(studentId)
    await app.drain()
    expect(mails.find(({ to }) => to === 'ruth@example.org')).toMatchObject({
      locale: 'he',
      attachments: [{ name: `${number}.pdf`, type: 'application/pdf', bytes: PDF }],
    })
    expect(printed).toMatchObject([{ locale: 'he', title: 'דרישת תשלום', mark: null, note: null }])

    mails = []
    const paid = { amountMinor: 45_000, currency: 'ILS', method: 'cash' }
    expect((await institute.owner.post(`/invoices/${id}/payments`, paid)).status).toBe(201)
    await app.drain()
    const [receipt] = (await institute.owner.get('/receipts')).body.data
    expect(mails.flatMap(({ attachments = [] }) => attachments.map(({ name }) => name))).toEqual([
      `${receipt.number}.pdf`,
    ])
    expect(printed.at(-1)).toMatchObject({ locale: 'he', title: 'קבלה' })
  })

  test('about a payment over several invoices is one, which names them all and carries the receipt', async () => {
    await wantPapers()
    const studentId = await newStudent()
    const invoices = [await issued(studentId), await issued(studentId), await issued(studentId)]
    await app.drain()
    mails = []
    const { body: receipt } = await institute.owner.post('/payments', {
      allocations: invoices.map(({ id }) => ({ invoiceId: id, amountMinor: 10_000 })),
      currency: 'ILS',
      method: 'cash',
    })
    await app.drain()
    const [mail, ...others] = toStudent()
    expect(others).toEqual([])
    expect(mail?.attachments?.map(({ name }) => name)).toEqual([`${receipt.number}.pdf`])
    for (const { number } of invoices) expect(mail?.text).toContain(number)
    expect(mail?.text).toContain('300.00')
    // Still to pay of the three.
    expect(mail?.text).toContain('1,050.00')
  })

  test('goes once, without its paper, when that cannot be made, and the log says so', async () => {
    await wantPapers()
    print = () => Promise.reject(new Error('the printer is broken'))
    await issued(await newStudent())
    await app.drain()
    await app.pass(3600)
    expect(toStudent()).toHaveLength(1)
    expect(toStudent()[0]?.attachments).toEqual([])
    expect(logged.join('')).toContain('a paper could not be made: the mail goes without it')
    expect(logged.join('')).not.toContain('Noor')
  })

  test('goes without a paper that no mail server would take', async () => {
    await wantPapers()
    print = async () => Buffer.alloc(5_000_001)
    await issued(await newStudent())
    await app.drain()
    expect(toStudent()).toMatchObject([{ attachments: [] }])
    expect(logged.join('')).toContain('a paper is too large for a mail')
  })

  test('waits for a printer that is busy, and that is no attempt of it', async () => {
    await wantPapers()
    let isBusy = true
    print = () => (isBusy ? Promise.reject(RateLimited()) : Promise.resolve(PDF))
    await issued(await newStudent())
    await app.drain()
    expect(toStudent()).toEqual([])
    isBusy = false
    await app.pass(5)
    expect(toStudent()).toMatchObject([{ attachments: [{ bytes: PDF }] }])
    const { data } = (await institute.owner.get('/notifications?channel=email')).body
    expect(data).toMatchObject([{ status: 'sent', attempts: 1 }])
  })

  test('that the mail server refuses for now is sent again with the paper, under the same id', async () => {
    await wantPapers()
    refusal = new MailError('busy', false)
    await issued(await newStudent())
    await app.drain()
    refusal = undefined
    await app.pass(3600)
    const [first, second, ...more] = toStudent()
    expect(more).toEqual([])
    expect(second).toMatchObject({ id: first?.id, attachments: [{ bytes: PDF }] })
  })

  test('of a void invoice that waited has it marked as such', async () => {
    await wantPapers()
    const { id } = await issued(await newStudent())
    await institute.owner.post(`/invoices/${id}/void`, { reason: 'Entered twice' })
    await app.drain()
    expect(printed).toMatchObject([{ mark: 'Void' }])
  })
})

describe('a receipt that the office sends', () => {
  /** A paid invoice, of which no mail carries a paper. */
  const paid = async (studentId: string) => {
    const { id } = await issued(studentId)
    const payment = { amountMinor: 45_000, currency: 'ILS', method: 'cash' }
    expect((await institute.owner.post(`/invoices/${id}/payments`, payment)).status).toBe(201)
    await app.drain()
    mails = []
    printed = []
    return (await institute.owner.get('/receipts')).body.data[0] as { id: string; number: string }
  }
  const send = (id: string, as = institute.owner) => as.post(`/receipts/${id}/send`)
  const names = () => mails.map(({ to, attachments = [] }) => [to, attachments.map(({ name }) => name)])

  test('goes as PDF, also where papers stay out of mails, each time that it is asked for', async () => {
    const { id, number } = await paid(await newStudent())
    const desk = await institute.member({ role: 'front_desk' })
    expect(await send(id, desk)).toMatchObject({ status: 200, body: { id, number } })
    await app.drain()
    expect(names()).toEqual([['noor@example.org', [`${number}.pdf`]]])
    expect(mails[0]?.subject.replaceAll(/[\u2068\u2069]/g, '')).toBe(`Receipt ${number}`)
    expect((await send(id)).status).toBe(200)
    await app.drain()
    expect(names()).toHaveLength(2)
    const { data } = (await institute.owner.get('/audit?entityType=receipt')).body
    expect(data[0]).toMatchObject({ action: 'receipts.send', entityId: id })
  })

  test('goes to the payer who stands on it, whoever pays now, and not without its paper', async () => {
    const studentId = await newStudent()
    const payer = async (firstName: string, email: string | null) => {
      const guardian = { firstName, lastName: 'Haddad', phone: newPhone(), email, preferredLocale: 'ar' }
      const { body } = await institute.owner.post('/guardians', guardian)
      const link = { guardianId: body.id, relationship: 'mother', isPrimary: false, isPayer: true }
      expect((await institute.owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
      return body.id as string
    }
    const former = await payer('Rana', 'rana@example.org')
    const { id, number } = await paid(studentId)
    await payer('Salma', 'salma@example.org')
    let isBroken = true
    print = () => (isBroken ? Promise.reject(new Error('the printer is broken')) : Promise.resolve(PDF))
    expect((await send(id)).status).toBe(200)
    await app.drain().catch(() => {})
    expect(names()).toEqual([])
    isBroken = false
    await app.pass(3600)
    expect(names()).toEqual([['rana@example.org', [`${number}.pdf`]]])

    expect((await institute.owner.patch(`/guardians/${former}`, { email: null })).status).toBe(200)
    expect(await send(id)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'nobody_reached' } } },
    })
  })

  test('is sent by somebody who reaches all of it, and may record payments', async () => {
    const studentId = await newStudent()
    const second = (await institute.owner.post('/branches', { name: 'North' })).body.id as string
    const first = await issued(studentId)
    await institute.owner.patch(`/students/${studentId}`, { branchId: second })
    const allocations = [first, await issued(studentId)].map(({ id }) => ({ invoiceId: id, amountMinor: 10_000 }))
    const { body } = await institute.owner.post('/payments', { allocations, currency: 'ILS', method: 'cash' })
    const ofBranch = await institute.member({ role: 'front_desk', branchId: second })
    expect(await send(body.id, ofBranch)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'receipt_reaches_further' } } },
    })
    const teacher = await institute.member({ role: 'teacher' })
    expect((await send(body.id, teacher)).status).toBe(403)
    expect((await send(body.id)).status).toBe(200)
  })
})
