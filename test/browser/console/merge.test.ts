import { afterAll, beforeAll, expect, test } from 'vitest'
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

const newStudent = async (more: object): Promise<string> =>
  (
    await school.institute.owner.post('/students', {
      branchId: school.institute.branchId,
      firstName: 'Rula',
      lastName: 'Twice',
      ...more,
    })
  ).body.id

test('two records of one student are laid side by side, and become one', async () => {
  const { merge: words, shell } = await loadWords.en()
  const id = await newStudent({ phone: '0501340001' })
  const otherId = await newStudent({ nationalId: '012345674' })
  const [, group = ''] = school.groupIds
  await school.institute.owner.post('/enrollments', { studentId: otherId, groupId: group })
  const page = await open({ as: owner(), path: `/students/${id}`, size: 'desk' })
  await page.getByRole('button', { name: shell.more, exact: true }).click()
  await page.getByRole('menuitem', { name: words.mergeWith }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('searchbox', { name: words.find }).fill('Rula')
  const { body } = await school.institute.owner.get(`/students/${otherId}`)
  await sheet.getByRole('button', { name: new RegExp(body.studentNumber) }).click()
  const table = sheet.getByRole('list', { name: words.sideBySide })
  await table.getByText('012345674').waitFor()
  await table.getByText('050-134-0001').waitFor()
  await sheet.getByRole('button', { name: words.look }).click()
  await sheet.getByText(`${words.what.enrollment}: 1`).waitFor()
  expect((await school.institute.owner.get(`/students/${otherId}`)).status).toBe(200)
  await sheet.getByRole('button', { name: words.merge, exact: true }).click()
  await page.getByText(words.done).waitFor()
  const gone = await school.institute.owner.get(`/students/${otherId}`)
  expect([gone.status, gone.body.error.details.mergedInto]).toEqual([404, id])
  expect((await school.institute.owner.get(`/students/${id}`)).body.nationalId).toBe('012345674')
})

test.each(LANGUAGES)('both records of a guardian are shown in $locale', async ({ locale }) => {
  const { merge: words, shell } = await loadWords[locale]()
  const add = async (phone: string): Promise<string> =>
    (await school.institute.owner.post('/guardians', { firstName: 'Hala', lastName: 'Twice', phone })).body.id
  const [digit] = [LANGUAGES.findIndex((one) => one.locale === locale)]
  const [id] = [await add(`05013500${digit}1`), await add(`05013500${digit}2`)]
  const page = await open({ as: owner(), path: `/guardians/${id}`, locale })
  await page.getByRole('button', { name: shell.more, exact: true }).click()
  await page.getByRole('menuitem', { name: words.mergeWith }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('searchbox', { name: words.find }).fill(`05013500${digit}2`)
  await sheet.getByRole('button', { name: /Hala/ }).click()
  const both = sheet.getByRole('list', { name: words.sideBySide })
  await both.waitFor()
  await expect.poll(() => both.getByText('Hala').count()).toBe(2)
  await examine(page, locale, `console-merge-${locale}`)
})
