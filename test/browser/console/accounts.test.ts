import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestMember } from '#kit/institute.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let clerk: TestMember
let office: { userId: string }
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
  clerk = await school.member('front_desk')
  office = { userId: school.institute.ownerUserId }
})
afterAll(() => school.app.close())

const { accounts: words, invoices, payment: till, shell } = await loadWords.en()

const plain = (text: string | null): string => (text ?? '').replaceAll(/[\u2066-\u2069]/g, '')

/** A family of two children: the mother pays, the father is there too. */
interface Family {
  motherId: string
  fatherId: string
  childIds: [string, string]
  /** An issued invoice of the first child. */
  bill(unitAmountMinor: number): Promise<string>
  credit(): Promise<number>
}
let family: Family
let families = 0

beforeEach(async () => {
  const { owner, branchId } = school.institute
  families += 1
  const last = `Haddad ${families}`
  const made = async (path: string, body: object): Promise<string> => (await owner.post(path, body)).body.id
  const phone = (of: number) => `+97252${String(1_000_000 + families * 10 + of)}`
  const motherId = await made('/guardians', {
    firstName: 'Huda',
    lastName: last,
    phone: phone(0),
    preferredLocale: 'en',
  })
  const fatherId = await made('/guardians', {
    firstName: 'Sami',
    lastName: last,
    phone: phone(1),
    preferredLocale: 'en',
  })
  const childIds = [
    await made('/students', { branchId, firstName: 'Ali', lastName: last }),
    await made('/students', { branchId, firstName: 'Lina', lastName: last }),
  ] as [string, string]
  for (const id of childIds) {
    await owner.post(`/students/${id}/guardians`, {
      guardianId: motherId,
      relationship: 'mother',
      isPrimary: true,
      isPayer: true,
    })
    await owner.post(`/students/${id}/guardians`, {
      guardianId: fatherId,
      relationship: 'father',
      isPrimary: false,
      isPayer: false,
    })
  }
  family = {
    motherId,
    fatherId,
    childIds,
    bill: async (unitAmountMinor) => {
      const lines = [{ description: 'Lessons', unitAmountMinor }]
      const id = await made('/invoices', { studentId: childIds[0], lines, dueDate: '2026-12-01' })
      await owner.post(`/invoices/${id}/issue`, {})
      return id
    },
    credit: async () => (await owner.get(`/guardians/${motherId}/account`)).body.credit.amountMinor,
  }
})

const amount = (page: Page) => page.getByRole('textbox', { name: till.amount, exact: true })
const ahead = (amountMinor: number) =>
  school.institute.owner.post('/payments', {
    amountMinor,
    currency: 'ILS',
    method: 'cash',
    paidBy: { guardianId: family.motherId },
  })

