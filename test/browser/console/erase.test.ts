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

const added = async (path: string, body: object): Promise<string> =>
  (await school.institute.owner.post(path, { firstName: 'Rula', lastName: 'Leaves', ...body })).body.id

test.each(LANGUAGES)('the owner erases a student who left, in $locale', async ({ locale }) => {
  const { erasure: words, shell } = await loadWords[locale]()
  const { owner: desk, branchId } = school.institute
  const id = await added('/students', { branchId, notes: 'Comes by bus' })
  const lines = [{ description: 'March', unitAmountMinor: 5000 }]
  const draft = (await desk.post('/invoices', { studentId: id, dueDate: '2030-01-31', lines })).body.id
  await desk.post(`/students/${id}/absences`, { from: '2030-01-01', to: '2030-01-02', reason: 'Wedding' })

  const page = await open({ as: owner(), path: `/students/${id}`, locale })
  await page.getByRole('button', { name: shell.more, exact: true }).click()
  await page.getByRole('menuitem', { name: words.erase }).click()
  await page.getByText(words.reasons.draft(1)).waitFor()
  expect(await page.getByRole('button', { name: words.verb }).count()).toBe(0)
  await examine(page, locale, `console-erase-against-${locale}`)

  expect((await desk.post(`/invoices/${draft}/issue`)).status).toBe(200)
  const payment = { amountMinor: 5000, currency: 'ILS', method: 'cash' }
  expect((await desk.post(`/invoices/${draft}/payments`, payment)).status).toBe(201)
  await page.reload()
  await page.getByRole('button', { name: words.verb }).waitFor()
  await page.getByText(words.goesToo.announced_absence).waitFor()
  await page.getByText(words.papersWhy).waitFor()
  await examine(page, locale, `console-erase-${locale}`)
  const name = page.getByRole('textbox')
  await name.fill('Somebody Else')
  await page.getByRole('button', { name: words.verb }).click()
  await page.getByText(words.otherName).waitFor()
  expect((await desk.get(`/students/${id}`)).body.erasedAt).toBeNull()

  await name.fill('Rula Leaves')
  await page.getByRole('button', { name: words.verb }).click()
  const { firstName, lastName } = await erased(id)
  await page.getByRole('heading', { level: 1, name: `${firstName} ${lastName}` }).waitFor()
  await page.getByRole('link', { name: words.accountOf }).waitFor()
  expect(await page.getByRole('button', { name: shell.more, exact: true }).count()).toBe(0)
  await examine(page, locale, `console-erased-${locale}`)
})

const erased = async (id: string) => {
  await expect.poll(async () => (await school.institute.owner.get(`/students/${id}`)).body.erasedAt).not.toBeNull()
  return (await school.institute.owner.get(`/students/${id}`)).body
}

test('a guardian who is no admin’s to erase has it for the owner alone', async () => {
  const { erasure: words, merge, shell } = await loadWords.en()
  const id = await added('/guardians', { phone: '0501350077' })
  const page = await open({ as: owner(), path: `/guardians/${id}/erase`, size: 'desk' })
  await page.getByRole('button', { name: words.verb }).waitFor()
  const { userId } = await school.institute.member({ role: 'admin' })
  const admin = await open({ as: { userId }, path: `/guardians/${id}`, size: 'desk' })
  await admin.getByRole('button', { name: shell.more, exact: true }).click()
  await admin.getByRole('menuitem', { name: merge.mergeWith }).waitFor()
  expect(await admin.getByRole('menuitem', { name: words.erase }).count()).toBe(0)
})
