import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('an absence is announced on the student’s page, and stands in today, on the list of the class and excused', async () => {
  const { people, today, attendance } = await loadWords.en()
  const roster = await school.institute.owner.get(`/sessions/${school.sessionIds[1]}/attendance`)
  const { studentId, firstName } = roster.body.entries[0]
  const page = await open({ as: owner(), path: `/students/${studentId}`, size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: people.announce }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: people.absenceReason }).fill('A wedding')
  const first = form.getByRole('textbox', { name: people.absentFrom })
  await first.fill('24.11.2025')
  await form.getByRole('button', { name: people.announce }).click()
  await form.getByText(people.absencePast).waitFor()
  await first.fill('24.11.2026')
  await form.getByRole('button', { name: people.announce }).click()
  await page.getByText(people.announced).waitFor()
  await page.getByRole('list', { name: people.absences }).getByText('A wedding').waitFor()

  await page.goto(`${school.app.url}/today`)
  await page.getByRole('list', { name: today.absent }).getByText(firstName).waitFor()
  await page.goto(`${school.app.url}/sessions/${school.sessionIds[1]}`)
  const row = page.locator(`[data-student="${studentId}"]`)
  await row.getByText('A wedding').waitFor()
  expect(await row.getByRole('radio', { name: attendance.statuses.excused }).getAttribute('aria-checked')).toBe('true')

  await page.goto(`${school.app.url}/students/${studentId}`)
  await page.getByRole('button', { name: people.withdraw }).click()
  await page.getByText(people.withdrawn).waitFor()
  expect((await school.institute.owner.get('/absences')).body.data).toEqual([])
})

test('a group’s page says what follows from its last day before it is saved', async () => {
  const { groups, edit, shell } = await loadWords.en()
  const { data } = (await school.institute.owner.get('/groups')).body
  const { id } = data.find(({ name }: { name: string }) => name === 'Arabic B1')
  const schedules = [{ weekday: 4, startTime: '16:00', endTime: '17:00', validFrom: '2026-11-01', validTo: null }]
  await school.institute.owner.put(`/groups/${id}/schedules`, { schedules })
  const lessons = (await school.institute.owner.get(`/groups/${id}/sessions?limit=100&from=2026-12-04T00:00:00Z`)).body
    .data.length
  const page = await open({ as: owner(), path: `/groups/${id}`, size: 'desk', locale: 'en' })
  const change = async () => {
    await page.getByRole('button', { name: edit.change(groups.lastDay) }).click()
    await page.getByRole('textbox', { name: groups.lastDay }).fill('3.12.2026')
    await page.keyboard.press('Enter')
  }
  await change()
  await page.getByRole('dialog').getByText(groups.follows.removed(lessons)).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: shell.leaveIt }).click()
  expect((await school.institute.owner.get(`/groups/${id}`)).body.endsOn).toBeNull()
  await change()
  await page.getByRole('dialog').getByRole('button', { name: shell.save }).click()
  await page.getByText('03/12/2026').waitFor()
  expect((await school.institute.owner.get(`/groups/${id}`)).body.endsOn).toBe('2026-12-03')
})
