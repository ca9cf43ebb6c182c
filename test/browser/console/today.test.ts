import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkAccount } from '#kit/link-account.ts'
import { ar } from '../../../src/console/words/ar/index.ts'
import { en } from '../../../src/console/words/en/index.ts'
import { he } from '../../../src/console/words/he/index.ts'
import { examine } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let cancelledId: string
const { open } = watched(() => school)

const { today: words } = en

beforeAll(async () => {
  school = await openSchool('en', { features: { basic_reports: true } })
  const { owner } = school.institute
  const times = { scheduledStart: '2026-11-24T17:40:00.000Z', scheduledEnd: '2026-11-24T18:30:00.000Z' }
  cancelledId = (await owner.post(`/groups/${school.groupIds[3]}/sessions`, times)).body.id
  await owner.patch(`/sessions/${cancelledId}`, { status: 'cancelled', reason: 'Flu' })
})
afterAll(() => school.app.close())

/** The links to classes, in the order in which they stand. */
const linked = (page: Page): Promise<string[]> =>
  page
    .locator('main a[href^="/sessions/"]')
    .evaluateAll((links) => links.map((link) => (link.getAttribute('href') ?? '').replace('/sessions/', '')))

describe('a teacher', () => {
  test('sees the class of now first, the others in order, and what was forgotten', async () => {
    const page = await open({ as: school.teacher })
    const current = page.getByRole('region', { name: words.currentClass })
    await current.getByText('Arabic B1').waitFor()
    await current.getByText(words.students(14)).waitFor()
    const [first, second, third, fourth] = school.sessionIds
    expect(await linked(page)).toEqual([second, first, third, fourth, cancelledId, school.unmarkedId])
    await page.getByRole('link', { name: words.marked(12, 12) }).waitFor()
    const cancelled = page.locator(`a[href="/sessions/${cancelledId}"]`)
    await expect.poll(() => cancelled.locator('s').textContent()).toBe('Robotics')
    await expect.poll(() => cancelled.textContent()).toContain(words.cancelled)
    await page.getByRole('link', { name: 'Math A yesterday' }).tap()
    await page.getByRole('heading', { name: 'Math A' }).waitFor()
    expect(page.url()).toContain(school.unmarkedId)
  })

  test('without a record of the staff reads what to do', async () => {
    const page = await open({ as: await school.member('teacher') })
    await page.getByText(words.notOnStaff).waitFor()
    expect(await linked(page)).toEqual([])
  })

  test('finds nothing moved under the finger', async () => {
    const page = await open({ as: school.teacher })
    const current = page.getByRole('region', { name: words.currentClass })
    await current.getByText('Arabic B1').waitFor()
    // The class is given to somebody else while a finger lies on the page.
    await page.evaluate(`new Promise((isOnIt) => {
      let moves = 0
      window.touching = setInterval(() => {
        document.dispatchEvent(new Event("pointermove"))
        // By then its page has opened.
        if ((moves += 1) === 10) isOnIt()
      }, 50)
    })`)
    await page.route('**/me/teaching/today', async (route) => {
      const reply = await route.fetch()
      const day = (await reply.json()) as { sessions: { groupName: string }[] }
      const sessions = day.sessions.filter(({ groupName }) => groupName !== 'Arabic B1')
      return route.fulfill({ response: reply, json: { ...day, sessions } })
    })
    const refetch = page.waitForResponse((reply) => reply.url().endsWith('/me/teaching/today'))
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))')
    await refetch
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await expect.poll(() => page.getByRole('region').textContent()).toContain('Arabic B1')
    await page.evaluate('clearInterval(window.touching)')
    await page.getByRole('region', { name: words.nextClass }).getByText('English 5').waitFor()
  })

  test('who left the page open over night finds nothing of yesterday on it, and the list is at once that of the tap', async () => {
    const page = await open({ as: school.teacher })
    await page.getByRole('region', { name: words.currentClass }).getByText('Arabic B1').waitFor()
    await page.clock.setFixedTime(new Date('2026-11-25T06:00:00.000Z'))
    let answer: () => void = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/me/teaching/today', async (route) => {
      const reply = await route.fetch()
      const day = (await reply.json()) as object
      await held
      return route.fulfill({ response: reply, json: { ...day, date: '2026-11-25', sessions: [], unmarkedBacklog: [] } })
    })
    await page.getByRole('navigation').getByRole('link', { name: words.title }).tap()
    await page.getByText('Arabic B1').waitFor({ state: 'detached' })
    answer()
    await page.getByText(words.noClasses).waitFor()
    expect(await linked(page)).toEqual([])
  })
})

