import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { pdf, sheetsOf } from '#kit/paper.ts'
import type { Paper, Papers } from '#ports/papers/port.ts'
import { issuedInvoice, newInvoice, newReceipt } from '../examples/billing.ts'
import { newPhone, newStudent } from '../examples/people.ts'
import { newReport } from '../examples/progress-reports.ts'
import { newGroup, newPupil } from '../examples/sessions.ts'

/** Keeps what is printed, and prints it with the program's own printer. */
const printed: Paper[] = []
let fails: Error | undefined

let app: TestApp
let institute: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp({
    papers: (real: Papers) => ({
      ...real,
      print: (paper, logo) => {
        printed.push(paper)
        return fails ? Promise.reject(fails) : real.print(paper, logo)
      },
    }),
  })
  institute = await makeInstitute(app)
  world = worldOf(app, institute)
})
afterAll(() => app.close())

const get = (path: string, headers?: Record<string, string>, client = institute.owner) =>
  pdf(app, client, path, headers)
const last = (): Paper => printed.at(-1) as Paper
/** Everything that a paper says, without the isolates. */
const said = (paper = last()): string => JSON.stringify(paper).replaceAll(/[\u2066-\u2069]/g, '')

/** A student whose payer of record reads Hebrew. */
const hebrewFamily = async (): Promise<string> => {
  const { body: student } = await institute.owner.post('/students', {
    branchId: institute.branchId,
    firstName: 'יוסי',
    lastName: 'כהן',
  })
  const { body: guardian } = await institute.owner.post('/guardians', {
    firstName: 'רות',
    lastName: 'כהן',
    phone: newPhone(),
    preferredLocale: 'he',
  })
  await institute.owner.post(`/students/${student.id}/guardians`, {
    guardianId: guardian.id,
    relationship: 'mother',
    isPrimary: true,
    isPayer: true,
  })
  return student.id
}

