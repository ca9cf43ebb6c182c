import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unzip } from '#kit/archive.ts'
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

const added = async (path: string, body: object): Promise<string> =>
  (await school.institute.owner.post(path, { firstName: 'Rula', lastName: 'Asks', ...body })).body.id

test.each(LANGUAGES)('the owner saves all that is kept of a student, in $locale', async ({ locale }) => {
  const { personFile: words, shell } = await loadWords[locale]()
  const id = await added('/students', { branchId: school.institute.branchId })
  const page = await open({ as: owner(), path: `/students/${id}`, locale })
  await page.getByRole('button', { name: shell.more, exact: true }).click()
  await page.getByRole('menuitem', { name: words.theirData }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText(words.holds).waitFor()
  await examine(page, locale, `console-person-file-${locale}`)
  const coming = page.waitForEvent('download')
  await sheet.getByRole('button', { name: words.save }).click()
  const download = await coming
  const entries = await unzip(readFileSync(await download.path()))
  expect(String(entries.get('data.html'))).toContain(`lang="${locale}"`)
  expect([...entries.keys()]).toEqual(['data.html', 'data.json'])
})

test('a guardian has it too, for the owner alone', async () => {
  const { personFile: words, merge, shell } = await loadWords.en()
  const id = await added('/guardians', { phone: '0501350099' })
  const page = await open({ as: owner(), path: `/guardians/${id}`, size: 'desk' })
  await page.getByRole('button', { name: shell.more, exact: true }).click()
  await page.getByRole('menuitem', { name: words.theirData }).waitFor()
  const admin = await open({
    as: { userId: (await school.institute.member({ role: 'admin' })).userId },
    path: `/guardians/${id}`,
    size: 'desk',
  })
  await admin.getByRole('button', { name: shell.more, exact: true }).click()
  await admin.getByRole('menuitem', { name: merge.mergeWith }).waitFor()
  expect(await admin.getByRole('menuitem', { name: words.theirData }).count()).toBe(0)
})
