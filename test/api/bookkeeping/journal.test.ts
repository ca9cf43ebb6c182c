import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { readCsv } from '#kit/archive.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { volume } from '#kit/volume.ts'
import { act } from '../billing/books-acts.ts'
import { playIn, type Play } from '../billing/books-play.ts'
import { newCourse } from '../examples/academics.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { newFamily } from '../examples/people.ts'
import { create, newGroup } from '../examples/sessions.ts'
import { imported } from '../imports/importing.ts'

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 31_536_000 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-02T08:00:00.000Z')
  school = await makeInstitute(app)
  world = worldOf(app, school)
})

const HEADS = ['Date', 'What', 'Number', 'Account', 'Name of the account', 'Debit', 'Credit', 'Branch']

interface Line {
  date: string
  what: string
  number: string | null
  account: string
  name: string
  /** In minor units; negative: credited. */
  amount: number
}

const minor = (text: string | null | undefined): number => (text ? Math.round(Number(text) * 100) : 0)

const journal = async (of: TestInstitute, query: string): Promise<Line[]> => {
  const reply = await fetch(`${app.url}/api/v1/accounting/journal${query}`, {
    headers: { Authorization: `Bearer ${of.owner.credential}`, 'Accept-Language': 'en' },
  })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const [heads, ...rows] = readCsv(Buffer.from(await reply.arrayBuffer()))
  expect(heads).toEqual(HEADS)
  return rows.map(([date, what, number, account, name, debit, credit]) => ({
    date: date ?? '',
    what: what ?? '',
    number: number ?? null,
    account: account ?? '',
    name: name ?? '',
    amount: minor(debit) - minor(credit),
  }))
}

const YEAR = '?from=2026-01-01&to=2026-12-31'

const sum = (lines: readonly Line[]): number => lines.reduce((all, { amount }) => all + amount, 0)
const said = (lines: readonly Line[]) => lines.map(({ date, what, name, amount }) => [date, what, name, amount])

/** A family whose child is enrolled in Algebra. */
const family = async () => {
  const { id: studentId, guardianId } = await newFamily(world)
  const groupId = await newGroup(world, { courseId: await newCourse(world, { name: 'Algebra' }) })
  const enrollmentId = await create(world, '/enrollments', { studentId, groupId })
  const { firstName, lastName } = (await school.owner.get(`/guardians/${guardianId}`)).body
  return { studentId, enrollmentId, payer: `${firstName} ${lastName}` }
}

const invoiceOf = (studentId: string, enrollmentId?: string) =>
  issuedInvoice(world, {
    studentId,
    lines: [
      { description: 'March', unitAmountMinor: 30_000, ...(enrollmentId && { enrollmentId }) },
      { description: 'Book', unitAmountMinor: 10_000, taxRatePercent: 17 },
    ],
  })

test('an invoice debits its payer and credits the income of its course, other income and the tax', async () => {
  const { studentId, enrollmentId, payer } = await family()
  await invoiceOf(studentId, enrollmentId)
  expect(said(await journal(school, YEAR))).toEqual([
    ['2026-03-02', 'Invoice', payer, 41_700],
    ['2026-03-02', 'Invoice', 'Income: Algebra', -30_000],
    ['2026-03-02', 'Invoice', 'Other income', -10_000],
    ['2026-03-02', 'Invoice', 'VAT on sales', -1700],
  ])
})

test('money counts on its day, and what came before the first day stands as balance brought forward', async () => {
  const { studentId, payer } = await family()
  const { id: invoiceId } = await invoiceOf(studentId)
  app.clock.set('2026-03-03T07:00:00.000Z')
  const receipt = { currency: 'ILS', method: 'cheque', amountMinor: 50_000, receivedAt: '2026-03-02T22:30:00.000Z' }
  const { number } = (
    await school.owner.post('/payments', { ...receipt, allocations: [{ invoiceId, amountMinor: 41_700 }] })
  ).body
  const later = await journal(school, '?from=2026-03-03&to=2026-03-31')
  expect(said(later)).toEqual([
    ['2026-03-03', 'Balance brought forward', 'VAT on sales', -1700],
    ['2026-03-03', 'Balance brought forward', 'Other income', -40_000],
    ['2026-03-03', 'Balance brought forward', payer, 41_700],
    // In Jerusalem it is past midnight.
    ['2026-03-03', 'Receipt', 'Cheques', 41_700],
    ['2026-03-03', 'Receipt', payer, -41_700],
    ['2026-03-03', 'Receipt', 'Cheques', 8300],
    ['2026-03-03', 'Receipt', payer, -8300],
  ])
  expect(later.at(-1)?.number).toBe(number)
  expect(await journal(school, '?from=2026-03-01&to=2026-03-02')).toHaveLength(3)
})

