import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine, LANGUAGES } from '../screens.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })
const tree = async () => (await school.institute.owner.get('/course-categories')).body

test('a category is added under another, renamed, retired, offered again, and deleted; one in use stays', async () => {
  const { courses, shell, refusals } = await loadWords.en()
  const { categories: words } = courses
  const page = await open({ as: owner(), path: '/courses' })
  await page.getByRole('link', { name: words.title }).click()
  await page.getByRole('button', { name: words.add }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: shell.save }).click()
  await dialog.getByText(words.nameMissing).waitFor()
  await dialog.getByRole('textbox', { name: courses.categoryName }).fill('Music')
  await dialog.getByRole('button', { name: new RegExp(words.atTop) }).click()
  await page.getByRole('option', { name: school.names.course }).click()
  await dialog.getByRole('button', { name: shell.save }).click()
  await page.getByText(words.added('Music')).waitFor()
  expect(await tree()).toMatchObject([{ children: [{ name: 'Music' }] }])

  const choose = async (name: string, entry: string) => {
    await page.getByRole('button', { name: words.more(name) }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await choose('Music', words.change)
  await dialog.getByRole('textbox', { name: courses.categoryName }).fill('Music and song')
  await dialog.getByRole('button', { name: shell.save }).click()
  await page.getByText(words.changed('Music and song')).waitFor()
  await choose('Music and song', words.retire)
  await dialog.getByRole('button', { name: words.retire }).click()
  await page.getByText(words.retired, { exact: true }).waitFor()
  expect(await tree()).toMatchObject([{ children: [{ name: 'Music and song', isActive: false }] }])
  await choose('Music and song', words.restore)
  await page.getByText(words.restored('Music and song')).waitFor()

  await choose(school.names.course, words.remove)
  await dialog.getByRole('button', { name: words.remove }).click()
  await dialog.getByText(refusals.reasons.category_in_use).waitFor()
  await dialog.getByRole('button', { name: shell.leaveIt }).click()
  await choose('Music and song', words.remove)
  await dialog.getByRole('button', { name: words.remove }).click()
  await page.getByText(words.removed('Music and song')).waitFor()
  expect(await tree()).toMatchObject([{ children: [] }])
})

test('whoever may only see courses changes no category', async () => {
  const { courses } = await loadWords.en()
  const page = await open({ as: await school.member('front_desk'), path: '/courses/categories' })
  await page.getByText(school.names.course).waitFor()
  expect(await page.getByRole('button', { name: courses.categories.add }).count()).toBe(0)
  expect(await page.getByRole('button', { name: courses.categories.more(school.names.course) }).count()).toBe(0)
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('the page reads well', async () => {
    const { courses } = await loadWords[locale]()
    const page = await open({ as: owner(), locale, path: '/courses/categories' })
    const list = page.getByRole('list', { name: courses.categories.title })
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    await examine(page, locale, `categories-${locale}`)
  })
})
