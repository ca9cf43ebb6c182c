import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadWords } from '../../../src/console/words/index.ts'
import { keepPicture } from '#kit/browser.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** What ends and what is taken along: a group that a student has completed, and all of the institute. */

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

test('a student has completed a group, whose attendance adds up, and the history names both', async () => {
  const { people, groups, history } = await loadWords.en()
  const [groupId = ''] = school.groupIds
  const page = await open({ as: { userId: school.institute.ownerUserId }, size: 'desk', path: `/groups/${groupId}` })
  await page.getByRole('button', { name: groups.sumUp }).click()
  const sums = page.getByRole('list', { name: groups.attendanceOver })
  await sums.getByRole('link', { name: 'Lina Khoury' }).waitFor()
  await keepPicture(page, 'group-summed-up')

  await page
    .getByRole('button', { name: /: Lina Khoury/ })
    .last()
    .click()
  await page.getByRole('menuitem', { name: people.complete }).click()
  await page.getByRole('dialog').getByRole('button', { name: people.complete }).click()
  await page.getByText(people.completed('Lina Khoury', 'Math A')).waitFor()
  const { data } = (await school.institute.owner.get(`/groups/${groupId}/enrollments?status=completed`)).body
  expect(data).toMatchObject([{ firstName: 'Lina', lastName: 'Khoury' }])

  await page.goto(`${school.app.url}/settings/history?what=enrollment`)
  const who = 'Samira Saleh'
  const name = 'Lina Khoury, Math A'
  await page.getByText(history.did(who, history.verbs.complete, history.kinds.enrollment, name)).waitFor()
  await keepPicture(page, 'history-of-enrollments')
})

test('an owner takes everything along as one file', async () => {
  const { institute: words } = await loadWords.en()
  const page = await open({ as: { userId: school.institute.ownerUserId }, size: 'desk', path: '/settings/institute' })
  await page.getByRole('button', { name: words.everythingMake }).click()
  await school.app.drain()
  const fetch = page.getByRole('button', { name: words.everythingFetch })
  await fetch.waitFor()
  await keepPicture(page, 'everything-as-a-file')
  const [download] = await Promise.all([page.waitForEvent('download'), fetch.click()])
  expect(download.suggestedFilename()).toMatch(/\.zip$/)
})
