import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SystemRoleKey } from '#kernel/rights/permissions.ts'
import { PASSWORD } from '#kit/sign-in.ts'
import { en } from '../../../src/console/words/en/index.ts'
import { violations } from '#kit/accessibility.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine } from '../screens.ts'
import { emailOf, openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open, expectCalm } = watched(() => school)

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const places = (page: Page): Promise<string[]> =>
  page.getByRole('navigation').filter({ visible: true }).getByRole('link').allInnerTexts()

test.each<{ role: SystemRoleKey; sees: string[] }>([
  { role: 'owner', sees: ['Today', 'Students', 'Groups'] },
  { role: 'branch_manager', sees: ['Today', 'Students', 'Groups'] },
  { role: 'front_desk', sees: ['Today', 'Students', 'Groups'] },
  { role: 'teacher', sees: ['Today', 'Students', 'Groups'] },
  { role: 'guardian', sees: ['Today', 'Children'] },
])('$role sees the places that this role may use, and Find only where there is something to find', async (as) => {
  const page = await open({ as: await school.member(as.role), size: 'desk', path: '/today' })
  expect(await places(page)).toEqual(expect.arrayContaining(as.sees))
  const isStaff = as.role !== 'guardian'
  await expect.poll(() => page.getByRole('link', { name: /^Find a person/ }).count()).toBe(isStaff ? 1 : 0)
  if (!isStaff) expect(await places(page)).toEqual(as.sees)
})

test('the branch is chosen once, and kept', async () => {
  const page = await open({ as: { userId: school.institute.ownerUserId }, size: 'desk', path: '/today' })
  await page.getByRole('button', { name: 'Branch' }).click()
  await page.getByRole('menuitem', { name: 'North branch' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Branch: North branch' }).count()).toBe(1)
  await page.reload()
  await page.getByRole('button', { name: 'Branch' }).filter({ hasText: 'North branch' }).waitFor()
})

test('the keyboard comes past the places to the page, and `/` finds', async () => {
  const page = await open({ as: school.teacher, size: 'desk', path: '/account' })
  await page.keyboard.press('Tab')
  await page.getByRole('link', { name: 'Skip to the page' }).press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('page')
  await page.keyboard.press('/')
  await page.waitForURL('**/find')
  // A letter in a field stays a letter.
  await page.goto(`${school.app.url}/account`)
  await page.getByLabel('Name', { exact: true }).press('/')
  expect(new URL(page.url()).pathname).toBe('/account')
})

test.each(['ar', 'he', 'en'] as const)(
  '`?` lists the keys in %s, whichever letters the keyboard types',
  async (locale) => {
    const { keys, shell } = await loadWords[locale]()
    const page = await open({ as: school.teacher, path: '/today', size: 'desk', locale })
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: keys.title })
    await list.getByText(keys.attendance.does.mark).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    const press = (init: object) =>
      page.evaluate(
        `document.dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify({ bubbles: true, ...init })}))`,
      )
    await press({ key: '؟', code: 'Slash', shiftKey: true })
    await list.waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: new RegExp(shell.nav.account) }).click()
    await page.getByRole('menuitem', { name: keys.title }).click()
    await list.waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await press({ key: 'ظ', code: 'Slash' })
    await page.waitForURL('**/find')
  },
)

test('whoever works in the name of another is told so on every page', async () => {
  const page = await open({ as: school.teacher, path: '/account' })
  const notice = page.getByText(en.shell.impersonated('Rania Saleh'))
  expect(await notice.count()).toBe(0)
  await page.route('**/auth/me', async (route) => {
    const reply = await route.fetch()
    const me = (await reply.json()) as object
    return route.fulfill({ response: reply, json: { ...me, impersonatedBy: school.teacherStaffId } })
  })
  await page.reload()
  await notice.waitFor()
})

test('a page that does not exist says so, and leads back', async () => {
  const page = await open({ as: school.teacher, path: '/account/nothing-here' })
  await heading(page, 'This page does not exist').waitFor()
  await page.getByRole('link', { name: 'Go to Today' }).click()
  await heading(page, 'Today').waitFor()
  expect(await page.evaluate('document.activeElement.localName')).toBe('h1')
})

test('the menu of a phone has what does not fit, and speaks another language at once, in every browser and in messages', async () => {
  const member = await school.member('teacher')
  const page = await open({ as: member, path: '/today' })
  await page.getByRole('button', { name: 'Menu' }).tap()
  await page.getByRole('menuitem', { name: 'العربية' }).tap()
  await heading(page, 'اليوم').waitFor()
  await expect.poll(() => page.getAttribute('html', 'dir')).toBe('rtl')
  await page.getByRole('button', { name: 'القائمة' }).tap()
  // What closes it for who hears the page, in the word of the other buttons.
  await page.getByLabel('إغلاق', { exact: true }).first().waitFor({ state: 'attached' })
  await page.getByRole('menuitem', { name: 'حسابي' }).tap()
  await heading(page, 'حسابي').waitFor()
  await page.goBack()
  await heading(page, 'اليوم').waitFor()
  await expect.poll(async () => (await member.get('/me')).body.locale).toBe('ar')
  const elsewhere = await open({ as: member, path: '/today' })
  await heading(elsewhere, 'اليوم').waitFor()
})

