import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine, LANGUAGES } from '../screens.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let path: string
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
  // Five are in it.
  path = `/groups/${school.groupIds[3]}`
  await school.institute.owner.patch(path, { capacity: 5 })
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const waitingIn = async () => (await school.institute.owner.get(`${path}/waiting`)).body.data

test('who finds no place waits, is offered one that became free, and is enrolled when the family wants it', async () => {
  const { waiting: words, groups, people, shell, today } = await loadWords.en()
  const page = await open({ as: owner(), path, size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: words.add }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: words.note }).fill('Mondays only')
  await form.getByRole('searchbox', { name: people.search }).fill('Hala Farah')
  await form.getByRole('button', { name: /Hala Farah/ }).click()
  const list = page.getByRole('list', { name: words.title })
  await list.getByRole('link', { name: 'Hala Farah' }).waitFor()

  // Enrolling into the full group offers the list.
  await page.getByRole('button', { name: groups.enrolMany }).click()
  await form.getByRole('textbox', { name: groups.paste }).fill('Yousef Daher')
  await form.getByRole('button', { name: groups.lookUp }).click()
  await form.getByRole('button', { name: words.fullPut(1) }).click()
  await expect.poll(async () => (await waitingIn()).length).toBe(2)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await list.getByRole('link', { name: 'Yousef Daher' }).waitFor()
  await list.getByRole('button', { name: `${shell.more}: Yousef Daher` }).click()
  await page.getByRole('menuitem', { name: words.up }).click()
  await expect
    .poll(async () => (await waitingIn()).map(({ studentName }: { studentName: string }) => studentName))
    .toEqual(['Yousef Daher', 'Hala Farah'])

  await school.institute.owner.patch(path, { capacity: 6 })
  const home = await open({ as: owner(), path: '/today', size: 'desk', locale: 'en' })
  await home.getByText(words.free('Robotics', 2)).waitFor()
  await home
    .getByRole('listitem')
    .filter({ hasText: words.free('Robotics', 2) })
    .getByRole('link', { name: today.look })
    .click()
  const there = home.getByRole('list', { name: words.title })
  await there.getByRole('button', { name: words.offer }).first().click()
  await home.getByRole('dialog').getByRole('button', { name: words.offer }).click()
  await there.getByText(words.offeredUntil('27/11/2026')).waitFor()
  await there.getByRole('button', { name: words.accept }).click()
  await expect.poll(async () => (await waitingIn()).length).toBe(1)
  await home.getByRole('link', { name: 'Yousef Daher' }).first().waitFor()
})

test.each(LANGUAGES)('the list is looked at in $locale', async ({ locale }) => {
  const { waiting: words } = await loadWords[locale]()
  const page = await open({ as: owner(), path, size: locale === 'he' ? 'phone' : 'desk', locale })
  await expect.poll(() => page.getByRole('list', { name: words.title }).getByRole('listitem').count()).toBe(1)
  await examine(page, locale, `console-waiting-${locale}`)
})
