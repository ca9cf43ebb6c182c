import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../../src/console/words/en/index.ts'
import { examine } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** What was marked is cleared, and a lesson is cancelled, on the page of its attendance. */

let school: School
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())

const { attendance: words, shell, week } = en

const newSession = async (): Promise<string> => {
  const times = { scheduledStart: '2026-11-24T14:00:00.000Z', scheduledEnd: '2026-11-24T15:30:00.000Z' }
  return (await school.institute.owner.post(`/groups/${school.groupIds[1]}/sessions`, times)).body.id
}
const read = async (id: string) => (await school.institute.owner.get(`/sessions/${id}/attendance`)).body
const markedIn = async (id: string): Promise<number> =>
  (await read(id)).entries.filter(({ status }: { status: string | null }) => status !== null).length

test('the mark of one student is cleared, then those of all', async () => {
  const { owner } = school.institute
  const id = await newSession()
  const { entries } = await read(id)
  const marks = entries.map(({ studentId }: { studentId: string }) => ({ studentId, status: 'absent' }))
  await owner.put(`/sessions/${id}/attendance`, { entries: marks })
  const page = await open({ as: school.teacher, path: `/sessions/${id}`, size: 'phone', locale: 'en' })
  await page.locator('.who').first().tap()
  await page.getByRole('dialog').getByRole('button', { name: words.clearOne }).tap()
  await page.getByText(words.clearedOne).waitFor()
  await expect.poll(() => markedIn(id)).toBe(marks.length - 1)
  // Who is not marked has no mark to clear.
  await page.locator('.who').first().tap()
  await page.getByRole('dialog').getByRole('button', { name: shell.close }).waitFor()
  expect(await page.getByRole('button', { name: words.clearOne }).count()).toBe(0)
  await page.getByRole('dialog').getByRole('button', { name: shell.close }).tap()

  await page.getByRole('button', { name: shell.more, exact: true }).tap()
  await page.getByRole('menuitem', { name: words.clearAll }).tap()
  await page.getByRole('dialog').getByRole('button', { name: words.clearAll }).tap()
  await page.getByText(words.clearedAll).waitFor()
  expect(await read(id)).toMatchObject({ status: 'scheduled' })
  expect(await markedIn(id)).toBe(0)
})

test('a lesson is cancelled with its reason, which stands on its page and in the lists', async () => {
  const id = await newSession()
  const owner = { userId: school.institute.ownerUserId }
  const page = await open({ as: owner, path: `/sessions/${id}`, size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: shell.more, exact: true }).click()
  await page.getByRole('menuitem', { name: week.cancel }).click()
  const asked = page.getByRole('dialog', { name: week.cancelTitle('Arabic B1') })
  await asked.getByRole('textbox', { name: shell.reason }).fill('The heating broke')
  await asked.getByRole('button', { name: week.cancel }).click()
  await page.getByText(words.cancelledFor('The heating broke')).waitFor()
  expect(await read(id)).toMatchObject({ status: 'cancelled', cancelReason: 'The heating broke' })
  await examine(page, 'en', 'console-cancelled-class-en')
  await page.goto(`${school.app.url}/today`)
  await page.getByText('The heating broke').waitFor()
})
