import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { unzip } from '#kit/archive.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { pdf as bytesOf } from '#kit/paper.ts'
import { volume } from '#kit/volume.ts'
import { faultsOf, field, recordsOf } from '../../contract/uniform-structure.ts'
import { act } from '../billing/books-acts.ts'
import { playIn, type Play } from '../billing/books-play.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { newFamily } from '../examples/people.ts'

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 31_536_000 } })
})
afterAll(() => app.close())

/** An institute that the authority knows. */
const business = async (): Promise<TestInstitute> => {
  const own = await makeInstitute(app)
  expect((await own.owner.patch('/settings', { papers: { taxNumber: '51-234567-4' } })).status).toBe(200)
  return own
}

beforeEach(async () => {
  app.clock.set('2026-03-02T08:25:00.000Z')
  school = await business()
  world = worldOf(app, school)
})

const YEAR = '?from=2026-01-01&to=2026-12-31'

const filesOf = async (own: TestInstitute, query = YEAR) => {
  const { status, bytes, headers } = await bytesOf(app, own.owner, `/accounting/uniform-file${query}`, {
    'accept-language': 'en',
  })
  expect([status, headers['content-type']]).toEqual([200, 'application/zip'])
  const outer = await unzip(bytes)
  const [readMe = '', ini = '', zip = ''] = outer.keys()
  const data = (await unzip(outer.get(zip) as Buffer)).get('BKMVDATA.TXT') as Buffer
  return {
    paths: [readMe, ini, zip],
    readMe: String(outer.get(readMe)),
    records: recordsOf(outer.get(ini) as Buffer, data),
  }
}

const of = (records: readonly string[], code: string) => records.filter((record) => field(record, 'code') === code)

test('the files lie where the authority wants them, and say whose they are, of which days and when they were made', async () => {
  await issuedInvoice(world)
  const { paths, readMe, records } = await filesOf(school)
  const folder = 'OPENFRMT/51234567.26/03021025'
  expect(paths).toEqual(['README.txt', `${folder}/INI.TXT`, `${folder}/BKMVDATA.ZIP`])
  expect(faultsOf(records)).toEqual([])
  const [head = ''] = records.ini
  const said = (['taxNumber', 'years', 'path', 'bookkeeping', 'from', 'to', 'madeOn', 'madeAt'] as const).map((name) =>
    field(head, `A000.${name}`).trim(),
  )
  expect(said).toEqual([
    '512345674',
    '2',
    'OPENFRMT\\51234567.26\\03021025',
    '2',
    '20260101',
    '20261231',
    '20260302',
    '1025',
  ])
  expect(
    (['language', 'letters', 'currency', 'hasBranches'] as const).map((name) => field(head, `A000.${name}`)),
  ).toEqual(['0', '1', 'ILS', '0'])
  expect(readMe).toContain('Not certified')
  expect(readMe).toContain('Invoices (300): 1, 450.00')
})

test('a tax of 100 percent is written as the highest that its field has room for', async () => {
  const { id: studentId } = await newFamily(world)
  const lines = [{ description: 'March', unitAmountMinor: 10_000, taxRatePercent: 100 }]
  await issuedInvoice(world, { studentId, lines })
  const { records } = await filesOf(school)
  expect(faultsOf(records)).toEqual([])
  expect(of(records.data, 'D110').map((line) => field(line, 'D110.taxRate'))).toContain('9999')
})

test('an invoice has its lines, discount and tax, and a receipt its money', async () => {
  const { id: studentId } = await newFamily(world)
  const lines = [
    { description: 'March', unitAmountMinor: 10_000, quantity: 3, discountMinor: 5000, taxRatePercent: 17.5 },
    { description: 'Book', unitAmountMinor: 4000 },
  ]
  const { id: invoiceId, number } = await issuedInvoice(world, { studentId, lines })
  const payment = { currency: 'ILS', method: 'cheque', amountMinor: 40_000 }
  const receipt = (
    await school.owner.post('/payments', { ...payment, allocations: [{ invoiceId, amountMinor: 33_375 }] })
  ).body
  const { records } = await filesOf(school)
  expect(faultsOf(records)).toEqual([])
  const [invoice = '', paid = ''] = of(records.data, 'C100')
  const amounts = ['beforeDiscount', 'discount', 'net', 'tax', 'total'] as const
  expect(field(invoice, 'C100.type') + field(invoice, 'C100.number').trim()).toBe(`300${number.replaceAll('-', '')}`)
  expect(amounts.map((one) => field(invoice, `C100.${one}`))).toEqual([
    '+00000000034000',
    '-00000000005000',
    '+00000000029000',
    '+00000000004375',
    '+00000000033375',
  ])
  const [first = '', second = ''] = of(records.data, 'D110')
  expect(
    (['quantity', 'unitPrice', 'discount', 'net', 'taxRate'] as const).map((one) => field(first, `D110.${one}`)),
  ).toEqual(['+0000000000030000', '+00000000010000', '-00000000005000', '+00000000025000', '1750'])
  expect([field(first, 'D110.description').trim(), field(second, 'D110.description').trim()]).toEqual(['March', 'Book'])
  expect(field(paid, 'C100.type') + field(paid, 'C100.number').trim()).toBe(`400${receipt.number.replaceAll('-', '')}`)
  const [money = ''] = of(records.data, 'D120')
  expect([field(money, 'D120.method'), field(money, 'D120.amount')]).toEqual(['2', '+00000000040000'])
})

