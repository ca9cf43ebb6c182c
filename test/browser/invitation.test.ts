import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { mailedToken } from '#kit/sign-in.ts'
import { errorOf, examine, expectEnd, expectFaults, LANGUAGES, newPage, setUp } from './screens.ts'

let browser: Browser
let app: TestApp
let page: Page

const PASSWORD = 'olive tree by the gate'

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  app = await startApp({ config: { registration: true } })
})
afterEach(async () => {
  await page.close()
  await app.close()
})

const login = async (email: string) => (await app.post('/auth/login', { email, password: PASSWORD })).status

describe.each(LANGUAGES)('the page that an invitation links to, in $locale', ({ locale, name }) => {
  const look = (state: string) => examine(page, locale, `invitation-${locale}-${state}`)
  const open = async (path: string) => {
    await page.goto(app.url + path)
  }

  test('admits a new person, once', async () => {
    const { owner, roles } = await setUp(app, { locale, name })
    await owner.post('/members', { email: 'huda@example.org', roleId: roles.front_desk })
    await app.drain()
    const link = `/invitation?token=${mailedToken(app, 'huda@example.org', 'invitation')}`
    page = await newPage(browser, locale)
    await open(link)
    await page.waitForSelector('#ask:not([hidden])')
    const said = await page.innerText('main')
    for (const named of [name, 'Noor Haddad', 'huda@example.org']) expect(said).toContain(named)
    await look('fresh')

    await page.fill('#password', 'short')
    await page.click('button[type=submit]')
    await expectFaults(page, ['full-name', 'password'])
    await look('wrong')

    await page.fill('#full-name', 'Huda Nasser')
    await page.fill('#password', PASSWORD)
    await page.click('button[type=submit]')
    await expectEnd(page, 'done')
    expect(page.url()).not.toContain('token')
    expect(await login('huda@example.org')).toBe(200)
    await look('done')
    // The password was chosen a moment ago: it is not asked for once more.
    await page.click('#done a')
    await page.waitForURL(`${app.url}/`)
    await page.locator('main h1').waitFor()
    expect(await page.locator('#email').count()).toBe(0)

    await open(link)
    await expectEnd(page, 'invalid')
    expect(await page.innerText('body')).not.toContain(name)
    await look('invalid')
    await open('/invitation')
    await expectEnd(page, 'incomplete')
    await look('incomplete')
  })

  test('asks for a password when the address has an account that nobody confirmed', async () => {
    const registered = { email: 'huda@example.org', password: 'the password of a stranger', fullName: 'Huda', locale }
    expect((await app.post('/auth/register', registered)).status).toBe(201)
    const { owner, roles } = await setUp(app, { locale, name })
    await owner.post('/members', { email: 'huda@example.org', roleId: roles.front_desk })
    await app.drain()
    page = await newPage(browser, locale)
    await open(`/invitation?token=${mailedToken(app, 'huda@example.org', 'invitation')}`)
    await page.waitForSelector('#ask:not([hidden])')
    await page.click('button[type=submit]')
    await page.waitForSelector('.field:has(#password) .error')
    await expectFaults(page, ['password'])
    await expect.poll(() => errorOf(page, 'full-name').isVisible()).toBe(false)
    await look('unconfirmed')
    await page.fill('#password', PASSWORD)
    await page.click('button[type=submit]')
    await expectEnd(page, 'done')
    expect(await login('huda@example.org')).toBe(200)
  })

  test('asks somebody who has an account for nothing', async () => {
    const { owner, roles } = await setUp(app, { locale, name })
    const invited = 'huda@example.org'
    await app.post('/auth/register', { email: invited, password: PASSWORD, fullName: 'Huda', locale })
    await app.drain()
    await app.post('/auth/verify-email', { token: mailedToken(app, invited, 'verify-email') })
    await owner.post('/members', { email: invited, roleId: roles.front_desk })
    await app.drain()
    page = await newPage(browser, locale)
    await open(`/invitation?token=${mailedToken(app, invited, 'invitation')}`)
    await page.waitForSelector('#ask:not([hidden])')
    expect(await page.isVisible('#password')).toBe(false)
    expect(await page.isVisible('#full-name')).toBe(false)
    await look('known')
    await page.click('button[type=submit]')
    await expectEnd(page, 'done')
    expect(await page.getByRole('link').getAttribute('href')).toBe('/')
    await look('done-known')
  })
})
