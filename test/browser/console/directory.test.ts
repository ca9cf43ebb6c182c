import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { en } from '../../../src/console/words/en/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

const { directory, people } = en

test('students stand by family name with groups, whom to call and what they owe', async () => {
  const page = await open({ as: await school.member('accountant'), path: '/students', size: 'desk' })
  const rows = page.getByRole('listitem').getByRole('link')
  await rows.first().waitFor()
  const names = await rows.locator('.name').allTextContents()
  expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
  const lina = page.getByRole('link', { name: /Khoury Lina/ })
  await lina.getByText('Arabic B1').waitFor()
  await lina.getByText('052-123-4567').waitFor()
})

test('a column is chosen and stays chosen; the order turns', async () => {
  const page = await open({ as: await school.member('front_desk'), path: '/students', size: 'desk' })
  const numbers = page.locator('.directory-head').getByText(directory.column.number, { exact: true })
  expect(await numbers.count()).toBe(0)
  await page.getByRole('button', { name: directory.columns }).click()
  await page.getByRole('menuitem', { name: directory.column.number }).click()
  await numbers.waitFor()
  await page.reload()
  await numbers.waitFor()
  await page.getByRole('button', { name: new RegExp(directory.order) }).click()
  await page.getByRole('option', { name: directory.orders.newest }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('newest')
})

test('parents have a list of their own, from which one calls on a phone', async () => {
  const page = await open({ as: await school.member('front_desk'), path: '/students' })
  await page.getByRole('link', { name: directory.guardians }).tap()
  await page.getByRole('heading', { level: 1, name: directory.guardians }).waitFor()
  const samira = page.getByRole('listitem').filter({ hasText: 'Samira' })
  await samira.getByText('Lina Khoury').waitFor()
  const call = samira.getByRole('link', { name: people.call('Samira') })
  expect(await call.getAttribute('href')).toBe('tel:+972521234567')
  await page.getByRole('searchbox').fill('nobody at all')
  await page.getByText(directory.noGuardianFound).waitFor()
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('both lists look right', async () => {
    const words = await loadWords[locale]()
    const as = { userId: school.institute.ownerUserId }
    const page = await open({ as, locale, path: '/students' })
    await page.getByText('Arabic B1').first().waitFor()
    await examine(page, locale, `console-students-${locale}`)
    await page.getByRole('link', { name: words.directory.guardians }).click()
    await page.getByRole('listitem').filter({ hasText: 'Samira' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/guardians')
    await examine(page, locale, `console-guardians-${locale}`)
  })
})