describe('a paper', () => {
  test('is a PDF that browsers show, under the number of its record', async () => {
    const invoice = await issuedInvoice(world)
    const reply = await get(`/invoices/${invoice.id}/pdf`)
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename=${invoice.number}.pdf`,
        'content-length': String(reply.bytes.length),
      },
    })
    expect(reply.bytes.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(sheetsOf(reply.bytes)).toBe(1)
  })

  test('is the same to the byte for the same record, whenever it is made, and is not made for who has it', async () => {
    const { id } = await issuedInvoice(world)
    const one = await get(`/invoices/${id}/pdf`)
    app.clock.advance(600)
    const other = await get(`/invoices/${id}/pdf`)
    expect(other.bytes.equals(one.bytes)).toBe(true)
    const { etag } = one.headers as { etag: string }
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    expect(other.headers.etag).toBe(etag)
    const before = printed.length
    expect(await get(`/invoices/${id}/pdf`, { 'if-none-match': etag })).toMatchObject({ status: 304 })
    expect(printed).toHaveLength(before)
    await institute.owner.post(`/invoices/${id}/void`, { reason: 'Entered twice' })
    expect((await get(`/invoices/${id}/pdf`, { 'if-none-match': etag })).headers.etag).not.toBe(etag)
  })

  test('is in the language that is asked for, else the payer’s, else the institute’s', async () => {
    const { id } = await issuedInvoice(world, { studentId: await hebrewFamily() })
    await get(`/invoices/${id}/pdf`)
    expect(last()).toMatchObject({ locale: 'he', title: 'דרישת תשלום' })
    await get(`/invoices/${id}/pdf?locale=ar`)
    expect(last()).toMatchObject({ locale: 'ar', title: 'فاتورة' })
    await get(`/invoices/${(await issuedInvoice(world)).id}/pdf`)
    expect(last().locale).toBe((await institute.owner.get('/institute')).body.defaultLocale)
    expect(await institute.owner.get(`/invoices/${id}/pdf?locale=fr`)).toMatchObject({ status: 422 })
  })

  test('takes what people wrote as text, whatever it is', async () => {
    const hostile = '#panic("x") $x$ *b* \\ @a <b> #image("/etc/passwd") \u202Eeno\u2069 e\u0301 👩‍🏫'
    const { id } = await issuedInvoice(world, {
      lines: [{ description: hostile, unitAmountMinor: 100 }],
      notes: `${hostile}\n\n${hostile}`,
    })
    expect(await get(`/invoices/${id}/pdf`)).toMatchObject({ status: 200 })
    expect(JSON.stringify(last())).not.toContain('\u202E')
    expect(said()).toContain('#image(\\"/etc/passwd\\") eno')
  })

  test('has room for 200 lines and for words that no line has room for', async () => {
    const word = 'א'.repeat(200)
    const { id } = await issuedInvoice(world, {
      lines: Array.from({ length: 200 }, (_, at) => ({
        description: at % 2 === 0 ? word : `Lesson ${at}`,
        unitAmountMinor: at,
        discountMinor: at === 7 ? 7 : 0,
        taxRatePercent: 17.5,
      })),
    })
    const reply = await get(`/invoices/${id}/pdf`)
    expect(reply.status).toBe(200)
    expect(sheetsOf(reply.bytes)).toBeGreaterThan(3)
  })

  test('that fails is a 500 of its own, and the next one is made', async () => {
    const { id } = await issuedInvoice(world)
    fails = new Error('the printer is broken')
    try {
      expect(await institute.owner.get(`/invoices/${id}/pdf`)).toMatchObject({
        status: 500,
        body: { error: { code: 'INTERNAL_ERROR' } },
      })
    } finally {
      fails = undefined
    }
    expect(await get(`/invoices/${id}/pdf`)).toMatchObject({ status: 200 })
  })

  test('that a picture which is none belongs to is made without it', async () => {
    const image = Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100806000000', 'hex')
    const { body: file } = await uploaded(app, institute.owner, { bytes: image })
    await institute.owner.patch('/settings', { branding: { logoFileId: file.id, color: '#AA0044' } })
    const invoice = await issuedInvoice(world)
    expect(await get(`/invoices/${invoice.id}/pdf`)).toMatchObject({ status: 200 })
    expect(last().letterhead.color).toBe('#aa0044')
  })
})

describe('the institute on papers', () => {
  const letterhead = async (branchId: string, path: string): Promise<string[]> => {
    const { body: student } = await institute.owner.post('/students', {
      branchId,
      firstName: 'Dana',
      lastName: 'Levi',
    })
    const { id } = await issuedInvoice(world, { studentId: student.id })
    await get(`/invoices/${id}${path}`)
    return last().letterhead.lines.map((line) => line.replaceAll(/[\u2066-\u2069]/g, ''))
  }
  const set = async (papers: object) => expect((await institute.owner.patch('/settings', { papers })).status).toBe(200)

  test('has its address and tax number, and the name and address of a branch that is not the default one', async () => {
    const seat = { line1: '1 Mill Road', city: 'Acre', postalCode: '24100' }
    await institute.owner.patch(`/branches/${institute.branchId}`, { address: seat })
    const { body: harbour } = await institute.owner.post('/branches', {
      name: 'Harbour',
      isDefault: false,
      address: { line1: '7 Quay', city: 'Haifa' },
      phone: '+97248500000',
    })
    expect(await letterhead(institute.branchId, '/pdf?locale=en')).toEqual(['1 Mill Road', '24100 Acre'])
    await set({ taxNumber: '514123456', address: 'P.O. Box 12\nNazareth' })
    expect(await letterhead(institute.branchId, '/pdf?locale=en')).toEqual([
      'P.O. Box 12\nNazareth',
      'Tax number 514123456',
    ])
    expect(await letterhead(harbour.id, '/pdf?locale=en')).toEqual([
      'P.O. Box 12\nNazareth',
      'Harbour',
      '7 Quay',
      'Haifa',
      'Phone 04-850-0000',
      'Tax number 514123456',
    ])
  })

  test('has its tax number on receipts, statements and certificates, and on no class list or report', async () => {
    await set({ taxNumber: '514123456' })
    const groupId = await newGroup(world)
    const studentId = await newPupil(world, groupId)
    const { body: enrollments } = await institute.owner.get(`/enrollments?studentId=${studentId}`)
    const counts = async (path: string): Promise<boolean> => {
      expect((await get(`${path}?locale=en`)).status).toBe(200)
      return said().includes('514123456')
    }
    expect(await counts(`/receipts/${(await newReceipt(world)).id}/pdf`)).toBe(true)
    expect(await counts(`/students/${studentId}/statement/pdf`)).toBe(true)
    expect(await counts(`/enrollments/${enrollments.data[0].id}/certificate/pdf`)).toBe(true)
    expect(await counts(`/groups/${groupId}/roster/pdf`)).toBe(false)
    expect(await counts(`/progress-reports/${await newReport(world, { studentId, groupId })}/pdf`)).toBe(false)
  })
})

describe('an invoice', () => {
  test('that is a draft, void or a copy is marked as such', async () => {
    const { id } = await newInvoice(world)
    await get(`/invoices/${id}/pdf?locale=en`)
    expect(last()).toMatchObject({ mark: 'Draft', note: null })
    expect(said()).not.toContain('Issued on')
    await institute.owner.post(`/invoices/${id}/issue`)
    await get(`/invoices/${id}/pdf?locale=en&copy=true`)
    expect(said()).toContain('Issued on')
    expect(last()).toMatchObject({ mark: null, note: 'Copy' })
    await institute.owner.post(`/invoices/${id}/void`, { reason: 'Entered twice' })
    await get(`/invoices/${id}/pdf?locale=en`)
    expect(last()).toMatchObject({ mark: 'Void' })
    expect(said()).toContain('"Voided because","value":"Entered twice"')
  })

  test('says what is charged, and nothing of what was paid and taken back since', async () => {
    await institute.owner.patch('/settings', { invoiceFooter: 'Bank 12-345\nThank you' })
    const { id } = await issuedInvoice(world, {
      studentId: await hebrewFamily(),
      lines: [
        { description: 'Piano', quantity: 3, unitAmountMinor: 50_000, discountMinor: 10_000, taxRatePercent: 17.5 },
        { description: 'Book', unitAmountMinor: 0 },
      ],
    })
    const pay = (amountMinor: number) =>
      institute.owner.post(`/invoices/${id}/payments`, { amountMinor, currency: 'ILS', method: 'cheque' })
    const { body: wrong } = await pay(20_000)
    await institute.owner.post(`/payments/${wrong.id}/reverse`, { reason: 'Wrong family' })
    await pay(64_500)
    await get(`/invoices/${id}/pdf?locale=en`)
    expect(last().footer?.replaceAll(/[\u2066-\u2069]/g, '')).toBe('Bank 12-345\nThank you')
    const words = said()
    expect(words).toContain('"To","value":"רות כהן"')
    expect(words).toContain('["1","Piano","3","₪500.00","₪100.00","17.5%","₪1,645.00"]')
    expect(words).toContain('["2","Book","1","₪0.00","","","₪0.00"]')
    expect(words).toContain('{"label":"Total","value":"₪1,645.00"}')
    expect(words).not.toMatch(/Cheque|₪200.00|₪645.00|₪1,000.00/)
  })
})

describe('a receipt', () => {
  test('is a sheet or a strip, and says when it is cancelled', async () => {
    const receipt = await newReceipt(world)
    const sheet = await get(`/receipts/${receipt.id}/pdf?locale=en`)
    expect(sheet.headers['content-disposition']).toBe(`inline; filename=${receipt.number}.pdf`)
    expect(said()).toContain('{"label":"Received","value":"₪200.00"}')
    expect(said()).toContain('{"label":"Sum in words","value":"Two hundred shekels"}')
    expect(said()).toMatch(/\["March\\nInvoice INV-\d{4}-\d{6}","₪100.00"\]/)
    const strip = await get(`/receipts/${receipt.id}/pdf?locale=en&size=80mm`)
    expect(strip.headers.etag).not.toBe(sheet.headers.etag)
    expect(strip.bytes.toString('latin1')).toMatch(/\/MediaBox \[0 0 226\.77\d* /)
    for (const { id } of receipt.payments) await institute.owner.post(`/payments/${id}/reverse`, { reason: 'Wrong' })
    await get(`/receipts/${receipt.id}/pdf?locale=en`)
    expect(last()).toMatchObject({ mark: 'Cancelled' })
  })
})

test('a statement says what was owed and paid, from and to the days that are asked for', async () => {
  const studentId = await newStudent(world)
  const { id } = await issuedInvoice(world, { studentId })
  await institute.owner.post(`/invoices/${id}/payments`, { amountMinor: 10_000, currency: 'ILS', method: 'cash' })
  const all = await get(`/students/${studentId}/statement/pdf?locale=en`)
  expect(all.headers['content-disposition']).toMatch(/^inline; filename="Statement of account S-\d{6}\.pdf"$/)
  expect(said()).toContain('"Payment","INV-')
  const hebrew = await get(`/students/${studentId}/statement/pdf?locale=he`)
  expect(hebrew.headers['content-disposition']).toContain(`filename*=UTF-8''${encodeURIComponent('דף חשבון')}%20S-`)
  await get(`/students/${studentId}/statement/pdf?locale=en`)
  expect(said()).toContain('{"label":"Balance","value":"₪350.00"}')
  await get(`/students/${studentId}/statement/pdf?locale=en&from=2026-04-01`)
  expect(said()).toContain('{"label":"Balance before","value":"₪350.00"}')
  const wrong = `/students/${studentId}/statement/pdf?from=2026-04-01&to=2026-03-01`
  expect(await institute.owner.get(wrong)).toMatchObject({ status: 422 })
})

test('a progress report is marked while it is a draft, and has the figures and the comment', async () => {
  const groupId = await newGroup(world)
  const studentId = await newPupil(world, groupId, { email: 'pupil@example.org' })
  const id = await newReport(world, { studentId, groupId, comment: 'Well\ndone' })
  expect(await get(`/progress-reports/${id}/pdf?locale=en`)).toMatchObject({ status: 200 })
  expect(last()).toMatchObject({ mark: 'Draft', title: 'Progress report' })
  expect(said()).toContain('"title":"Comment","text":"Well\\ndone"')
  await institute.owner.post(`/progress-reports/${id}/send`)
  await get(`/progress-reports/${id}/pdf?locale=en`)
  expect(last().mark).toBe(null)
})

test('a class list has everybody, with the marks of the last sessions', async () => {
  const groupId = await newGroup(world)
  expect(await get(`/groups/${groupId}/roster/pdf?locale=en`)).toMatchObject({ status: 200 })
  expect(said()).toContain('Nobody is enrolled.')
  const studentId = await newPupil(world, groupId)
  const { body: session } = await institute.owner.post(`/groups/${groupId}/sessions`, {
    scheduledStart: new Date(Date.parse(app.clock.now()) + 60_000).toISOString(),
    scheduledEnd: '2026-03-02T10:00:00Z',
  })
  app.clock.advance(120)
  const marked = await institute.owner.put(`/sessions/${session.id}/attendance`, {
    entries: [{ studentId, status: 'late', minutesLate: 5 }],
  })
  expect(marked.status).toBe(200)
  await get(`/groups/${groupId}/roster/pdf?locale=en`)
  expect(last()).toMatchObject({ title: 'Class list', isWide: false })
  expect(said()).toMatch(/"rows":\[\["1","[^"]+","L"\]\]/)
})

test('a certificate says that somebody is, or was, enrolled', async () => {
  const groupId = await newGroup(world)
  const { body: enrollment } = await institute.owner.post('/enrollments', {
    groupId,
    studentId: await newStudent(world),
  })
  await get(`/enrollments/${enrollment.id}/certificate/pdf?locale=en`)
  expect(said()).toContain('is enrolled in')
  await institute.owner.post(`/enrollments/${enrollment.id}/drop`, { reason: 'Moved' })
  await get(`/enrollments/${enrollment.id}/certificate/pdf?locale=en`)
  expect(said()).toMatch(/was enrolled in .*from 2 March 2026 to 2 March 2026/)
})

test('a certificate speaks of her, of him, or in words that fit both where it is not known', async () => {
  const { body: student } = await institute.owner.get(`/students/${await newStudent(world)}`)
  const { body: enrollment } = await institute.owner.post('/enrollments', {
    groupId: await newGroup(world),
    studentId: student.id,
  })
  const saidIn = async (locale: string): Promise<string> => {
    await get(`/enrollments/${enrollment.id}/certificate/pdf?locale=${locale}`)
    return said()
  }
  for (const [gender, hebrew, arabic] of [
    ['female', 'רשומה אצלנו', 'مسجلة لدينا'],
    ['male', 'רשום אצלנו', 'مسجل لدينا'],
    [null, 'בין הרשומים אצלנו', 'ضمن المسجلين لدينا'],
  ] as const) {
    expect((await institute.owner.patch(`/students/${student.id}`, { gender })).status).toBe(200)
    expect(await saidIn('he')).toContain(hebrew)
    expect(await saidIn('ar')).toContain(arabic)
  }
})