test('a credit note takes back of each account in proportion, to the minor unit', async () => {
  const { studentId, enrollmentId, payer } = await family()
  const { id } = await invoiceOf(studentId, enrollmentId)
  await school.owner.post(`/invoices/${id}/credit-notes`, { amountMinor: 10_001, reason: 'Came late' })
  const note = (await journal(school, YEAR)).filter(({ what }) => what === 'Credit note')
  // 30,000, 10,000 and 1,700 of 41,700: 7,194.96, 2,398.32 and 407.71.
  expect(said(note).map(([, , name, amount]) => [name, amount])).toEqual([
    ['Income: Algebra', 7195],
    ['Other income', 2398],
    ['VAT on sales', 408],
    [payer, -10_001],
  ])
})

test('the parts of a credit note come to it also where each by itself would be rounded up', async () => {
  const { studentId, enrollmentId, payer } = await family()
  const { id } = await invoiceOf(studentId, enrollmentId)
  await school.owner.post(`/invoices/${id}/credit-notes`, { amountMinor: 10_002, reason: 'Came late' })
  const note = (await journal(school, YEAR)).filter(({ what }) => what === 'Credit note')
  // 7,195.68, 2,398.56 and 407.75.
  expect(said(note).map(([, , name, amount]) => [name, amount])).toEqual([
    ['Income: Algebra', 7196],
    ['Other income', 2398],
    ['VAT on sales', 408],
    [payer, -10_002],
  ])
})

test('an invoice that was moved takes what is open to the other payer, on that day', async () => {
  const { studentId, payer } = await family()
  const { id } = await invoiceOf(studentId)
  await school.owner.post(`/invoices/${id}/payments`, { amountMinor: 1700, currency: 'ILS', method: 'cash' })
  app.clock.set('2026-03-02T23:00:00.000Z')
  await school.owner.post(`/invoices/${id}/payer`, { guardianId: null, reason: 'Pays alone' })
  const before = await journal(school, '?from=2026-03-01&to=2026-03-02')
  const after = await journal(school, '?from=2026-03-03&to=2026-03-31')
  expect(sum(before.filter(({ name }) => name === payer))).toBe(40_000)
  const { firstName, lastName } = (await school.owner.get(`/students/${studentId}`)).body
  expect(said(after.filter(({ what }) => what === 'Invoice moved to another payer'))).toEqual([
    ['2026-03-03', 'Invoice moved to another payer', `${firstName} ${lastName}`, 40_000],
    ['2026-03-03', 'Invoice moved to another payer', payer, -40_000],
  ])
})

test('credit with which a family comes from another program is no money that was received', async () => {
  const { owner, branchId } = school
  const student = { branchId, studentNumber: 'S-100001', firstName: 'Dana', lastName: 'Levi' }
  const { body } = await owner.post('/students', student)
  await imported(app, owner, 'Student number,Balance,Description\r\nS-100001,-5.50,From before\r\n', {
    kind: 'balances',
  })
  const account = `S${body.id.replaceAll('-', '').slice(-14)}`
  const opened = { what: 'Opening balance', number: 'From before' }
  expect(await journal(school, YEAR)).toMatchObject([
    { ...opened, account: '3000', name: 'Opening balances', amount: 550 },
    { ...opened, account, name: 'Dana Levi', amount: -550 },
  ])
})

test('a period that ends before it begins, and one of more than 366 days, are refused', async () => {
  for (const query of ['?from=2026-03-02&to=2026-03-01', '?from=2026-01-01&to=2027-01-02']) {
    const { status, body } = await school.owner.get(`/accounting/journal${query}`)
    expect([query, status, body.error.details.issues[0].path]).toEqual([query, 422, ['to']])
  }
})

test('in histories of chance each paper comes to 0, and each account to what its payer owes', async () => {
  const histories = volume(3, 200)
  for (const [index, acts] of fc
    .sample(fc.array(act, { minLength: 40, maxLength: 40 }), { numRuns: histories, seed: 20_261_130 })
    .entries()) {
    const { plays, school: own } = await playIn(app)
    const [play] = plays as [Play]
    const people = play.family
    for (const one of acts) {
      app.clock.advance(60)
      await play.step(one)
    }
    const lines = await journal(own, YEAR)
    const papers = [...Map.groupBy(lines, ({ what, number }) => `${what} ${number}`).values()]
    expect([index, papers.filter((paper) => sum(paper) !== 0)]).toEqual([index, []])
    const accounts = Map.groupBy(lines, ({ account }) => account)
    const holders = [`guardians/${people.mother}`, `guardians/${people.father}`, `students/${people.students[2]}`]
    for (const holder of holders) {
      const [kind, id = ''] = holder.split('/')
      const key = (kind === 'guardians' ? 'G' : 'S') + id.replaceAll('-', '').slice(-14)
      const { balance } = (await own.owner.get(`/${holder}/account`)).body
      expect([index, holder, sum(accounts.get(key) ?? [])]).toEqual([index, holder, balance.amountMinor])
    }
    const money = lines.filter(({ account }) => account.startsWith('11'))
    expect([index, sum(money)]).toEqual([index, play.books.till])
  }
})
