import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine, LANGUAGES } from '../screens.ts'
import { isolate } from '../../../src/shared/isolate.ts'
import { keepPicture } from '#kit/browser.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const LIST = [
  'Pupil,Family name,Mobile,Mother name,Mother phone,Shoes',
  'Lian,Khoury,0501330001,Hala Khoury,0501330002,36',
  'Noa,Cohen,12,,,35',
  'Omar,Aziz,0501330003,,,',
].join('\r\n')

/** Who is there already and changes, a brother of hers, somebody whose phone is none, and somebody who is new. */
const LATER = [
  'First name,Family name,Mobile,Born,Gender,City,Mother name,Mother phone,Shoes',
  'Lian,Khoury,0501330001,24/11/2014,f,Haifa,Hala Khoury,0501330002,36',
  'Rami,Khoury,,5/6/2016,m,Haifa,Hala Khoury,0501330002,',
  'Noa,Cohen,12,3/4/2015,f,Acre,,,35',
  'Sara,Levi,0501330009,1/2/2015,f,Acre,Dana Levi,0501330010,34',
].join('\r\n')

const owner = () => ({ userId: school.institute.ownerUserId })

/** Presses what begins an import, and lets the import run. */
const begin = async (page: Page, press: () => Promise<void>): Promise<void> => {
  const asked = page.waitForResponse((one) => one.url().endsWith('/imports') && one.request().method() === 'POST')
  await press()
  await asked
  await school.app.drain()
}

const chooseList = async (page: Page, button: string, list: string): Promise<void> => {
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  const picker = await chosen
  await begin(page, () => picker.setFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) }))
}

test('a list is looked at, its columns are matched, and it is imported', async () => {
  const { imports: words, people } = await loadWords.en()
  const page = await open({ as: owner(), path: '/students', size: 'desk' })
  await page.getByRole('link', { name: words.open }).click()
  await chooseList(page, words.choose, LIST)
  await page.getByText(words.reasons.column_missing).first().waitFor()
  await page.getByRole('button', { name: /Pupil/ }).click()
  await page.getByRole('option', { name: words.labels.fields.firstName, exact: true }).click()
  await begin(page, () => page.getByRole('button', { name: words.again }).click())
  const faults = page.getByRole('list', { name: words.faults })
  await faults.getByText(words.reasons.not_a_phone).waitFor()
  await page.reload()
  await faults.getByText(words.reasons.not_a_phone).waitFor()
  await begin(page, () => page.getByRole('button', { name: words.run(2) }).click())
  await page.getByText(words.done).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: words.refusedFile }).click()
  expect((await saved).suggestedFilename()).toMatch(/^refused-.*\.csv$/)
  const { body } = await school.institute.owner.get('/students?q=Lian')
  expect(body.data).toMatchObject([{ firstName: 'Lian', lastName: 'Khoury', status: 'active' }])
  await page.getByRole('link', { name: people.title }).first().waitFor()
})

test('a list that came in stands among the former ones, is looked at again, and is taken off', async () => {
  const { imports: words, shell } = await loadWords.en()
  const page = await open({ as: owner(), path: '/import' })
  const former = page.getByRole('list', { name: words.former })
  const written = former.getByRole('listitem').filter({ hasText: words.wrote('2', '0') })
  const more = written.getByRole('button', { name: `${shell.more}: list.csv` })
  await keepPicture(page, 'former-imports')
  await written.getByRole('link', { name: 'list.csv' }).click()
  await page.getByText(words.done).waitFor()
  await page.goto(`${school.app.url}/import`)
  await more.click()
  await page.getByRole('menuitem', { name: words.remove }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.remove }).click()
  await page.getByText(words.removed('list.csv')).waitFor()
  await expect.poll(() => written.count()).toBe(0)
})

test.each(LANGUAGES)('what would happen is shown in $locale, on a phone and a desk', async ({ locale }) => {
  const { imports: words } = await loadWords[locale]()
  const page = await open({ as: owner(), path: '/import', locale })
  await chooseList(page, words.choose, LATER)
  await page.getByRole('list', { name: words.faults }).getByText(words.reasons.not_a_phone).waitFor()
  const preview = page.getByRole('list', { name: words.preview })
  await preview.getByText(words.known(`Hala Khoury ${isolate('050-133-0002')}`)).waitFor()
  await preview.getByText(words.becomes.updated, { exact: true }).waitFor()
  await expect.poll(() => preview.getByRole('listitem').count()).toBe(4)
  await examine(page, locale, `console-import-${locale}`)
})

/** Its phones and addresses stand once for each child, and are the mother's. */
const OF_MOTHERS = ['Name,Phone,Email,Mother name', 'Adam Bishara,0501330021,mona@example.org,Mona Bishara'].join(
  '\r\n',
)

test('whose a phone and an address are is asked where a list has one for each child', async () => {
  const { imports: words } = await loadWords.en()
  const page = await open({ as: owner(), path: '/import', size: 'desk' })
  await chooseList(page, words.choose, OF_MOTHERS)
  const ask = (column: string) =>
    page.getByRole('radiogroup', { name: words.whose(column) }).getByText(words.labels.who.mother, { exact: true })
  const preview = page.getByRole('list', { name: words.preview })
  await preview.getByText(words.ofStudent.phone).waitFor()
  await begin(page, () => ask('Phone').click())
  await preview.getByText(`Mona Bishara ${isolate('050-133-0021')}`).waitFor()
  await begin(page, () => ask('Email').click())
  await preview.getByText(words.ofStudent.email).waitFor({ state: 'detached' })
  await begin(page, () => page.getByRole('button', { name: words.run(1) }).click())
  await page.getByText(words.done).waitFor()
  const { body } = await school.institute.owner.get('/guardians?q=Mona')
  expect(body.data).toMatchObject([{ phone: '+972501330021', email: 'mona@example.org' }])
})
