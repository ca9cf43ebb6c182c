import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { newSetup } from '#kit/setup.ts'
import { mailedToken } from '#kit/sign-in.ts'
import { licenseToken, startVendor, unlockToken, type TestVendor } from '#kit/vendor.ts'
import { announced, examine, expectFaults, focused, headingHasFocus, LANGUAGES, newPage, setUp } from './screens.ts'

let browser: Browser
let app: TestApp
let vendor: TestVendor
let page: Page

const { password: PASSWORD } = newSetup('token').owner

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  vendor = await startVendor(() => app.clock.now())
  app = await startApp({
    // The browser has its own clock.
    now: new Date().toISOString(),
    config: { license: { ...DEFAULTS.license, ...vendor.config } },
  })
})
afterEach(async () => {
  await page.close()
  vendor.close()
  await app.close()
})

const shown = (id: string) => page.waitForSelector(`#${id}:not([hidden])`)
const open = async () => {
  await page.goto(`${app.url}/license`)
}
const signIn = async (email: string, password: string) => {
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.click('button[type=submit]')
}

describe.each(LANGUAGES)('the page of the licence, in $locale', ({ locale, name }) => {
  const look = (state: string) => examine(page, locale, `license-${locale}-${state}`)

  test('an owner puts in a licence, finds the institute locked, and unlocks it', async () => {
    const { email } = await setUp(app, { locale, name })
    const licenseId = newId()
    page = await newPage(browser, locale)
    await open()
    await shown('sign-in')
    await look('fresh')

    await page.click('button[type=submit]')
    await expectFaults(page, ['email', 'password'])
    await signIn(email, 'not this one')
    await page.waitForSelector('.field:has(#password) .error')
    await expectFaults(page, ['password'])
    await look('wrong-password')

    await signIn(email, PASSWORD)
    await shown('state')
    expect(await headingHasFocus(page)).toBe(true)
    expect(await page.isVisible('#locked-help')).toBe(false)
    await look('unlicensed')
    await page.fill('#token', unlockToken({ licenseId, seq: 1 }))
    await page.click('button[type=submit]')
    await page.waitForSelector('.field:has(#token) .error')
    await expectFaults(page, ['token'])
    // As a mail program broke its line.
    await page.fill('#token', licenseToken({ licenseId }).replace(/.{60}/, '$&\n'))
    await page.click('button[type=submit]')
    await page.locator('#license-id').filter({ hasText: licenseId }).waitFor()
    expect(await page.isVisible('#token')).toBe(false)
    await page.click('#another summary')
    await look('active')

    vendor.command('lock', 'Invoice 2026-117 is not paid.')
    await app.drain()
    await app.pass(6 * 3600)
    // The session's cookie signs the owner in again.
    await page.reload()
    await page.waitForSelector('#locked-help:not([hidden])')
    // Marks hold the groups of a number in order, also after Arabic letters.
    expect((await page.textContent('#reason'))?.replaceAll('\u200E', '')).toBe('Invoice 2026-117 is not paid.')
    expect(await page.textContent('#license-id')).toBe(licenseId)
    await look('locked')

    await page.fill('#token', unlockToken({ licenseId, seq: 2, exp: 1_772_000_001 }))
    await page.click('button[type=submit]')
    await page.waitForSelector('.field:has(#token) .error')
    await expectFaults(page, ['token'])
    await look('refused')
    await page.fill('#token', unlockToken({ licenseId, seq: 2 }))
    await page.route('**/api/v1/license/unlock', (route) => route.abort())
    await page.click('button[type=submit]')
    await page.getByRole('alert').waitFor()
    expect(await focused(page)).toBe('submit')
    await look('unreachable')
    await page.unroute('**/api/v1/license/unlock')
    await page.getByRole('alert').getByRole('button').click()
    await page.waitForSelector('#locked-help', { state: 'detached' })
    await announced(page, { ar: 'تم.', he: 'בוצע.', en: 'Done.' }[locale])
    expect(await headingHasFocus(page)).toBe(true)

    vendor.answerBy((_, response) => response.destroy())
    await app.pass(6 * 3600)
    await page.reload()
    await page.waitForSelector('#last-error:not([hidden])')
    await page.click('#last-error summary')
    await look('vendor-away')
    await page.locator('#state').getByRole('button').last().click()
    await shown('sign-in')
    await page.reload()
    await shown('sign-in')
  })

  test('somebody who is not the owner is told so', async () => {
    const { owner, roles } = await setUp(app, { locale, name })
    await owner.post('/members', { email: 'rami@example.org', roleId: roles.teacher })
    await app.drain()
    const token = mailedToken(app, 'rami@example.org', 'invitation')
    await app.post('/invitations/accept', { token, password: PASSWORD, fullName: 'Rami Haddad' })
    page = await newPage(browser, locale)
    await open()
    await shown('sign-in')
    await signIn('rami@example.org', PASSWORD)
    await shown('foreign')
    expect(await headingHasFocus(page)).toBe(true)
    await look('foreign')
    await page.locator('#foreign').getByRole('button').click()
    await shown('sign-in')
  })
})