describe('an office', () => {
  test('sees what needs somebody and the classes of the branch, in five requests of its own', async () => {
    const requests: string[] = []
    const page = await open({ as: { userId: school.institute.ownerUserId }, size: 'desk', path: '/inbox' })
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.getByRole('link', { name: words.title }).first().click()
    await page.getByText(words.unmarkedBefore(1)).waitFor()
    await page.getByText(words.newLeads(1)).waitFor()
    const backup = page.getByRole('listitem').filter({ hasText: words.backupNone })
    expect(await backup.getByRole('link', { name: words.look }).getAttribute('href')).toBe('/settings/backups')
    await page.getByText('Rania Saleh · Room 2').waitFor()
    const [first, second, third, fourth] = school.sessionIds
    expect(await linked(page)).toEqual([first, second, third, fourth, cancelledId])
    const own = ['/absences', '/dashboard/absent', '/dashboard/attention', '/me/teaching/today', '/sessions']
    expect(requests.filter((path) => path.startsWith('/api/')).toSorted()).toEqual(own.map((path) => `/api/v1${path}`))

    await page.getByRole('link', { name: words.markThem, exact: true }).click()
    await page.getByRole('heading', { name: words.unmarkedTitle }).waitFor()
    expect(await linked(page)).toEqual([school.unmarkedId])
    // However many there are, it is one request.
    expect(requests.filter((path) => /\/sessions\/[^/]+\/attendance$/.test(path))).toEqual([])
  })

  test('of another branch sees that there is nothing', async () => {
    const { owner } = school.institute
    const page = await open({ as: { userId: school.institute.ownerUserId }, size: 'desk' })
    expect(owner).toBeDefined()
    await page.getByText('Rania Saleh · Room 2').waitFor()
    await page.getByRole('button', { name: en.shell.branch }).click()
    await page.getByRole('menuitem', { name: 'North branch' }).click()
    await page.getByText(words.noClasses).waitFor()
  })

  test('that may not take attendance is not asked to', async () => {
    const page = await open({ as: await school.member('front_desk') })
    await page.getByText(words.unmarkedBefore(1)).waitFor()
    expect(await page.getByRole('link', { name: words.markThem, exact: true }).count()).toBe(0)
    expect(await page.getByRole('link', { name: words.takeAttendance }).count()).toBe(0)
    const unmarked = page.getByRole('listitem').filter({ hasText: words.unmarkedBefore(1) })
    await unmarked.getByRole('link', { name: words.look, exact: true }).waitFor()
  })

  test('of accounts sees money and no classes', async () => {
    const page = await open({ as: await school.member('accountant') })
    await page.getByRole('heading', { name: words.needs }).waitFor()
    expect(await linked(page)).toEqual([])
  })
})

/** What stands under this heading. */
const sectionOf = (page: Page, heading: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })

test('a student sees their own week and what is owed', async () => {
  const student = await school.member('student')
  await linkAccount(school.app, 'student', { id: school.studentIds[13] as string, userId: student.userId })
  const page = await open({ as: student })
  const own = sectionOf(page, 'Hala Farah')
  await own.getByText(en.people.settled).waitFor()
  // Math A has the first twelve, and Robotics the first five.
  await expect.poll(() => own.locator('.row.session .name').allTextContents()).toEqual(['Arabic B1', 'English 5'])
  expect(await linked(page)).toEqual([])
})

