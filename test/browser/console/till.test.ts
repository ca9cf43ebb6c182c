import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const SIZES = { en: 'desk', he: 'phone', ar: 'desk' } as const

/** Money in the till of a clerk. */
const paid = async (role: 'front_desk' | 'accountant', ...amounts: [method: string, amountMinor: number][]) => {
  const clerk = await school.member(role)
  const { owner } = school.institute
  for (const [method, amountMinor] of amounts) {
    const lines = [{ description: 'Lessons', unitAmountMinor: 90_000 }]
    const { body } = await owner.post('/invoices', { studentId: school.studentIds[3], lines, dueDate: '2026-12-01' })
    await owner.post(`/invoices/${body.id}/issue`, {})
    const payment = { amountMinor, currency: 'ILS', method }
    expect((await clerk.post(`/invoices/${body.id}/payments`, payment)).status).toBe(201)
  }
  return clerk
}

test('a clerk counts what was taken, says why it differs, and the close is kept', async () => {
  const { till: words, payment, refusals } = await loadWords.en()
  const clerk = await paid('front_desk', ['cash', 45_000], ['cash', 20_000], ['card', 12_000])
  const page = await open({ as: clerk, path: '/pay', size: 'desk', locale: 'en' })
  await page.getByRole('link', { name: words.title }).click()
  await page.getByText('₪650.00').first().waitFor()
  await page.getByRole('button', { name: words.close }).click()
  await page.getByText(words.notCounted).first().waitFor()
  await page.getByRole('textbox', { name: words.countOf(payment.methods.cash) }).fill('640')
  await page.getByText(words.missing('₪10.00')).waitFor()
  await page.getByRole('textbox', { name: words.countOf(payment.methods.card) }).fill('120')
  await page.getByText(words.fits, { exact: true }).waitFor()
  await page.getByRole('textbox', { name: words.note }).fill('Gave wrong change')

  // Something is taken back in another window meanwhile.
  const { data } = (await clerk.get('/payments?method=card')).body
  await clerk.post(`/payments/${data[0].id}/reverse`, { reason: 'The card was refused' })
  await page.getByRole('button', { name: words.close }).click()
  await page.getByText(refusals.reasons.till_changed).waitFor()
  await page.getByRole('textbox', { name: words.countOf(payment.methods.card) }).fill('0')
  await page.getByRole('button', { name: words.close }).click()
  await page.getByText(words.closed).waitFor()
  await page.getByText(words.empty).waitFor()
  await page.getByRole('list', { name: words.closes }).getByText('Gave wrong change').waitFor()
  expect((await clerk.get('/tills/closes')).body.data).toMatchObject([
    { hasDifference: true, note: 'Gave wrong change' },
  ])
})

test.each(LANGUAGES)('the till is looked at in $locale', async ({ locale }) => {
  const { till: words, payment } = await loadWords[locale]()
  const clerk = await paid('accountant', ['cash', 45_000], ['cheque', 90_000])
  const page = await open({ as: clerk, path: '/till', size: SIZES[locale], locale })
  await page.getByRole('textbox', { name: words.countOf(payment.methods.cash) }).fill('440')
  await page.getByRole('textbox', { name: words.countOf(payment.methods.cheque) }).fill('900')
  expect(await page.getByText(words.fits, { exact: true }).count()).toBeGreaterThan(0)
  await examine(page, locale, `console-till-${locale}`)
})