test('a receipt lists its cheques with bank, branch, account, number and day, also while they are held', async () => {
  const { id: studentId } = await newFamily(world)
  const drawn = { bank: '12', branch: '345', account: '678901', amountMinor: 45_000 }
  const cheques = [
    { ...drawn, number: '0000100', dueOn: '2026-03-10' },
    { ...drawn, number: '0000101', dueOn: '2026-04-10' },
  ]
  expect(
    (await school.owner.post('/cheques', { paidBy: { studentId }, currency: 'ILS', allocations: [], cheques })).status,
  ).toBe(201)
  const { records } = await filesOf(school)
  expect(faultsOf(records)).toEqual([])
  expect(of(records.data, 'C100').map((paper) => field(paper, 'C100.total'))).toEqual(['+00000000090000'])
  expect(of(records.data, 'D120').map((record) => record.slice(49, 118))).toEqual([
    '200000000120000000345000000000678901000000010020260310+00000000045000',
    '200000000120000000345000000000678901000000010120260410+00000000045000',
  ])
})

test('a void invoice and a cancelled receipt are marked, a credit note is negative and names its invoice', async () => {
  const voided = await issuedInvoice(world)
  await school.owner.post(`/invoices/${voided.id}/void`, { reason: 'Twice' })
  const paid = await issuedInvoice(world)
  const allocations = [{ invoiceId: paid.id, amountMinor: 1000 }]
  const receipt = (await school.owner.post('/payments', { currency: 'ILS', method: 'cash', allocations })).body
  await school.owner.post(`/receipts/${receipt.id}/reverse`, { reason: 'Bounced' })
  await school.owner.post(`/invoices/${paid.id}/credit-notes`, { amountMinor: 5000, reason: 'Came late' })
  const { records } = await filesOf(school)
  expect(faultsOf(records)).toEqual([])
  const papers = of(records.data, 'C100').map((paper) => [
    field(paper, 'C100.type'),
    field(paper, 'C100.total'),
    field(paper, 'C100.isVoid').trim(),
  ])
  expect(papers).toEqual([
    ['300', '+00000000045000', '1'],
    ['300', '+00000000045000', ''],
    ['300', '-00000000005000', ''],
    ['400', '+00000000001000', '1'],
  ])
  const noted = of(records.data, 'D110').at(-1) ?? ''
  expect(field(noted, 'D110.baseNumber').trim()).toBe(paid.number.replaceAll('-', ''))
})

test('Hebrew names stand as they are, Arabic ones in Hebrew letters', async () => {
  const names = [
    ['שרה', 'לוי'],
    ['سميرة', 'حدّاد'],
    ['خالد', 'ضاهر'],
  ]
  for (const [firstName, lastName] of names) {
    const { body } = await school.owner.post('/students', { branchId: school.branchId, firstName, lastName })
    await issuedInvoice(world, { studentId: body.id })
  }
  const { records } = await filesOf(school)
  expect(of(records.data, 'C100').map((paper) => field(paper, 'C100.name').trim())).toEqual([
    'שרה לוי',
    'סמירה חדאד',
    "ח'אלד צ'אהר",
  ])
})

test('invoices in other currencies are left out and counted, also from the next year', async () => {
  await issuedInvoice(world, { currency: 'USD' })
  await issuedInvoice(world)
  const { records, readMe } = await filesOf(school)
  expect([faultsOf(records), of(records.data, 'C100').length]).toEqual([[], 1])
  expect(readMe).toContain('Invoices in other currencies, which are not in the files: 1')
  const next = await filesOf(school, '?from=2027-01-01&to=2027-12-31')
  expect(faultsOf(next.records)).toEqual([])
  // Nothing happened, but something is still owed.
  expect(of(next.records.data, 'B110').map((account) => field(account, 'B110.opening'))).toEqual([
    '-00000000045000',
    '+00000000045000',
  ])
})

test('without a tax number of nine digits, and in another currency, there are no files', async () => {
  await school.owner.patch('/settings', { papers: { taxNumber: '1234' } })
  const without = await school.owner.get(`/accounting/uniform-file${YEAR}`)
  expect([without.status, without.body.error.details.reason]).toEqual([409, 'no_tax_number'])
  await school.owner.patch('/settings', { papers: { taxNumber: '512345674' }, currency: 'EUR' })
  const other = await school.owner.get(`/accounting/uniform-file${YEAR}`)
  expect([other.status, other.body.error.details.reason]).toEqual([409, 'not_in_shekels'])
})

test('files of histories of chance pass every check', async () => {
  const histories = fc.sample(fc.array(act, { minLength: 40, maxLength: 40 }), {
    numRuns: volume(2, 100),
    seed: 20_261_131,
  })
  for (const [index, acts] of histories.entries()) {
    const { plays, school: own } = await playIn(app)
    const [play] = plays as [Play]
    await own.owner.patch('/settings', { papers: { taxNumber: '512345674' } })
    for (const one of acts) {
      app.clock.advance(60)
      await play.step(one)
    }
    const { records } = await filesOf(own)
    expect([index, faultsOf(records)]).toEqual([index, []])
  }
})
