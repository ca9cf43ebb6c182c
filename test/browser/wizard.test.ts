import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser, screenshot } from '#kit/browser.ts'

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

const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 900 }

const open = async (path: string, locale: string, viewport: { width: number; height: number }) => {
  app = await startApp()
  page = await browser.newPage({ locale, viewport, timezoneId: 'Asia/Jerusalem' })
  await page.goto(app.url + path.replace('TOKEN', app.app.setupToken.ensure()))
}

const direction = () => page.evaluate<string>(`document.documentElement.dir || 'ltr'`)
/** Something sticks out of the page sideways. */
const overflows = () =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

const LANGUAGES = [
  { locale: 'ar', dir: 'rtl', name: 'معهد النور' },
  { locale: 'he', dir: 'rtl', name: 'מכון האור' },
  { locale: 'en', dir: 'ltr', name: 'Light Institute' },
] as const

describe.each(LANGUAGES)('the wizard in $locale', ({ locale, dir, name }) => {
  test.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ])('sets the institute up at %s width and ends with an API key', async (size, viewport) => {
    await open('/setup/#token=TOKEN', locale, viewport)
    const look = async (step: string) => {
      expect(await direction(), step).toBe(dir)
      expect(await overflows(), step).toBe(false)
      await screenshot(page, `wizard-${locale}-${size}-${step}`)
    }
    await page.locator(`#language-${locale}`).check()
    expect(page.url()).not.toContain('token')
    await look('language')
    await page.click('#next')
    await page.fill('#institute-name', name)
    await page.fill('#institute-slug', 'light')
    await look('institute')
    expect(await page.inputValue('#institute-currency')).toBe('ILS')
    await page.click('#next')
    await page.fill('#owner-first-name', 'Noor')
    await page.fill('#owner-last-name', 'Haddad')
    await page.fill('#owner-email', 'owner@example.org')
    await page.fill('#owner-password', 'olive tree by the gate')
    await look('owner')
    await page.click('#next')
    expect(await page.inputValue('#base-url')).toBe(app.url)
    await look('address')
    await page.click('#next')
    await look('review')
    await page.click('#create')
    await page.waitForSelector('#done:not([hidden])')
    expect(await page.textContent('#api-address')).toBe(`${app.url}/api/v1`)
    await page.fill('#key-name', 'Website')
    await page.click('#create-key')
    await page.waitForSelector('#key-result:not([hidden])')
    expect(await page.textContent('#key-value')).toMatch(/^ims_sk_/)
    await look('done')
    expect((await app.get('/setup/status')).body.needsSetup).toBe(false)
  })
})

test('the wizard works with the keyboard alone', async () => {
  await open('/setup/#token=TOKEN', 'en', DESKTOP)
  await page.waitForSelector('#step-language:not([hidden])')
  const type = async (field: string, text: string) => {
    for (let tabs = 0; tabs < 30; tabs += 1) {
      if ((await page.evaluate<string>('document.activeElement.id')) === field) break
      await page.keyboard.press('Tab')
    }
    expect(await page.evaluate<string>('document.activeElement.id')).toBe(field)
    if (text !== '') await page.keyboard.insertText(text)
  }
  await type('next', '')
  await page.keyboard.press('Enter')
  await type('institute-name', 'Keyboard Institute')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#step-owner:not([hidden])')
  await type('owner-first-name', 'Noor')
  await type('owner-last-name', 'Haddad')
  await type('owner-email', 'owner@example.org')
  await type('owner-password', 'olive tree by the gate')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#step-address:not([hidden])')
  await type('base-url', '')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#step-review:not([hidden])')
  await type('create', '')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#done:not([hidden])')
  expect((await app.get('/setup/status')).body.needsSetup).toBe(false)
})

test('a wrong setup code is told at its field, and what was typed stays', async () => {
  await open('/setup/#token=wrong', 'he', PHONE)
  await page.locator('#language-he').check()
  await page.click('#next')
  await page.fill('#institute-name', 'מכון')
  await page.fill('#institute-slug', 'machon')
  await page.click('#next')
  await page.fill('#owner-first-name', 'Noa')
  await page.fill('#owner-last-name', 'Levi')
  await page.fill('#owner-email', 'owner@example.org')
  await page.fill('#owner-password', 'olive tree by the gate')
  await page.click('#next')
  await page.click('#next')
  await page.click('#create')
  await page.waitForSelector('#setup-token-error:not([hidden])')
  await screenshot(page, 'wizard-he-phone-wrong-code')
  await page.fill('#setup-token', app.app.setupToken.ensure())
  await page.click('#create')
  await page.waitForSelector('#done:not([hidden])')
  expect((await app.get('/setup/status')).body.needsSetup).toBe(false)
})

describe.each(LANGUAGES)('the pages behind mail links in $locale', ({ locale, dir }) => {
  test.each(['invitation', 'reset-password', 'verify-email'])(
    '%s says plainly that a link is no longer good',
    async (name) => {
      for (const [size, viewport] of [
        ['phone', PHONE],
        ['desktop', DESKTOP],
      ] as const) {
        await open(`/${name}?token=stale`, locale, viewport)
        await page.waitForSelector('#submit')
        expect(await direction()).toBe(dir)
        if (name !== 'verify-email') await page.fill('#password', 'a new long password')
        if (name === 'invitation') await page.fill('#full-name', 'Noor Haddad')
        await screenshot(page, `${name}-${locale}-${size}`)
        expect(await overflows()).toBe(false)
        await page.click('#submit')
        await page.waitForSelector('#invalid:not([hidden])')
        await screenshot(page, `${name}-${locale}-${size}-invalid`)
        if (size === 'phone') {
          await page.close()
          await app.close()
        }
      }
    },
  )
})
