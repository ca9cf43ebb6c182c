import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { spoken } from '#kit/accessibility.ts'
import { WEAK } from '#kernel/who/new-password.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import {
  announced,
  chooseProvider,
  errorOf,
  examine,
  expectFaults,
  expectNoFaults,
  focused,
  LANGUAGES,
  newPage,
} from './screens.ts'

let browser: Browser
let app: TestApp
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
afterEach(async () => {
  await page.close()
  await app.close()
})

const open = async (path: string, locale: string) => {
  app = await startApp()
  page = await newPage(browser, locale)
  await page.goto(app.url + path.replace('TOKEN', app.app.setupToken.ensure()))
  await page.waitForSelector('#step-language:not([hidden])')
}

test('whoever leaves the first step before the words of the others are there waits for them', async () => {
  app = await startApp()
  page = await newPage(browser, 'en')
  const held: (() => void)[] = []
  let isHeld = false
  await page.route('**/console/assets/**', async (route) => {
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  // The wizard is drawn once this is answered, and asks for the rest then.
  await page.route('**/setup/status', (route) => {
    isHeld = true
    return route.continue()
  })
  await page.goto(`${app.url}/setup/#token=${app.app.setupToken.ensure()}`)
  await page.waitForSelector('#step-language:not([hidden])')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-language', { state: 'detached' })
  await page.locator('.onward [type=submit]').click()
  isHeld = false
  for (const release of held) release()
  await page.waitForSelector('#step-institute:not([hidden])')
  expect(await page.inputValue('#institute-name')).toBe('')
  await expectNoFaults(page, ['institute-name'])
})

describe.each(LANGUAGES)('faults in the wizard in $locale', ({ locale, name, city }) => {
  test('are shown at their field, with the focus on the first, and disappear once corrected', async () => {
    await open('/setup/#token=wrong', locale)
    const look = (step: string) => examine(page, locale, `wizard-${locale}-${step}-wrong`)
    // A wrong code is said on the first page, before anything else was filled in.
    await page.waitForSelector('.field:has(#setup-token) .error')
    await expectFaults(page, ['setup-token'])
    await look('code')
    await page.fill('#setup-token', 'wrong too')
    await page.click('.onward [type=submit]')
    await page.waitForSelector('.field:has(#setup-token) .error')
    await expectFaults(page, ['setup-token'])
    await page.fill('#setup-token', '')
    await page.click('.onward [type=submit]')
    await expectFaults(page, ['setup-token'])
    await page.fill('#setup-token', `${app.url}/setup/#token=${app.app.setupToken.ensure()}`)
    await page.click('.onward [type=submit]')
    await page.waitForSelector('#step-institute:not([hidden])')

    await page.fill('#institute-timezone', 'Atlantis')
    await page.fill('#institute-slug', 'Not A Slug')
    await page.click('.onward [type=submit]')
    await expectFaults(page, ['institute-name', 'institute-slug', 'institute-timezone'])
    await look('institute')
    await page.fill('#institute-name', name)
    await page.fill('#institute-slug', 'light')
    await page.fill('#institute-timezone', 'Asia/Jerusalem')
    await page.keyboard.press('Enter')
    expect(await page.inputValue('#institute-timezone')).toBe(city)
    await expectNoFaults(page, ['institute-name', 'institute-slug', 'institute-timezone'])
    await page.click('.onward [type=submit]')

    await page.fill('#owner-email', 'مدير@example.org')
    await page.fill('#owner-password', 'short')
    await page.keyboard.press('Enter')
    await expectFaults(page, ['owner-first-name', 'owner-last-name', 'owner-email', 'owner-password'])
    await look('owner')
    await page.fill('#owner-first-name', 'Noor')
    await page.fill('#owner-last-name', 'Haddad')
    await page.fill('#owner-email', 'owner@example.org')
    await page.fill('#owner-password', 'olive tree by the gate')
    await expectNoFaults(page, ['owner-first-name', 'owner-last-name', 'owner-email', 'owner-password'])
    await page.click('.onward [type=submit]')

    await page.fill('#base-url', 'no address')
    await page.click('.onward [type=submit]')
    await expectFaults(page, ['base-url'])
    await look('address')
    await page.fill('#base-url', app.url)
    await page.click('.onward [type=submit]')

    await chooseProvider(page, 'own')
    await page.fill('#mail-port', '0')
    await page.click('.onward [type=submit]')
    await expectFaults(page, ['mail-host', 'mail-port', 'mail-sender'])
    await look('mail')
    await chooseProvider(page, 'none')
    await page.click('.onward [type=submit]')

    await page.click('.onward [type=submit]')
    await page.waitForSelector('#done:not([hidden])')
    expect((await app.get('/setup/status')).body.needsSetup).toBe(false)

    await page.click('#for-programs summary')
    await page.fill('#key-name', '')
    await page.click('#for-programs [type=submit]')
    await expectFaults(page, ['key-name'])
    await look('key')
  })

  test('that belong to no field are shown as an alert, from which one can try again', async () => {
    await open('/setup/#token=TOKEN', locale)
    await page.route('**/api/v1/setup/status', (route) => route.abort())
    await page.reload()
    await page.waitForSelector('#unreachable:not([hidden])')
    await examine(page, locale, `wizard-${locale}-unreachable`)
    await page.unroute('**/api/v1/setup/status')
    await page.getByRole('alert').getByRole('button').click()
    await page.waitForSelector('#step-language:not([hidden])')
    expect(await page.getByRole('alert').count()).toBe(0)

    await page.route('**/setup/check', (route) => route.abort())
    await page.reload()
    await page.waitForSelector('#step-language:not([hidden])')
    await page.getByRole('alert').waitFor()
    await page.unroute('**/setup/check')
    await page.getByRole('alert').getByRole('button').click()
    await page.waitForSelector('#step-institute:not([hidden])')

    await page.route('**/api/v1/setup/status', (route) =>
      route.fulfill({ json: { deploymentMode: 'cloud', needsSetup: false } }),
    )
    await page.reload()
    await page.waitForSelector('#cloud:not([hidden])')
    await examine(page, locale, `wizard-${locale}-cloud`)
  })
})

test('a repeated fault is announced again, even when its field has the focus already', async () => {
  await open('/setup/#token=TOKEN', 'en')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-institute:not([hidden])')
  await page.click('.onward [type=submit]')
  const text = 'Please enter the name of the institute.'
  await announced(page, text)
  await page.evaluate('document.getElementById("live").textContent = ""')
  expect(await focused(page)).toBe('institute-name')
  await page.keyboard.press('Enter')
  await announced(page, text)
})

test('the advice on a password is announced when the typing pauses, unless the password was refused meanwhile', async () => {
  await open('/setup/#token=TOKEN', 'en')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-institute:not([hidden])')
  await page.clock.install()
  await page.fill('#institute-name', 'Light Institute')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-owner:not([hidden])')
  // What is refused is known once the rule has been loaded.
  await page.waitForLoadState('networkidle')
  await page.clock.pauseAt(Date.now() + 60_000)
  const said = () => page.textContent('#live')
  await page.fill('#owner-password', 'short')
  await page.clock.runFor(900)
  expect(await said()).toBe('')
  await page.clock.runFor(300)
  expect(await said()).toBe('5 of at least 10 characters.')
  await page.fill('#owner-password', 'olive tree by the gate')
  await page.clock.runFor(1200)
  expect(await said()).toBe('Nicely long. That is what protects best.')
  // What the server would refuse is not praised, and does not go on: in the server's words.
  await page.fill('#owner-email', 'owner@example.org')
  for (const [password, words] of [
    ['12345678901', WEAK.repetitive],
    ['Password2024!', WEAK.common],
    ['owner@example.org', WEAK.related],
    ['LightInstitute1', WEAK.related],
  ] as const) {
    await page.fill('#owner-password', password)
    await page.clock.runFor(1200)
    expect(await said()).toBe(words)
    await expect
      .poll(() => page.locator('.field:has(#owner-password)').locator('.hint, .error').textContent())
      .toBe(words)
    await page.keyboard.press('Enter')
    await expect.poll(() => errorOf(page, 'owner-password').textContent()).toBe(words)
    expect(await page.isVisible('#step-owner')).toBe(true)
  }
  await page.fill('#owner-password', 'short')
  await page.keyboard.press('Enter')
  await page.clock.runFor(1200)
  expect(await said()).toContain('The password needs at least 10 characters.')
})

test('a picked zone shows its current time', async () => {
  await open('/setup/#token=TOKEN', 'en')
  await page.click('.onward [type=submit]')
  await page.fill('#institute-timezone', 'tokyo')
  await announced(page, '1 option available')
  await page.keyboard.press('Enter')
  expect(await page.inputValue('#institute-timezone')).toBe('Tokyo')
  expect(await page.inputValue('input[name=timezone]')).toBe('Asia/Tokyo')
  await announced(page, 'The time there is now')
  // Also where the name is typed out, and the field says what it did before.
  await page.fill('#institute-timezone', 'Jerusalem')
  await page.getByRole('option', { name: 'Jerusalem' }).first().click()
  await expect.poll(() => page.getByRole('option').count()).toBe(0)
  expect(await page.inputValue('input[name=timezone]')).toBe('Asia/Jerusalem')
})

test('the address field is described by the caution that is shown, and by no hidden one', async () => {
  await open('/setup/#token=TOKEN', 'en')
  await page.click('.onward [type=submit]')
  await page.fill('#institute-name', 'Light Institute')
  await page.click('.onward [type=submit]')
  await page.fill('#owner-first-name', 'Noor')
  await page.fill('#owner-last-name', 'Haddad')
  await page.fill('#owner-email', 'owner@example.org')
  await page.fill('#owner-password', 'olive tree by the gate')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-address:not([hidden])')
  const description = async () => (await spoken(page, 'base-url')).description
  expect(await description()).toContain('this very computer')
  expect(await description()).not.toContain('not encrypted')
  await page.fill('#base-url', 'http://office.example.org')
  expect(await description()).toContain('not encrypted')
  expect(await description()).not.toContain('this very computer')
  await announced(page, 'not encrypted')
  await page.fill('#base-url', 'https://office.example.org')
  expect(await description()).toBe('We suggest the address by which you opened this page.')
})
