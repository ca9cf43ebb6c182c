import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

test('the front desk finds a student by keyboard alone, and sees where they are now', async () => {
  const page = await open({ as: await school.member('front_desk'), path: '/today', size: 'desk', locale: 'en' })
  await page.keyboard.press('/')
  const field = page.getByRole('combobox')
  await field.waitFor()
  await page.keyboard.type('Lina')
  const first = page.getByRole('option', { name: /Lina Khoury/ })
  await first.getByText(/Lesson now: .Arabic B1., .Room 2., until .17:30./).waitFor()
  expect(await first.getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Lina Khoury' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/students/${school.studentIds[0]}`)
  // What was looked at stands ready, and in no storage.
  await page.keyboard.press('/')
  await page.getByRole('option', { name: /Lina Khoury/ }).waitFor()
  expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('Khoury')
})

test('digits of any keyboard find a phone number', async () => {
  const page = await open({ as: await school.member('front_desk'), path: '/find?q=٠٥٢١٢٣٤٥٦٧', locale: 'en' })
  await page.getByRole('option', { name: /Samira Khoury/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Samira Khoury' }).waitFor()
  expect(await page.getByRole('link', { name: '052-123-4567' }).getAttribute('href')).toBe('tel:+972521234567')
})

test('the number of a receipt leads to it', async () => {
  const { owner } = school.institute
  const [studentId] = school.studentIds
  const paid = { currency: 'ILS', method: 'cash', amountMinor: 5000, paidBy: { studentId } }
  const { number, id } = (await owner.post('/payments', paid)).body
  const page = await open({ as: await school.member('accountant'), path: `/find?q=${number}`, locale: 'en' })
  await page.getByRole('option', { name: number }).click()
  await expect.poll(() => page.url()).toContain(`/receipts/${id}`)
})
