import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestMember } from '#kit/institute.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let clerk: TestMember
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
  clerk = await school.member('front_desk')
})
afterAll(() => school.app.close())

const { cheques: words, payment, shell } = await loadWords.en()

/** An open invoice of a student. @returns the address of the till for it */
const owing = async (studentId: string, unitAmountMinor: number): Promise<string> => {
  const { owner } = school.institute
  const lines = [{ description: 'A year of lessons', unitAmountMinor }]
  const { body } = await owner.post('/invoices', { studentId, lines, dueDate: '2026-12-10' })
  await owner.post(`/invoices/${body.id}/issue`, {})
  return `/pay/students/${studentId}?invoice=${body.id}`
}

let last = 5000
const aCheque = (dueOn: string, amountMinor = 45_000) => {
  last += 1
  return { bank: '12', branch: '345', account: '678901', number: String(last), amountMinor, dueOn }
}

const taken = async (studentId: string, ...days: string[]) => {
  const cheques = days.map((day) => aCheque(day))
  const body = { currency: 'ILS', paidBy: { studentId }, cheques }
  return (await school.institute.owner.post('/cheques', body)).body
}

/** Opens the series by keyboard: the method is a choice of the arrows. */
const openSeries = async (page: Page, all: { payment: typeof payment; cheques: typeof words }): Promise<void> => {
  await page.getByRole('radio', { name: all.payment.methods.cash }).waitFor({ state: 'attached' })
  await page.getByRole('radio', { checked: true }).focus()
  for (let pressed = 0; pressed < 4; pressed += 1) {
    if (await page.getByRole('radio', { name: all.payment.methods.cheque }).isChecked()) break
    await page.keyboard.press('ArrowRight')
  }
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: all.cheques.bank }).waitFor()
}

const typeFirst = async (page: Page, count: string, number = '001001'): Promise<void> => {
  for (const text of ['12', '345', '678901', number, '٤٥٠', '31.1.27', count]) {
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(text)
    if (text !== count) await page.keyboard.press('Tab')
  }
}

test('ten cheques of a year are taken by keyboard alone, within half a minute', async () => {
  const studentId = school.studentIds[2] as string
  const page = await open({ as: clerk, path: await owing(studentId, 450_000), size: 'desk' })
  await page.getByRole('radio', { checked: true }).waitFor({ state: 'attached' })
  const began = performance.now()
  await openSeries(page, { payment, cheques: words })
  await typeFirst(page, '10')
  await page.getByRole('list', { name: words.all }).getByText('001001').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/receipts\/[0-9a-f-]{36}$/)
  expect(performance.now() - began).toBeLessThan(30_000)
  const { data } = (await school.institute.owner.get(`/cheques?studentId=${studentId}`)).body
  expect(data.map((one: { number: string; dueOn: string }) => [one.number, one.dueOn])).toEqual([
    ['001001', '2027-01-31'],
    ['001002', '2027-02-28'],
    ['001003', '2027-03-31'],
    ['001004', '2027-04-30'],
    ['001005', '2027-05-31'],
    ['001006', '2027-06-30'],
    ['001007', '2027-07-31'],
    ['001008', '2027-08-31'],
    ['001009', '2027-09-30'],
    ['001010', '2027-10-31'],
  ])
  expect(data.every(({ amount }: { amount: { amountMinor: number } }) => amount.amountMinor === 45_000)).toBe(true)
  // The receipt lists them with their days.
  await page.getByRole('article').getByText('28/02/2027').waitFor()
  // Among the receipts it says that nothing of it was collected yet.
  await page.goto(`${school.app.url}/receipts`)
  await page.getByRole('link', { name: /10 held cheques.*4,500\.00/ }).waitFor()
})

