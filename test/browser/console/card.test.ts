import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { STRIPE } from '#kit/payments/stripe.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** Payment by card: tried before it is switched on, with a warning where notices could not arrive. */

let school: School
const { open } = watched(() => school)
const owner = () => ({ userId: school.institute.ownerUserId })

beforeAll(async () => {
  school = await openSchool('en')
  await school.institute.owner.put('/payment-providers/stripe', { isOn: false, ...STRIPE })
})
afterAll(() => school.app.close())

const isOn = async (): Promise<boolean> => {
  const { data } = (await school.institute.owner.get('/payment-providers')).body
  return data.some((one: { isOn: boolean }) => one.isOn)
}

test('switching on tries the account first, and says why it is not taken', async () => {
  const { card: words } = await loadWords.en()
  const page = await open({ as: owner(), path: '/settings/card', size: 'desk', locale: 'en' })
  await page.getByText(words.noticeProblems.not_public).first().waitFor()
  let answer = { ok: false, error: 'Invalid API Key' as string | null }
  await page.route('**/api/v1/payment-providers/stripe/test', (route) => route.fulfill({ json: answer }))
  await page.getByRole('button', { name: words.switchOn, exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'Invalid API Key' }).waitFor()
  expect(await isOn()).toBe(false)
  await page.getByRole('button', { name: words.switchOnAnyway }).click()
  await page.getByText(words.switchedOn).waitFor()
  expect(await isOn()).toBe(true)
  await page.getByRole('button', { name: words.switchOff }).click()
  await expect.poll(isOn).toBe(false)
  answer = { ok: true, error: null }
  await page.getByRole('button', { name: words.switchOn, exact: true }).click()
  await expect.poll(isOn).toBe(true)
  await page.getByRole('button', { name: words.switchOff }).click()
  await expect.poll(isOn).toBe(false)
})

test.each(LANGUAGES)('the page is looked at in $locale', async ({ locale }) => {
  const { card: words } = await loadWords[locale]()
  const page = await open({ as: owner(), path: '/settings/card', size: locale === 'en' ? 'desk' : 'phone', locale })
  await page.getByText(words.noticeProblems.not_public).first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: words.switchOn, exact: true }).count()).toBe(1)
  await examine(page, locale, `console-card-${locale}`)
})

test('a company is taken away with its keys', async () => {
  const { card: words } = await loadWords.en()
  const page = await open({ as: owner(), path: '/settings/card', size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: words.forget }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.forget }).click()
  await page.getByText(words.forgotten(words.names.stripe)).waitFor()
  await expect.poll(() => page.getByRole('button', { name: words.switchOn, exact: true }).count()).toBe(0)
  const { data } = (await school.institute.owner.get('/payment-providers')).body
  expect(data.every((one: { secretSetAt: string | null }) => one.secretSetAt === null)).toBe(true)
})
