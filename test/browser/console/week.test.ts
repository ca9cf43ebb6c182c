import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ar } from '../../../src/console/words/ar/index.ts'
import { en } from '../../../src/console/words/en/index.ts'
import { he } from '../../../src/console/words/he/index.ts'
import { examine } from '../screens.ts'
import { fillWeek } from './busy-week.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let busyId: string
beforeAll(async () => {
  school = await openSchool('en')
  busyId = await fillWeek(school)
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

const { week: words, today } = en
const owner = () => ({ userId: school.institute.ownerUserId })

/** The lessons of a day on a desk. */
const lessonsOf = (page: Page, day: string) => page.getByRole('region', { name: day }).getByRole('button')

const labels = (page: Page, day: string): Promise<string[]> => lessonsOf(page, day).locator('.unseen').allTextContents()

/** Which of the two forms of a week is shown; both at one moment. */
const shownOf = (page: Page): Promise<string[]> =>
  page
    .locator('.week-grid, .week-list')
    .evaluateAll((forms) => forms.filter((one) => one.checkVisibility()).map((one) => one.className))

const typeTime = (page: Page, label: string, typed: string) => page.getByRole('textbox', { name: label }).fill(typed)

const sessionOf = async (groupId: string, date: string) => {
  const { body } = await school.institute.owner.get(`/sessions?groupId=${groupId}&from=${date}&to=${date}`)
  return body.data[0] as { id: string; scheduledStart: string; status: string; teacherName: string }
}

test('the week stands by the clocks of the institute, whatever those of the browser show', async () => {
  const page = await open({ as: owner(), path: '/week', size: 'desk', locale: 'en', timeZone: 'America/Los_Angeles' })
  await page.getByText('22 – 28 November 2026').waitFor()
  await page.getByText(words.clashes(2)).waitFor()
  expect(await labels(page, 'Tuesday 24 November')).toEqual([
    'Math A, 15:00–15:50, Room 1, Rania Saleh',
    'Arabic B1, 16:00–17:30, Room 2, Rania Saleh, now',
    'English 5, 17:30–18:20, Room 3, Rania Saleh',
    'Robotics, 18:30–19:30, Room 4, Rania Saleh',
  ])
  expect(await labels(page, 'Monday 23 November')).toEqual(['Math A, 15:00–15:50, Room 1, Rania Saleh, not marked'])
  expect(await labels(page, 'Thursday 26 November')).toEqual([
    'Arabic B1, 16:00–17:30, Room 2, Rania Saleh, clash',
    'Math A 2, 17:00–18:00, Room 2, Rania Saleh, clash',
    'Robotics, 22:30–01:00, Room 4, Rania Saleh',
  ])
  for (const width of [320, 600, 740, 800, 900, 960, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => shownOf(page), { message: `${width} pixels` }).toHaveLength(1)
  }
  await page.getByRole('button', { name: words.next }).click()
  await page.getByText('29 November – 5 December 2026').waitFor()
  expect(new URL(page.url()).searchParams.get('day')).toBe('2026-12-01')
  await page.getByRole('button', { name: words.today }).click()
  await page.getByText('22 – 28 November 2026').waitFor()
})

test('a lesson is moved after it was said what that means, and back', async () => {
  const [, , english] = school.groupIds as [string, string, string]
  const before = await sessionOf(english, '2026-11-25')
  const path = `/week?session=${before.id}`
  const page = await open({ as: owner(), path, size: 'desk', locale: 'en', timeZone: 'Pacific/Auckland' })
  const sheet = page.getByRole('dialog', { name: 'English 5' })
  await sheet.getByRole('button', { name: words.move }).click()
  await page.getByText(words.moves(14)).waitFor()
  await typeTime(page, words.starts, '1600')
  await page.getByText('The same teacher as ⁨Math A⁩, ⁨15:00–16:30⁩').waitFor()
  await typeTime(page, words.starts, '1900')
  await page.getByText(words.free).waitFor()
  await page.getByRole('button', { name: words.moveIt }).click()
  await page.getByText(words.moved('English 5', '25/11/2026 19:00')).waitFor()
  expect((await sessionOf(english, '2026-11-25')).scheduledStart).toBe('2026-11-25T17:00:00.000Z')
  await page
    .getByRole('region', { name: 'Wednesday 25 November' })
    .getByRole('button', { name: /19:00–19:45/ })
    .waitFor()
  await page.getByRole('button', { name: en.shell.undo }).click()
  await page
    .getByRole('region', { name: 'Wednesday 25 November' })
    .getByRole('button', { name: /17:00–17:45/ })
    .waitFor()
  expect((await sessionOf(english, '2026-11-25')).scheduledStart).toBe(before.scheduledStart)
})

test('on a phone a day is shown at a time; a lesson gets a substitute, and is cancelled with its reason', async () => {
  const { institute } = school
  const { body: other } = await institute.owner.post('/staff', {
    branchId: institute.branchId,
    firstName: 'Dan',
    lastName: 'Amir',
  })
  expect(other.id).toBeDefined()
  const page = await open({ as: owner(), path: `/week?group=${busyId}`, locale: 'en' })
  await page.getByRole('button', { name: 'Thursday 26 November: 1 lesson' }).tap()
  const lesson = page.getByRole('list', { name: 'Thursday 26 November' }).getByRole('button')
  await lesson.tap()
  await page.getByRole('button', { name: words.substitute }).tap()
  await page.getByRole('button', { name: new RegExp(words.ownTeacher) }).tap()
  await page.getByRole('option', { name: 'Dan Amir' }).tap()
  await page.getByText(words.teacherFree).waitFor()
  await page.getByRole('button', { name: en.shell.save }).tap()
  await page.getByText(words.substituted('Dan Amir', 'Math A 2')).waitFor()
  expect((await sessionOf(busyId, '2026-11-26')).teacherName).toBe('Dan Amir')

  await lesson.tap()
  await page.getByRole('button', { name: words.cancel }).tap()
  await page.getByText(words.tellsTeacher).waitFor()
  await page.getByRole('button', { name: words.cancel }).tap()
  await page.getByText(words.missingReason).waitFor()
  await page.getByRole('textbox', { name: words.reason }).fill('Flu')
  await page.getByRole('button', { name: words.cancel }).tap()
  await page.getByText(words.wasCancelled('Math A 2')).waitFor()
  expect((await sessionOf(busyId, '2026-11-26')).status).toBe('cancelled')
})

test('who may not change lessons reads them, and a teacher sees the own ones', async () => {
  const desk = await open({
    as: await school.member('front_desk'),
    path: `/week?session=${school.sessionIds[2]}`,
    locale: 'en',
  })
  const sheet = desk.getByRole('dialog', { name: 'English 5' })
  await sheet.getByText(words.students(14)).waitFor()
  await expect.poll(() => sheet.getByRole('button').allTextContents()).toEqual([en.shell.close])
  const teacher = await open({
    as: school.teacher,
    path: `/week?session=${school.sessionIds[1]}`,
    size: 'desk',
    locale: 'en',
  })
  await teacher.getByRole('link', { name: today.takeAttendance }).waitFor()
  expect(await teacher.getByRole('button', { name: words.substitute }).count()).toBe(0)
})

test('who teaches sees their own lessons, and all when they ask for them', async () => {
  const { owner: office, branchId } = school.institute
  const name = { firstName: 'Salim', lastName: 'Odeh' }
  const teacherStaffId = (await office.post('/staff', { branchId, ...name })).body.id as string
  const times = { scheduledStart: '2026-11-27T06:00:00.000Z', scheduledEnd: '2026-11-27T06:45:00.000Z' }
  const { id } = (await office.post(`/groups/${school.groupIds[2]}/sessions`, times)).body
  await office.patch(`/sessions/${id}`, { teacherStaffId })
  const page = await open({ as: school.teacher, path: '/week', size: 'desk', locale: 'en' })
  const friday = lessonsOf(page, 'Friday 27 November')
  await friday.first().waitFor()
  const own = await friday.count()
  const whose = page.getByRole('button', { name: words.ownLessons })
  await whose.click()
  await page.getByRole('option', { name: words.anyTeacher }).click()
  await friday.filter({ hasText: 'Salim Odeh' }).waitFor()
  await expect.poll(() => friday.count()).toBe(own + 1)
  // The address says it: it stays so when the page is opened again.
  await page.reload()
  await friday.filter({ hasText: 'Salim Odeh' }).waitFor()
  await page.getByRole('button', { name: words.anyTeacher }).click()
  await page.getByRole('option', { name: words.ownLessons }).click()
  await friday.filter({ hasText: 'Salim Odeh' }).waitFor({ state: 'detached' })
  await expect.poll(() => friday.count()).toBe(own)
})

describe.each([
  { locale: 'ar', spoken: ar, theme: 'light' },
  { locale: 'he', spoken: he, theme: 'light' },
  { locale: 'en', spoken: en, theme: 'dark' },
] as const)('in $locale', ({ locale, spoken, theme }) => {
  test('the week reads well at every size', async () => {
    const page = await open({ as: owner(), path: '/week', size: 'desk', locale, theme })
    await page.getByText(spoken.week.notMarked).waitFor({ state: 'attached' })
    await expect.poll(() => page.getByRole('region').count()).toBe(7)
    await examine(page, locale, `console-week-${locale}`)
  })
})

test('the move of a lesson reads well at every size', async () => {
  const page = await open({ as: owner(), path: `/week?session=${school.sessionIds[3]}`, locale: 'ar' })
  await page.getByRole('button', { name: ar.week.move, exact: true }).click()
  await expect.poll(() => page.getByText(ar.week.moves(5)).isVisible()).toBe(true)
  await examine(page, 'ar', 'console-week-move-ar')
})
