import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { mailedToken } from '#kit/sign-in.ts'
import { loadLinkWords } from '../../web-setup/words/index.ts'
import { errorOf, examine, expectEnd, expectFaults, focused, LANGUAGES, newPage, setUp, speak } from './screens.ts'

let browser: Browser
let app: TestApp
let page: Page

const PASSWORD = 'olive tree by the gate'
const SIGN_IN = 'https://app.example.org/'

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  app = await startApp({ config: { registration: true, signInUrl: SIGN_IN } })
})
afterEach(async () => {
  await page.close()
  await app.close()
})

const login = async (email: string) => (await app.post('/auth/login', { email, password: PASSWORD })).status

describe.each(LANGUAGES)('the pages that account mails link to, in $locale', ({ locale, name }) => {
  const look = (of: string, state: string) => examine(page, locale, `${of}-${locale}-${state}`)
  const open = async (path: string) => {
    await page.goto(app.url + path)
  }

  test('a new password is set once, and a lost connection is reported', async () => {
    const { email } = await setUp(app, { locale, name })
    await app.post('/auth/forgot-password', { email })
    await app.drain()
    const link = `/reset-password?token=${mailedToken(app, email, 'reset-password')}`
    page = await newPage(browser, locale)
    await open(link)
    await page.waitForSelector('#ask:not([hidden])')
    expect(await page.innerText('main')).toContain(name)
    await look('reset-password', 'fresh')

    await page.fill('#password', 'short')
    await page.click('button[type=submit]')
    await expectFaults(page, ['password'])
    await look('reset-password', 'wrong')

    // Only the server knows whose link it is: what it refuses, the page says in its own language.
    const { password: words } = await loadLinkWords(locale)
    await page.fill('#password', email)
    await page.click('button[type=submit]')
    await page.waitForSelector('.field:has(#password) .error')
    await expectFaults(page, ['password'])
    await expect.poll(() => errorOf(page, 'password').textContent()).toBe(words?.related)

    await page.fill('#password', PASSWORD)
    await page.route('**/api/v1/auth/reset-password', (route) => route.abort())
    await page.click('button[type=submit]')
    await page.getByRole('alert').waitFor()
    expect(await focused(page)).toBe('submit')
    await look('reset-password', 'unreachable')

    await page.unroute('**/api/v1/auth/reset-password')
    await page.getByRole('alert').getByRole('button').click()
    await expectEnd(page, 'done')
    expect(page.url()).not.toContain('token')
    expect(await login(email)).toBe(200)
    expect(await page.getByRole('link').getAttribute('href')).toBe(SIGN_IN)
    await look('reset-password', 'done')

    await open(link)
    await expectEnd(page, 'invalid')
    expect(await page.innerText('body')).not.toContain(name)
    expect(await page.getByRole('link').getAttribute('href')).toBe('/forgot-password')
    await look('reset-password', 'invalid')
    await open('/reset-password')
    await expectEnd(page, 'incomplete')
    await look('reset-password', 'incomplete')
  })

  test('an address is confirmed once, and only by a click', async () => {
    await setUp(app, { locale, name })
    const email = 'rami@example.org'
    await app.post('/auth/register', { email, password: PASSWORD, fullName: 'Rami Haddad', locale })
    await app.drain()
    const link = `/verify-email?token=${mailedToken(app, email, 'verify-email')}`
    page = await newPage(browser, locale)
    await open(link)
    await page.waitForSelector('#ask:not([hidden])')
    await look('verify-email', 'fresh')
    await page.reload()
    await page.click('button[type=submit]')
    await expectEnd(page, 'done')
    expect(page.url()).not.toContain('token')
    await look('verify-email', 'done')

    await open(link)
    await expectEnd(page, 'invalid')
    await look('verify-email', 'invalid')
    await open('/verify-email')
    await expectEnd(page, 'incomplete')
    await look('verify-email', 'incomplete')
  })
})

test('a page speaks the language of its mail, whatever the browser speaks, until the person chooses another', async () => {
  const { email } = await setUp(app, { locale: 'ar', name: 'معهد النور' })
  await app.post('/auth/forgot-password', { email })
  await app.drain()
  page = await newPage(browser, 'en')
  await page.goto(`${app.url}/reset-password?token=${mailedToken(app, email, 'reset-password')}`)
  await page.waitForSelector('#ask:not([hidden])')
  await expect.poll(() => page.getAttribute('html', 'lang')).toBe('ar')
  await expect.poll(() => page.title()).toBe('اختيار كلمة مرور جديدة · معهد النور')
  await speak(page, 'he')
  await page.reload()
  await page.waitForSelector('#ask:not([hidden])')
  await expect.poll(() => page.getAttribute('html', 'lang')).toBe('he')
})

test('a page whose server tells it nothing of the link works all the same', async () => {
  const { email } = await setUp(app, { locale: 'en', name: 'Light Institute' })
  await app.post('/auth/forgot-password', { email })
  await app.drain()
  page = await newPage(browser, 'en')
  await page.route('**/links/reset-password', (route) => route.abort())
  await page.goto(`${app.url}/reset-password?token=${mailedToken(app, email, 'reset-password')}`)
  await page.waitForSelector('#ask:not([hidden])')
  expect(await page.innerText('body')).not.toContain('Light Institute')
  await page.fill('#password', PASSWORD)
  await page.click('button[type=submit]')
  await expectEnd(page, 'done')
  expect(await page.getByRole('link').getAttribute('href')).toBe('/')
})
