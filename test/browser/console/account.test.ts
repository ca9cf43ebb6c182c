import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '#kit/sign-in.ts'
import { en } from '../../../src/console/words/en/index.ts'
import { examine } from '../screens.ts'
import { press } from './press.ts'
import { emailOf, openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
beforeAll(async () => {
  school = await openSchool('en')
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

/** One pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const LOCALES = ['ar', 'he', 'en'] as const
const login = (userId: string, password: string) => school.app.post('/auth/login', { email: emailOf(userId), password })
const region = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name }) })

test('a member changes name and phone, and takes it back', async () => {
  const member = await school.member('front_desk')
  const page = await open({ as: member, path: '/account' })
  const save = page.getByRole('button', { name: 'Save' })
  await page.getByLabel('Name').waitFor()
  expect(await save.isDisabled()).toBe(true)

  await page.getByLabel('Phone (optional)').fill('12')
  await save.click()
  await page.getByText('This is not a phone number.').waitFor()

  await page.getByLabel('Phone (optional)').fill('052-765-4321')
  await page.getByLabel('Name').fill('<b>Noor</b> נור')
  await page.getByLabel('Name').press('Enter')
  await page.getByText('Your name and phone number are saved.').waitFor()
  expect((await member.get('/me')).body).toMatchObject({ fullName: '<b>Noor</b> נור', phone: '+972527654321' })
  // The phone is shown as it was kept.
  expect(await page.getByLabel('Phone (optional)').inputValue()).toBe('+972527654321')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Rania Saleh')
  expect((await member.get('/me')).body).toMatchObject({ fullName: 'Rania Saleh', phone: null })
})

test('an owner who is alone says that they teach, too; whoever is not alone asks another', async () => {
  const { account: words, members, refusals } = en
  const owner = { userId: school.institute.ownerUserId }
  const other = await school.institute.member({ permissions: ['members.manage'] })
  const page = await open({ as: owner, path: '/account' })
  const teach = page.getByRole('button', { name: words.teaching.verb })
  await teach.click()
  await page.getByText(refusals.reasons.own_account_link).waitFor()
  await school.institute.owner.patch(`/members/${other.membershipId}`, { status: 'disabled' })
  await teach.click()
  await page.getByText(members.teachesNow('Samira Saleh')).waitFor()
  await page.getByText(words.teaching.done).waitFor()
  expect((await school.institute.owner.get('/me/teaching/today')).body.staffId).not.toBeNull()

  const member = await open({ as: await school.member('teacher'), path: '/account' })
  expect(await member.getByRole('heading', { name: words.teaching.title }).count()).toBe(0)
})

test('a picture of oneself takes the place of the initials, and is removed after a question', async () => {
  const member = await school.member('teacher')
  const page = await open({ as: member, path: '/account' })
  const { account: words, institute, shell } = en
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: institute.pictureChoose }).click()
  await (await chooser).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: PICTURE })
  await page.getByText(words.pictureSaved).waitFor()
  await expect.poll(() => page.evaluate<number>('document.querySelector(".portrait")?.naturalWidth')).toBe(1)
  expect((await member.get('/me')).body.avatarFileId).not.toBeNull()

  await page.getByRole('button', { name: shell.remove }).click()
  const question = page.getByRole('dialog', { name: words.pictureRemoveTitle })
  await question.getByRole('button', { name: shell.remove }).click()
  await page.getByText(words.pictureRemoved).waitFor()
  expect((await member.get('/me')).body.avatarFileId).toBeNull()
  expect(await page.locator('img.portrait').count()).toBe(0)
})

test('the language and the colours change at once, and stay', async () => {
  const member = await school.member('teacher')
  const page = await open({ as: member, path: '/account', size: 'desk' })
  await press(page.getByRole('radio', { name: 'עברית' }))
  await page.getByRole('heading', { name: 'החשבון שלי' }).waitFor()
  await expect.poll(() => page.getAttribute('html', 'dir')).toBe('rtl')
  await expect.poll(async () => (await member.get('/me')).body.locale).toBe('he')

  await press(page.getByRole('radio', { name: 'כהה' }))
  expect(await page.getAttribute('html', 'data-theme')).toBe('dark')
  await page.reload()
  await page.getByRole('heading', { name: 'החשבון שלי' }).waitFor()
  expect(await page.getAttribute('html', 'data-theme')).toBe('dark')
})

test('a password is changed by its rules, and ends the other sessions', async () => {
  const member = await school.member('teacher')
  const page = await open({ as: member, path: '/account' })
  const elsewhere = await open({ as: member, path: '/account' })
  const change = page.getByRole('button', { name: 'Change the password' })
  const [current, fresh] = [page.getByLabel('Your password now'), page.getByLabel('New password')]

  await change.click()
  await page.getByText('Type the password that you have now.').waitFor()
  await current.fill('wrong password')
  await fresh.fill('olive tree by the gate')
  await change.click()
  await page.getByText('This is not your password now.').waitFor()
  await current.fill(PASSWORD)
  await fresh.fill('password123')
  await change.click()
  await page.getByText('This password is guessed easily').waitFor()
  await fresh.fill('olive tree by the gate')
  await change.click()
  await page.getByText('The password is changed.').waitFor()
  expect(await current.inputValue()).toBe('')

  expect((await login(member.userId, PASSWORD)).status).toBe(401)
  expect((await login(member.userId, 'olive tree by the gate')).status).toBe(200)
  // Whoever is elsewhere is asked for the new one when they go on.
  await elsewhere.getByLabel('Name').fill('Another')
  await elsewhere.getByRole('button', { name: 'Save' }).click()
  await elsewhere.getByRole('dialog', { name: 'Please sign in again' }).waitFor()
})

test('one device is signed out, then all others', async () => {
  const member = await school.member('teacher')
  const agents = ['iPhone OS Safari', 'Windows Firefox', 'Android Chrome']
  for (const agent of agents) {
    await school.app.send('POST', '/auth/login', {
      body: { email: emailOf(member.userId), password: PASSWORD },
      headers: { 'user-agent': agent },
    })
  }
  const page = await open({ as: member, path: '/account' })
  const sessions = region(page, 'Where you are signed in')
  await sessions.getByText('Firefox on Windows').waitFor()
  await expect.poll(() => sessions.getByText('This device').count()).toBe(1)

  await sessions.getByRole('button', { name: 'Sign out Firefox on Windows' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
  await sessions.getByRole('button', { name: 'Sign out Firefox on Windows' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await sessions.getByText('Firefox on Windows').waitFor({ state: 'detached' })
  await expect.poll(() => sessions.getByText('Safari on iPhone').count()).toBe(1)

  await sessions.getByRole('button', { name: 'Sign out all others' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click()
  await page.getByText('You are signed in on this device alone.').waitFor()
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1)
})

test('somebody is signed out everywhere, here too', async () => {
  const member = await school.member('teacher')
  const { accessToken } = (await login(member.userId, PASSWORD)).body
  const page = await open({ as: member, path: '/account' })
  const sessions = region(page, 'Where you are signed in')
  await sessions.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect((await school.app.as(accessToken).get('/me')).status).toBe(401)
})

test('a browser gets no more messages, and stays signed in', async () => {
  const member = await school.member('teacher')
  const page = await open({ as: member, path: '/account' })
  const device = { id: '019cad6a-1c00-7000-8000-000000000009', userAgent: 'Windows Firefox' }
  const at = '2026-11-20T08:00:00.000Z'
  let isThere = true
  await page.route('**/api/v1/me/devices**', (route) => {
    if (route.request().method() === 'DELETE') isThere = false
    const data = isThere ? [{ ...device, createdAt: at, lastUsedAt: at, current: false }] : []
    return route.fulfill({ json: route.request().method() === 'DELETE' ? { ok: true } : { data, nextCursor: null } })
  })
  await page.reload()
  const devices = region(page, 'Messages on your devices')
  await devices.getByText(/since .*20\/11\/2026/).waitFor()
  await devices.getByRole('button', { name: 'No more messages to Firefox on Windows' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'No more messages' }).click()
  await page.getByText(/Firefox on Windows.* gets no more messages/).waitFor()
  await expect.poll(() => devices.getByRole('listitem').count()).toBe(1)
  expect(isThere).toBe(false)
})

