import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine, LANGUAGES } from '../screens.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const closures = async () => (await school.institute.owner.get('/closures')).body.data

test('days are closed, changed and opened again, and holidays are ticked and closed together', async () => {
  const { closures: words, shell } = await loadWords.en()
  const page = await open({ as: owner(), path: '/week', size: 'desk', locale: 'en' })
  await page.getByRole('link', { name: words.title }).click()
  await page.getByText(words.noneYet).waitFor()
  await page.getByRole('button', { name: words.add }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: words.close, exact: true }).click()
  await form.getByText(words.nameMissing).waitFor()
  await form.getByRole('textbox', { name: words.name }).fill('Storm')
  await form.getByRole('textbox', { name: words.from }).fill('26.11.2026')
  await form.getByRole('textbox', { name: words.to }).fill('25.11.2026')
  await form.getByRole('button', { name: words.close, exact: true }).click()
  await form.getByText(words.endFirst).waitFor()
  await form.getByRole('textbox', { name: words.to }).fill('27.11.2026')
  await form.getByRole('button', { name: words.close, exact: true }).click()
  await page
    .getByRole('list', { name: words.listTitle(2026) })
    .getByText('Storm')
    .waitFor()
  expect(await closures()).toMatchObject([{ name: 'Storm', from: '2026-11-26', to: '2026-11-27', isBilled: true }])

  // The day in the year opens it.
  await page.getByRole('button', { name: words.dayClosed('Thursday 26 November', 'Storm') }).click()
  await form.getByRole('textbox', { name: words.name }).fill('Flood')
  await form.getByRole('button', { name: shell.save }).click()
  await page
    .getByRole('list', { name: words.listTitle(2026) })
    .getByText('Flood')
    .waitFor()

  await press(page.getByRole('checkbox', { name: /Hanukkah/ }))
  await press(page.getByRole('checkbox', { name: /^Christmas/ }).first())
  await page.getByRole('button', { name: words.closeTicked(2) }).click()
  await page.getByText(words.closedHolidays(2)).waitFor()
  expect((await closures()).map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'Christmas',
    'Flood',
    'Hanukkah',
  ])

  await page.getByRole('button', { name: words.moreOf('Flood') }).click()
  await page.getByRole('menuitem', { name: words.reopen }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.reopen }).click()
  await page.getByText(words.reopened('Flood')).waitFor()
  expect(await closures()).toHaveLength(2)
})

test.each(LANGUAGES)('the year is looked at in $locale', async ({ locale }) => {
  const { closures: words } = await loadWords[locale]()
  const page = await open({ as: owner(), path: '/closures', size: 'desk', locale })
  await page.getByRole('group', { name: words.yearOf(2026) }).waitFor()
  await page.getByRole('button', { name: words.next }).click()
  await page.getByRole('group', { name: words.yearOf(2027) }).waitFor()
  await page.getByText(words.upToTheMoon).first().waitFor()
  await expect.poll(() => page.getByRole('table').count()).toBe(12)
  await examine(page, locale, `console-closures-${locale}`)
})

test('who may not write groups sees what is closed, and nothing to change it', async () => {
  const { closures: words } = await loadWords.en()
  const reader = await school.institute.member({ permissions: ['groups.read'] })
  const page = await open({ as: reader, path: '/closures', size: 'phone', locale: 'en' })
  await page
    .getByRole('list', { name: words.listTitle(2026) })
    .getByText('Hanukkah')
    .waitFor()
  expect(await page.getByRole('button', { name: words.add }).count()).toBe(0)
  expect(await page.getByRole('checkbox').count()).toBe(0)
})

test('who manages one branch closes it alone, and changes nothing of the others', async () => {
  const { closures: words } = await loadWords.en()
  const { branchId, owner: client } = school.institute
  const everywhere = { name: 'Ashura', from: '2027-12-01', to: '2027-12-01' }
  expect((await client.post('/closures', everywhere)).status).toBe(201)
  const manager = await school.institute.member({ role: 'branch_manager', branchId })
  const page = await open({ as: manager, path: '/closures?year=2027', size: 'phone', locale: 'en' })
  const closed = page.getByRole('list', { name: words.listTitle(2027) })
  await closed.getByText('Ashura').waitFor()
  expect(await closed.getByRole('button').count()).toBe(0)
  await press(page.getByRole('checkbox', { name: /^Purim/ }).first())
  await page.getByRole('button', { name: words.closeTicked(1) }).click()
  await page.getByText(words.closedHolidays(1)).waitFor()
  expect(await closures()).toContainEqual(expect.objectContaining({ branchId, name: expect.stringMatching(/^Purim/) }))
  await examine(page, 'en', 'console-closures-manager')
})