/** A parent with an account and two children, who have a lesson tomorrow. */
const familyOf = async (): Promise<{ userId: string }> => {
  const { guardianId, studentIds, institute } = school
  const { owner } = institute
  const [, second = ''] = studentIds
  const link = { guardianId, relationship: 'mother', isPrimary: false, isPayer: false }
  expect((await owner.post(`/students/${second}/guardians`, link)).status).toBe(201)
  const tomorrow = { scheduledStart: '2026-11-25T13:00:00.000Z', scheduledEnd: '2026-11-25T14:00:00.000Z' }
  expect((await owner.post(`/groups/${school.groupIds[0]}/sessions`, tomorrow)).status).toBe(201)
  const parent = await school.member('guardian')
  await linkAccount(school.app, 'guardian', { id: guardianId, userId: parent.userId })
  return parent
}

test('a parent tells the children apart: who was there, lessons, money', async () => {
  const parent = await familyOf()
  const page = await open({ as: parent })
  const lina = sectionOf(page, 'Lina Khoury')
  const arabic = lina.locator('.row.session').filter({ hasText: 'Arabic B1' })
  await arabic.getByText(en.today.now).waitFor()
  // Math A was marked at three, and Lina was there.
  await lina.getByText(en.own.present).waitFor()
  // A family has no page of an invoice: it has one of each child, and of what is due.
  const links = await page.locator('main a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(links.every((href) => href?.startsWith('/children/'))).toBe(true)
  const ali = sectionOf(page, 'Ali Mansour')
  await ali.getByText(/Due .*10\/12\/2026/).waitFor()
  const math = sectionOf(page, en.shell.tomorrow).getByRole('listitem').filter({ hasText: 'Math A' })
  await expect.poll(() => math.textContent()).toMatch(/Ali Mansour.* and .*Lina Khoury/)
  await examine(page, 'en', 'console-today-family-en')
})

describe.each([
  { locale: 'ar', spoken: ar, theme: 'light' },
  { locale: 'he', spoken: he, theme: 'light' },
  { locale: 'en', spoken: en, theme: 'dark' },
] as const)('in $locale', ({ locale, spoken, theme }) => {
  const look = { locale, theme, browserLocale: locale } as const
  test('the day reads well at every size', async () => {
    const teacher = await open({ as: school.teacher, ...look })
    await teacher.getByRole('link', { name: spoken.today.takeAttendance }).waitFor()
    await examine(teacher, locale, `console-today-teacher-${locale}`)
    const office = await open({ as: { userId: school.institute.ownerUserId }, ...look })
    await office.getByText(spoken.today.unmarkedBefore(1)).waitFor()
    await examine(office, locale, `console-today-office-${locale}`)
    expect(await linked(office)).toHaveLength(5)
  })
})

test('the steps of the first hour stay until they are put away, which this browser remembers', async () => {
  const page = await open({ as: { userId: school.institute.ownerUserId }, path: '/today' })
  const setUp = { branches: true, people: true, course: true, group: true, fees: false }
  await page.route('**/dashboard/attention*', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...(await reply.json()), setUp } })
  })
  await page.reload()
  const steps = page.getByRole('list', { name: words.firstTitle })
  await steps.getByText(words.firstFees).waitFor()
  await expect.poll(() => steps.getByText(words.firstDone).count()).toBe(4)
  await page.getByRole('button', { name: words.firstAway }).click()
  await expect.poll(() => steps.count()).toBe(0)
  await page.reload()
  await page.getByText(words.classes).waitFor()
  expect(await steps.count()).toBe(0)
})

test('the end of the plan is told with its day, and with the day of the lock that it leads to', async () => {
  const page = await open({ as: { userId: school.institute.ownerUserId }, path: '/today' })
  const planEnd = { endsAt: '2026-11-22T21:59:00.000Z', isOver: true, locksAt: '2026-11-29T21:59:00.000Z' }
  await page.route('**/dashboard/attention*', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...(await reply.json()), planEnd } })
  })
  await page.reload()
  const told = page.getByText(/^The plan ended on .*22 November.*is locked on .*29 November/)
  await expect.poll(() => told.count()).toBe(1)
})
