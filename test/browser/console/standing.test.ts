import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** How a student stands: who pauses and who leaves, on a day that is said. */

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const owner = () => ({ userId: school.institute.ownerUserId })

/** An active student of the first class. */
const someone = async (at: number): Promise<{ id: string; name: string }> => {
  const { entries } = (await school.institute.owner.get(`/sessions/${school.sessionIds[1]}/attendance`)).body
  const { studentId: id, firstName, lastName } = entries[at]
  await school.institute.owner.post(`/students/${id}/status`, { status: 'active' })
  return { id, name: `${firstName} ${lastName}` }
}

test('a pause ahead is noted after one has seen what follows, and taken back', async () => {
  const { people, standing } = await loadWords.en()
  const { id, name } = await someone(0)
  const page = await open({ as: owner(), path: `/students/${id}`, size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: people.changeStatus }).click()
  await page.getByRole('menuitem', { name: people.becomes.paused }).click()
  const sheet = page.getByRole('dialog', { name: standing.title.paused(name) })
  await sheet.getByRole('textbox', { name: standing.from }).fill('1.1.2027')
  await sheet.getByRole('textbox', { name: standing.to }).fill('31.12.2026')
  await sheet.getByRole('button', { name: people.becomes.paused }).click()
  await sheet.getByText(standing.endFirst).waitFor()
  await sheet.getByRole('textbox', { name: standing.to }).fill('15.1.2027')
  await sheet.getByRole('region', { name: standing.follows }).waitFor()
  await sheet.getByRole('button', { name: people.becomes.paused }).click()
  await page.getByText(standing.willPause('01/01/2027', '15/01/2027')).waitFor()
  expect((await school.institute.owner.get(`/students/${id}`)).body).toMatchObject({
    status: 'active',
    pausedFrom: '2027-01-01',
    pausedTo: '2027-01-15',
  })
  await page.getByRole('button', { name: standing.takeBack }).click()
  await page.getByText(standing.tookBack(name)).waitFor()
  expect((await school.institute.owner.get(`/students/${id}`)).body.pausedFrom).toBeNull()
})

test.each(LANGUAGES)(
  'who leaves on a day ahead is shown with their groups until then, in $locale',
  async ({ locale }) => {
    const { people, standing } = await loadWords[locale]()
    const { id } = await someone(1)
    const page = await open({ as: owner(), path: `/students/${id}`, size: 'desk', locale })
    await page.getByRole('button', { name: people.changeStatus }).click()
    await page.getByRole('menuitem', { name: people.becomes.withdrawn }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('textbox', { name: standing.lastDay }).fill('20.12.2026')
    const follows = sheet.getByRole('region', { name: standing.follows })
    await expect.poll(() => follows.textContent()).toContain('20/12/2026')
    await examine(page, locale, `console-leaving-${locale}`)
  },
)
