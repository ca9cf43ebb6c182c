import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeInstitute } from '#kit/institute.ts'
import { PASSWORD } from '#kit/sign-in.ts'
import { examine } from '../screens.ts'
import { emailOf, openSchool, type School } from './school.ts'
import { slowLine } from './slow-line.ts'
import { watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open, expectCalm } = watched(() => school)

const signIn = async (page: Page, userId: string, password = PASSWORD): Promise<void> => {
  await page.getByLabel('E-mail').fill(emailOf(userId))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Ends whatever sessions somebody has, as another device of theirs may. */
const endSessions = (userId: string) =>
  school.app.app.database.write((db) =>
    db.updateTable('auth_session').set({ revoked_at: school.app.clock.now() }).where('user_id', '=', userId).execute(),
  )

/** Everything that a script of this browser can find. */
const kept = (page: Page): Promise<string> =>
  page.evaluate<string>(`(async () => {
    const databases = await indexedDB.databases()
    const stores = []
    for (const { name } of databases) {
      const db = await new Promise((resolve) => { const r = indexedDB.open(name); r.onsuccess = () => resolve(r.result) })
      for (const store of db.objectStoreNames) stores.push(await new Promise((resolve) => {
        const r = db.transaction(store).objectStore(store).getAll(); r.onsuccess = () => resolve(r.result) }))
    }
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, stores, location.href])
  })()`)

test('who signs in comes to the address that was opened; a wrong password is said beside the field', async () => {
  const page = await open({ path: '/inbox' })
  await heading(page, 'Sign in').waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Type your e-mail address.', { exact: true }).waitFor()
  await page.getByText('Type your password.').waitFor()

  await signIn(page, school.teacher.userId, 'something else')
  await page.getByText('The e-mail address or the password is wrong.').waitFor()
  // What was typed stays, and Enter is enough.
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await heading(page, 'Notifications').waitFor()
  expect(new URL(page.url()).pathname).toBe('/inbox')

  const [, payload = ''] = (school.teacher.credential ?? '').split('.')
  expect(await kept(page)).not.toContain(payload.slice(0, 12))
  expect(await kept(page)).not.toMatch(/eyJ|@example\.org/)
  await page.reload()
  await heading(page, 'Notifications').waitFor()
})

test('who signs out leaves nothing behind, and Back shows nothing', async () => {
  const member = await school.member('front_desk')
  const page = await open({ as: member, path: '/today', size: 'desk' })
  await page.goto(`${school.app.url}/account`)
  await page.getByRole('button', { name: /My account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'Sign in').waitFor()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
  expect(await kept(page)).not.toMatch(/eyJ|Rania/)
  await page.goBack()
  await heading(page, 'Sign in').waitFor()
  expect(await page.getByText('Rania').count()).toBe(0)
})

test('a link for a new password is asked for, and nothing says whether the address has an account', async () => {
  const page = await open()
  await page.getByRole('link', { name: 'Forgot the password?' }).click()
  await heading(page, 'Forgot the password?').waitFor()
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('Type your e-mail address.', { exact: true }).waitFor()
  await page.getByLabel('E-mail').fill('nobody@example.org')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await heading(page, 'Look into your mail').waitFor()
  await expect.poll(() => page.getByRole('status').textContent()).toContain('nobody@example.org')
  await page.getByRole('link', { name: 'Back to signing in' }).click()
  await heading(page, 'Sign in').waitFor()
})

test('a session that ends in the middle of work asks for the password over the page, and the work goes on', async () => {
  const member = await school.member('front_desk')
  const page = await open({ as: member, path: '/account' })
  await page.getByLabel('Name', { exact: true }).fill('Half a name')
  await endSessions(member.userId)
  await page.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('dialog', { name: 'Please sign in again' })
  await question.waitFor()
  // It must be answered, by the same person.
  await page.keyboard.press('Escape')
  await expect.poll(() => question.isVisible()).toBe(true)
  expect(await question.getByLabel('E-mail').count()).toBe(0)

  await question.getByLabel('Password', { exact: true }).fill('wrong')
  await question.getByRole('button', { name: 'Sign in' }).click()
  await question.getByText('The e-mail address or the password is wrong.').waitFor()
  await question.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await question.getByRole('button', { name: 'Sign in' }).click()
  await question.waitFor({ state: 'detached' })
  // What was pressed goes on by itself: nobody is to press it a second time.
  await page.getByText('Your name and phone number are saved.').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a name')
  expect(await page.getByText('After signing in').count()).toBe(0)
})

test('who signs in as somebody else in a second tab takes the first tab along', async () => {
  const [one, other] = [await school.member('front_desk'), await school.member('teacher')]
  await one.patch('/me', { fullName: 'First Person' })
  const first = await open({ as: one, path: '/account', size: 'desk' })
  await first.getByRole('button', { name: /First Person/ }).waitFor()
  // Both sign in at the page, so that the second sees what the browser has.
  await endSessions(one.userId)
  const second = await open({ beside: first, path: '/sign-in' })
  await signIn(second, other.userId)
  await second.getByRole('navigation').first().waitFor()
  await first.getByRole('button', { name: /Rania Saleh/ }).waitFor()
  expect(await first.getByText('First Person').count()).toBe(0)
})

test.each([{ isPlainHttp: false }, { isPlainHttp: true }])(
  'two tabs that renew their session at once both go on (plain HTTP: $isPlainHttp)',
  async ({ isPlainHttp }) => {
    const member = await school.member('front_desk')
    const first = await open({ as: member, path: '/account', isPlainHttp })
    const second = await open({ beside: first, path: '/account', isPlainHttp })
    for (const page of [first, second]) await page.getByLabel('Name', { exact: true }).waitFor()
    await Promise.all([first.reload(), second.reload()])
    for (const page of [first, second]) await page.getByLabel('Name', { exact: true }).waitFor()
    // The tokens of both are over now.
    school.app.clock.advance(20 * 60)
    await Promise.all([first, second].map((page) => page.getByRole('link', { name: 'Notifications' }).click()))
    for (const page of [first, second]) {
      await page.getByText('Nothing new').waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    }
  },
)

test('a page that is reloaded while its session is renewed stays signed in', async () => {
  const member = await school.member('front_desk')
  const line = await slowLine(school.app.url, '/api/v1/auth/refresh')
  try {
    const page = await open({ as: member, path: '/account', origin: line.url })
    await page.getByLabel('Name', { exact: true }).waitFor()
    line.hold()
    await page.reload({ waitUntil: 'commit' })
    await line.isHolding(1)
    await page.reload({ waitUntil: 'commit' })
    await line.isHolding(2)
    line.release()
    await page.getByLabel('Name', { exact: true }).waitFor()
    expect(await heading(page, 'Sign in').count()).toBe(0)
  } finally {
    await line.close()
  }
})

test('a screen that cannot be loaded says so, and comes when the connection is back', async () => {
  const member = await school.member('front_desk')
  const page = await open({ as: member, path: '/account' })
  await page.getByLabel('Name', { exact: true }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('alert').getByRole('button').click()
  await heading(page, 'Notifications').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a member of several institutes chooses one, and changes to another later', async () => {
  const member = await school.member('teacher')
  const second = await makeInstitute(school.app)
  await second.owner.patch('/settings', { name: 'Second <i>Institute</i>' })
  const there = await second.member({ role: 'admin' })
  await school.app.app.database.write((db) =>
    sql`UPDATE membership SET user_id = ${member.userId} WHERE id = ${there.membershipId}`.execute(db),
  )
  const page = await open({ size: 'desk' })
  await signIn(page, member.userId)
  await heading(page, 'Which institute?').waitFor()
  await page.getByRole('button', { name: /Al-Noor Institute/ }).click()
  await heading(page, 'Today').waitFor()
  await page.goto(`${school.app.url}/account`)
  await page.getByRole('button', { name: /Second <i>Institute<\/i>/ }).click()
  await heading(page, 'Today').waitFor()
  expect(await page.title()).toBe('Today · Second <i>Institute</i>')
})

test('a server that cannot be reached is said so, at the start and later, and the page goes on by itself', async () => {
  const member = await school.member('front_desk')
  const page = await open({ as: member, path: '/account' })
  await page.getByLabel('Name', { exact: true }).waitFor()
  // It stays in place: a request that comes while a route is taken away may hang until its time is over.
  let isAway = true
  await page.route('**/api/v1/**', (route) => (isAway ? route.abort() : route.continue()))
  await page.getByLabel('Name', { exact: true }).fill('Somebody')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The server cannot be reached. What you see may be old.').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Somebody')
  isAway = false
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your name and phone number are saved.').waitFor()
  await page.getByText('What you see may be old.').waitFor({ state: 'detached' })

  isAway = true
  await page.reload()
  await heading(page, 'The server cannot be reached').waitFor()
  await expectCalm()
  isAway = false
  await page.getByLabel('Name', { exact: true }).waitFor()
})

describe.each(['ar', 'he', 'en'] as const)('signing in, in %s', (locale) => {
  test('can be read and used by everybody', async () => {
    const page = await open({ locale })
    await expect.poll(() => page.getByRole('textbox').count()).toBe(2)
    await examine(page, locale, `console-sign-in-${locale}`)
    await page.locator('button[type=submit]').click()
    await page.locator('.error').first().waitFor()
    await examine(page, locale, `console-sign-in-${locale}-missing`)
    await page.goto(`${school.app.url}/forgot-password`)
    await examine(page, locale, `console-forgot-${locale}`)
  })
})