test('one of a series is changed, and what the server refuses is said and nothing is lost', async () => {
  const studentId = school.studentIds[3] as string
  const page = await open({ as: clerk, path: await owing(studentId, 100_000), size: 'desk' })
  await press(page.getByRole('radio', { name: payment.methods.cheque }))
  await page.getByRole('button', { name: words.several }).click()
  await page.keyboard.press('Enter')
  await page.getByText(words.missing).first().waitFor()
  await page.getByRole('textbox', { name: words.bank }).focus()
  await typeFirst(page, '3', '002001')
  const second = page.getByRole('group', { name: words.one(2) })
  await second.getByRole('textbox', { name: words.number }).fill('002001')
  await page.getByRole('button', { name: words.take(3) }).click()
  await page.getByText((await loadWords.en()).refusals.reasons.cheque_named_twice).waitFor()
  await second.getByRole('textbox', { name: words.number }).fill('4711')
  await second.getByRole('textbox', { name: words.oneAmount }).fill('100')
  await page.getByRole('button', { name: words.take(3) }).click()
  await page.waitForURL(/\/receipts\//)
  const { data } = (await school.institute.owner.get(`/cheques?studentId=${studentId}`)).body
  expect(data.map(({ amount }: { amount: { amountMinor: number } }) => amount.amountMinor)).toEqual([
    45_000, 10_000, 45_000,
  ])
})

test('a single cheque that was taken before is refused at its number', async () => {
  const studentId = school.studentIds[1] as string
  await taken(school.studentIds[6] as string, '2026-12-20')
  const page = await open({ as: clerk, path: await owing(studentId, 45_000), size: 'desk' })
  await openSeries(page, { payment, cheques: words })
  await typeFirst(page, '1', String(last))
  await page.keyboard.press('Enter')
  const { cheque_known: known } = (await loadWords.en()).refusals.reasons
  const number = page.getByRole('textbox', { name: words.number, exact: true })
  await page.getByRole('main').locator('.field', { has: number }).getByText(known).waitFor()
  await expect.poll(() => page.getByText(known).count()).toBe(1)
  await number.fill(`9${last}`)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/receipts\//)
})

test('what is due is taken to the bank with a list, and one that the bank did not pay is owed again', async () => {
  const studentId = school.studentIds[4] as string
  await owing(studentId, 90_000)
  const receipt = await taken(studentId, '2026-11-20', '2026-11-24', '2026-12-20')
  const page = await open({ as: clerk, path: '/today', size: 'desk' })
  await page.getByText(/2 cheques of/).waitFor()
  await page.goto(`${school.app.url}/cheques`)
  const november = page.getByRole('list', { name: 'November 2026' })
  await november.getByRole('checkbox').first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: words.chooseAll }).focus()
  await page.keyboard.press('Enter')
  // The button that took the key stays where it is, and takes the marks off again.
  await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe(words.chooseNone)
  for (const box of await november.getByRole('checkbox').all()) expect(await box.isChecked()).toBe(true)
  await page
    .getByRole('button', { name: words.deposit(2) })
    .first()
    .click()
  await page.getByRole('textbox', { name: words.bankAccount }).fill('12-345-1')
  const download = page.waitForEvent('download')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: words.deposit(2) })
    .click()
  expect((await download).suggestedFilename()).toContain('D-2026-000001')
  await november.getByText(words.statuses.deposited).first().waitFor()
  await page.getByRole('button', { name: words.actions(receipt.cheques[0].number) }).click()
  await page.getByRole('menuitem', { name: words.bounce }).click()
  await page.getByRole('textbox', { name: shell.reason }).fill('No cover')
  await page.keyboard.press('Control+Enter')
  await november.getByText(words.statuses.bounced).waitFor()
  await page.getByRole('button', { name: words.actions(receipt.cheques[2].number) }).click()
  await page.getByRole('menuitem', { name: words.giveBack }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.giveBack }).click()
  await page.getByText(words.statuses.returned).last().waitFor()
  await page.getByRole('button', { name: words.actions(receipt.cheques[0].number) }).click()
  await page.getByRole('menuitem', { name: words.replace }).click()
  await page.getByRole('dialog').getByText(payment.methods.cash, { exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.done }).click()
  await november.getByText(words.statuses.replaced).waitFor()
})

test('a cheque is exchanged for others of the same account, by keyboard alone', async () => {
  const studentId = school.studentIds[7] as string
  const { cheques } = await taken(studentId, '2027-05-20')
  const page = await open({ as: clerk, path: '/cheques?status=held', size: 'desk' })
  await page.getByRole('button', { name: words.actions(cheques[0].number) }).press('Enter')
  await page.getByRole('menuitem', { name: words.replace }).press('Enter')
  const dialog = page.getByRole('dialog')
  const number = dialog.getByRole('textbox', { name: words.number, exact: true })
  await number.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('7701')
  await page.keyboard.press('Tab')
  await page.keyboard.type('200')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('2')
  await dialog.getByText(words.tooLittle('₪50.00'), { exact: false }).waitFor()
  await dialog.getByRole('textbox', { name: words.oneAmount, exact: true }).fill('250')
  await dialog.getByRole('button', { name: words.take(2) }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const { data } = (await school.institute.owner.get(`/cheques?studentId=${studentId}`)).body
  const told = data.map(({ number: one, status, amount }: { number: string; status: string; amount: object }) => ({
    number: one,
    status,
    ...amount,
  }))
  expect(told).toEqual(
    expect.arrayContaining([
      { number: cheques[0].number, status: 'replaced', amountMinor: 45_000, currency: 'ILS' },
      { number: '7701', status: expect.any(String), amountMinor: 20_000, currency: 'ILS' },
      { number: '7702', status: expect.any(String), amountMinor: 25_000, currency: 'ILS' },
    ]),
  )
})

test('what is held of a guardian stands on their page, and opens their cheques', async () => {
  const { guardianId } = school
  const cheques = [aCheque('2027-06-20', 12_300)]
  await school.institute.owner.post('/cheques', { currency: 'ILS', paidBy: { guardianId }, cheques })
  const page = await open({ as: clerk, path: `/guardians/${guardianId}`, size: 'desk' })
  await page.getByRole('link', { name: words.held('₪123.00') }).click()
  await page.getByRole('list', { name: 'June 2027' }).getByText('₪123.00').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^What to do with cheque/ }).count()).toBe(1)
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the pages stand well', async () => {
    const all = await loadWords[locale]()
    const studentId = school.studentIds[5] as string
    const page = await open({ as: clerk, locale, path: await owing(studentId, 450_000), size: 'desk' })
    await press(page.getByRole('radio', { name: all.payment.methods.cheque }))
    await page.getByRole('button', { name: all.cheques.several }).click()
    await typeFirst(page, '6')
    await page.getByRole('heading', { level: 1 }).click()
    await expect.poll(() => page.getByRole('list', { name: all.cheques.all }).getByRole('listitem').count()).toBe(6)
    await examine(page, locale, `console-cheque-series-${locale}`)
    await taken(studentId, '2026-11-20', '2026-11-24', '2026-12-20')
    await page.goto(`${school.app.url}/cheques`)
    await page.getByRole('checkbox').first().waitFor({ state: 'attached' })
    await examine(page, locale, `console-cheques-${locale}`)
  })
})