test('a member gets the address of their calendar, and ends it', async () => {
  const member = await school.member('teacher')
  const page = await open({ as: member, path: '/account' })
  const calendar = region(page, 'Lessons in your calendar')
  await calendar.getByRole('button', { name: 'Get the address' }).click()
  const address = await calendar.getByLabel('Private address').inputValue()
  expect((await fetch(address)).headers.get('content-type')).toMatch(/^text\/calendar/)
  await calendar.getByRole('button', { name: 'End this address' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End this address' }).click()
  await calendar.getByRole('button', { name: 'Get the address' }).waitFor()
  expect((await fetch(address)).status).toBe(404)
})

test('somebody chooses how to be told, and takes it back', async () => {
  const member = await school.member('teacher')
  const page = await open({ as: member, path: '/account' })
  const preference = async () =>
    (await member.get('/notification-preferences')).body.preferences.find(
      ({ channel }: { channel: string }) => channel === 'email',
    )
  await press(page.getByRole('checkbox', { name: 'By e-mail' }))
  await page.getByText('Saved').waitFor()
  expect(await preference()).toMatchObject({ enabled: false })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(preference).toMatchObject({ enabled: true })
})

describe.each(LOCALES)('the account in %s', (locale) => {
  test('can be read and used by everybody', async () => {
    const page = await open({ as: school.teacher, path: '/account', locale })
    await page.getByRole('checkbox').first().waitFor()
    await page.getByRole('listitem').first().waitFor()
    await expect.poll(() => page.getByRole('textbox').count()).toBe(4)
    await examine(page, locale, `console-account-${locale}`)
  })
})