describe('the till', () => {
  test('takes more than is owed: the rest is told before, and stays as credit of who pays', async () => {
    await family.bill(40_000)
    const page = await open({ as: clerk, path: `/pay/guardians/${family.motherId}`, size: 'desk' })
    await amount(page).fill('450')
    await page.getByText(/₪50\.00.* stays as credit of .*Huda/).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/receipts\//)
    const paper = plain(await page.getByRole('article').textContent())
    expect(paper).toContain(`${till.ahead}₪50.00`)
    expect(paper).toContain('₪450.00')
    expect(await family.credit()).toBe(5000)
  })

  test('takes money ahead where nothing is open, by the keyboard alone, of the other parent too', async () => {
    const page = await open({ as: clerk, path: `/pay/guardians/${family.motherId}`, size: 'desk' })
    await page.getByText(till.nothingOpenHint).waitFor()
    await press(page.getByRole('radio', { name: /Sami/ }))
    await amount(page).focus()
    await page.keyboard.type('120')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/receipts\//)
    const [receipt] = (await school.institute.owner.get('/receipts?limit=1')).body.data
    expect(receipt).toMatchObject({ payerGuardianId: family.fatherId, credit: { amountMinor: 12_000 } })
    expect(await family.credit()).toBe(0)
  })

  test('offers the credit that is there for what is open, and takes the rest', async () => {
    await school.institute.owner.patch('/settings', { applyCredit: false })
    await ahead(12_000)
    const id = await family.bill(40_000)
    await school.institute.owner.patch('/settings', { applyCredit: true })
    const page = await open({ as: clerk, path: `/pay/students/${family.childIds[0]}`, size: 'desk' })
    await page.getByRole('button', { name: /Use .*₪120\.00.* of credit/ }).click()
    await page.getByText(/₪120\.00.* was paid from credit/).waitFor()
    await expect.poll(() => amount(page).inputValue()).toBe('280.00')
    expect(await family.credit()).toBe(0)
    await page.getByRole('button', { name: /Take .*₪280\.00/ }).click()
    await page.waitForURL(/\/receipts\//)
    expect((await school.institute.owner.get(`/invoices/${id}`)).body.status).toBe('paid')
  })
})

test('credit is paid out from the account, and stands in it', async () => {
  await ahead(12_000)
  const page = await open({ as: clerk, path: `/guardians/${family.motherId}/account`, size: 'desk' })
  await page.getByRole('button', { name: shell.more }).click()
  await page.getByRole('menuitem', { name: words.refund }).click()
  const sheet = page.getByRole('dialog')
  const typed = sheet.getByRole('textbox', { name: words.refundAmount })
  await typed.and(page.locator(':focus')).waitFor()
  expect(await typed.inputValue()).toBe('120.00')
  await typed.fill('200')
  await sheet.getByRole('textbox', { name: words.refundReason }).fill('Moves away')
  await sheet.getByRole('button', { name: words.refundVerb }).click()
  await sheet
    .locator('.error')
    .getByText(/At most .*₪120\.00/)
    .waitFor()
  await typed.fill('70')
  await sheet.getByRole('button', { name: words.refundVerb }).click()
  await page.getByText(/₪70\.00.* was refunded/).waitFor()
  const list = page.getByRole('list', { name: words.entries })
  await list.getByText(words.kinds.refund).waitFor()
  expect(await family.credit()).toBe(5000)
  const download = page.waitForEvent('download')
  await list.getByRole('button', { name: /RF-2026-/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^RF-2026-.*pdf$/)
})

test('a credit note says what follows from it, and is made; its paper is one tap away', async () => {
  const id = await family.bill(40_000)
  await school.institute.owner.post(`/invoices/${id}/payments`, {
    amountMinor: 30_000,
    currency: 'ILS',
    method: 'cash',
  })
  const page = await open({ as: office, path: `/invoices/${id}`, size: 'desk' })
  await page.getByRole('button', { name: shell.more }).click()
  await page.getByRole('menuitem', { name: words.creditNote }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: words.noteVerb }).click()
  await sheet.getByText(words.noteAmountMissing).waitFor()
  // Of more than the invoice was, nothing follows.
  await sheet.getByRole('textbox', { name: words.noteAmount }).fill('401')
  expect(await sheet.getByText(/was paid already/).count()).toBe(0)
  await sheet.getByRole('textbox', { name: words.noteReason }).fill('Came late')
  await page.keyboard.press('Control+Enter')
  await sheet.getByText(/At most .*₪400\.00/).waitFor()
  await sheet.getByRole('textbox', { name: words.noteAmount }).fill('130')
  await sheet.getByText(/balance falls by .*₪100\.00/).waitFor()
  await sheet.getByText(/₪30\.00.* was paid already and becomes credit of .*Huda/).waitFor()
  await sheet.getByRole('textbox', { name: words.noteReason }).fill('Came late')
  await sheet.getByRole('button', { name: words.noteVerb }).click()
  await page
    .getByRole('list', { name: words.creditNotes })
    .getByText(/CN-2026-/)
    .waitFor()
  expect(await family.credit()).toBe(3000)
  const { body } = await school.institute.owner.get(`/invoices/${id}`)
  expect(body).toMatchObject({ status: 'paid', credited: { amountMinor: 13_000 }, balance: { amountMinor: 0 } })
})

test('a receipt is taken back in whole from any of its invoices, with what it left as credit', async () => {
  const first = await family.bill(10_000)
  const second = await family.bill(20_000)
  await school.institute.owner.post('/payments', {
    allocations: [
      { invoiceId: first, amountMinor: 10_000 },
      { invoiceId: second, amountMinor: 20_000 },
    ],
    amountMinor: 35_000,
    currency: 'ILS',
    method: 'cheque',
  })
  const page = await open({ as: office, path: `/invoices/${first}`, size: 'desk' })
  await page.getByRole('button', { name: invoices.takeBack }).click()
  const dialog = page.getByRole('dialog', { name: /R-2026-.*₪350\.00/ })
  await dialog.getByRole('textbox', { name: shell.reason }).fill('Bounced')
  await dialog.getByRole('button', { name: invoices.takeBack }).click()
  await page.getByText(/Taken back on .*Bounced/).waitFor()
  for (const id of [first, second])
    expect((await school.institute.owner.get(`/invoices/${id}`)).body.status).toBe('issued')
  expect(await family.credit()).toBe(0)
})

/** A paid invoice of which a part was credited, some of that refunded, and an open one beside the rest of the credit. */
const history = async (): Promise<string> => {
  const { owner } = school.institute
  const paid = await family.bill(45_000)
  await owner.post(`/invoices/${paid}/payments`, { amountMinor: 45_000, currency: 'ILS', method: 'card' })
  await owner.post(`/invoices/${paid}/credit-notes`, { amountMinor: 12_000, reason: 'Two lessons were cancelled' })
  await owner.post('/refunds', { guardianId: family.motherId, amountMinor: 2000, method: 'cash', reason: 'Books' })
  await owner.patch('/settings', { applyCredit: false })
  await family.bill(38_000)
  await owner.patch('/settings', { applyCredit: true })
  return paid
}

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the account and its sheet look right', async () => {
    const { accounts, shell: frame } = await loadWords[locale]()
    await history()
    const page = await open({ as: office, locale, path: `/guardians/${family.motherId}/account?scope=family` })
    await page.getByRole('list', { name: accounts.entries }).getByText(accounts.kinds.refund).waitFor()
    await expect.poll(() => page.getByRole('list', { name: accounts.entries }).getByRole('listitem').count()).toBe(5)
    await examine(page, locale, `console-account-${locale}`)
    await page.goto(`${school.app.url}/guardians/${family.motherId}/account`)
    await page.getByRole('button', { name: frame.more }).click()
    await page.getByRole('menuitem', { name: accounts.refund }).click()
    await page.getByRole('dialog').waitFor()
    await examine(page, locale, `console-refund-${locale}`)
  })

  test('an invoice that was credited, and what credits it, look right', async () => {
    const { accounts, shell: frame } = await loadWords[locale]()
    const page = await open({ as: office, locale, path: `/invoices/${await history()}` })
    await page.getByRole('list', { name: accounts.creditNotes }).waitFor()
    await expect
      .poll(() => page.getByRole('list', { name: accounts.creditNotes }).getByRole('listitem').count())
      .toBe(1)
    await examine(page, locale, `console-invoice-credited-${locale}`)
    await page.getByRole('button', { name: frame.more }).click()
    await page.getByRole('menuitem', { name: accounts.creditNote }).click()
    await page.getByRole('textbox', { name: accounts.noteAmount }).fill('50')
    await page.getByRole('dialog').getByRole('heading').click()
    await examine(page, locale, `console-credit-note-${locale}`)
  })

  test('the till with credit, and the lists of credit notes and refunds look right', async () => {
    const { payment } = await loadWords[locale]()
    await history()
    const page = await open({ as: office, locale, path: `/pay/guardians/${family.motherId}` })
    await page.getByRole('textbox', { name: payment.amount, exact: true }).fill('400')
    await page.getByRole('heading', { level: 1 }).click()
    expect(plain(await page.locator('form button[type=submit]').textContent())).toContain('400.00')
    await examine(page, locale, `console-till-credit-${locale}`)
    for (const list of ['credit-notes', 'refunds']) {
      await page.goto(`${school.app.url}/${list}`)
      await page.getByRole('main').getByRole('listitem').first().waitFor()
      await examine(page, locale, `console-${list}-${locale}`)
    }
  })
})