test('whoever signs in reads in their own language, whatever was chosen in this browser before', async () => {
  const member = await school.member('teacher')
  await member.patch('/me', { locale: 'he' })
  const page = await open({ browserLocale: 'ar' })
  await heading(page, 'تسجيل الدخول').waitFor()
  await page.evaluate("localStorage.setItem('institute.locale', 'ar')")
  await page.getByRole('textbox').first().fill(emailOf(member.userId))
  await page.getByRole('textbox').last().fill(PASSWORD)
  await page.keyboard.press('Enter')
  await heading(page, 'היום').waitFor()
  await expect.poll(() => page.getAttribute('html', 'lang')).toBe('he')
})

test('who never chose a language reads the page in that of the browser, and signed in in their own', async () => {
  const nobody = await open({ browserLocale: 'he-IL' })
  await heading(nobody, 'כניסה').waitFor()
  const member = await school.member('teacher')
  await member.patch('/me', { locale: 'ar' })
  const page = await open({ as: member, browserLocale: 'he-IL', path: '/today' })
  await heading(page, 'اليوم').waitFor()
  await expect.poll(() => page.getAttribute('html', 'lang')).toBe('ar')
})

test('names are text, however they are written', async () => {
  const member = await school.member('front_desk')
  await member.patch('/me', { fullName: '<img src=x onerror=alert(1)>\u202Eabc "\'&amp;' })
  const page = await open({ as: member, size: 'desk', path: '/today' })
  await expect
    .poll(() => page.getByRole('button', { name: /My account/ }).textContent())
    .toContain('<img src=x onerror=alert(1)>')
})

const inboxOf = async (userId: string, titles: string[]) => {
  for (const title of titles) {
    const message = {
      templateKey: 'message',
      data: { title, message: 'We are closed tomorrow.\n<b>Thank you</b>' },
      channels: ['in_app'],
      recipients: { userIds: [userId] },
    }
    const { status, body } = await school.institute.owner.post('/notifications/send', message)
    expect(status, JSON.stringify(body)).toBe(202)
    school.app.clock.advance(60)
  }
  await school.app.drain()
}

test('a notification is new until it is opened; all are read at once', async () => {
  const member = await school.member('teacher')
  await inboxOf(member.userId, ['First', 'Second', 'Third'])
  const page = await open({ as: member, path: '/today' })
  await page.getByRole('link', { name: 'Notifications: 3 unread notifications' }).tap()
  const items = page.getByRole('main').getByRole('listitem')
  await items.first().waitFor()
  expect((await items.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(['Third', 'Second', 'First'])
  await items.first().getByRole('button').tap()
  await page.getByRole('link', { name: 'Notifications: 2 unread notifications' }).waitFor()
  await expect.poll(() => page.getByText('New', { exact: true }).count()).toBe(2)
  await page.getByRole('button', { name: 'Mark all as read' }).tap()
  await page.getByText('New', { exact: true }).first().waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()
  await expect.poll(() => page.getByText('<b>Thank you</b>').count()).toBe(3)
})

describe.each(['ar', 'he', 'en'] as const)('the frame in %s', (locale) => {
  test('can be read and used by everybody, with an inbox that has something and one that has not', async () => {
    const member = await school.member('teacher')
    const page = await open({ as: member, path: '/inbox', locale })
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(0)
    await page.locator('.empty').waitFor()
    await examine(page, locale, `console-inbox-empty-${locale}`)
    await inboxOf(member.userId, ['معهد النور', 'מכון האור', 'Light'])
    await page.reload()
    await page.getByRole('main').getByRole('listitem').first().waitFor()
    await examine(page, locale, `console-inbox-${locale}`)
  })
})

test('an institute that is locked says so, and one whose time is over, or will be, can only be read', async () => {
  const { tenant } = school.institute
  const set = (values: object) =>
    school.app.app.database.write((db) => db.updateTable('tenant').set(values).where('id', '=', tenant.id).execute())
  await set({ writes_end_at: '2026-12-01T00:00:00.000Z' })
  const owners = await open({ as: { userId: school.institute.ownerUserId }, path: '/account' })
  await owners.getByText(/The subscription ends on .?Tuesday/).waitFor()
  const page = await open({ as: school.teacher, path: '/account' })
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await page.getByText('The subscription ends').count()).toBe(0)
  await set({ writes_end_at: null, trial_ends_at: '2026-12-01T08:00:00.000Z' })
  await owners.reload()
  await owners.getByText(/The trial ends on .?Tuesday/).waitFor()
  await set({ trial_ends_at: '2026-11-01T08:00:00.000Z' })
  await owners.reload()
  await owners.getByText(/The trial ended on .?Sunday/).waitFor()
  await set({ writes_end_at: '2026-11-01T00:00:00.000Z' })
  await page.reload()
  await page.getByText('Everything can be read, nothing can be changed.').waitFor()
  await page.getByLabel('Name', { exact: true }).waitFor()
  await set({ writes_end_at: null, locked_at: '2026-11-24T08:00:00.000Z', locked_reason: 'Three <b>bills</b>' })
  await page.reload()
  await heading(page, 'This institute is locked').waitFor()
  await page.getByText(/The vendor says: .?Three <b>bills<\/b>/).waitFor()
  await page.getByText('Please tell the owner of the institute').waitFor()
  await owners.reload()
  await owners.getByText('Please call the company').waitFor()
  await owners.getByRole('button', { name: 'Make the file' }).click()
  await owners.getByText('It is being made').waitFor()
  await school.app.drain()
  await owners.getByRole('button', { name: 'Download' }).waitFor()
  expect(await page.getByRole('button', { name: 'Make the file' }).count()).toBe(0)
  await expectCalm()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await heading(page, 'Sign in').waitFor()
  await set({ locked_at: null, locked_reason: null })
})
