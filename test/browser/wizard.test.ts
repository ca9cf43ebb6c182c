import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { examine, focused, headingHasFocus, LANGUAGES, newPage } from './screens.ts'

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
}

describe.each(LANGUAGES)('the wizard in $locale', ({ locale, name }) => {
  test('sets the institute up and ends with an API key', async () => {
    await open('/setup/#token=TOKEN', locale)
    const look = (step: string) => examine(page, locale, `wizard-${locale}-${step}`)
    const goOn = async (step: string) => {
      await page.click('#next')
      await page.waitForSelector(`#step-${step}:not([hidden])`)
      expect(await headingHasFocus(page), step).toBe(true)
    }
    await page.locator(`#language-${locale}`).check()
    expect(page.url()).not.toContain('token')
    await look('language')
    await goOn('institute')
    await page.fill('#institute-name', name)
    await page.fill('#institute-slug', 'light')
    expect(await page.inputValue('#institute-currency')).toBe('ILS')
    await look('institute')
    await page.fill('#institute-timezone', 'Asia/A')
    await look('institute-zones')
    await page.keyboard.press('Escape')
    await goOn('owner')
    await page.fill('#owner-first-name', 'Noor')
    await page.fill('#owner-last-name', 'Haddad')
    await page.fill('#owner-email', 'owner@example.org')
    await page.fill('#owner-password', 'olive tree by the gate')
    await look('owner')
    await goOn('address')
    expect(await page.inputValue('#base-url')).toBe(app.url)
    await look('address')
    await goOn('review')
    await look('review')
    await page.click('#create')
    await page.waitForSelector('#done:not([hidden])')
    expect(await headingHasFocus(page)).toBe(true)
    expect(await page.textContent('#api-address')).toBe(`${app.url}/api/v1`)
    await look('done')
    await page.fill('#key-name', 'Website')
    await page.click('#create-key')
    await page.waitForSelector('#key-result:not([hidden])')
    expect(await page.textContent('#key-value')).toMatch(/^ims_sk_/)
    expect(await focused(page)).toBe('key-result')
    await look('key')
    expect((await app.get('/setup/status')).body.needsSetup).toBe(false)
  })
})

test('the wizard works with the keyboard alone', async () => {
  await open('/setup/#token=TOKEN', 'en')
  await page.waitForSelector('#step-language:not([hidden])')
  const type = async (field: string, text: string) => {
    for (let tabs = 0; tabs < 30; tabs += 1) {
      if ((await focused(page)) === field) break
      await page.keyboard.press('Tab')
    }
    expect(await focused(page)).toBe(field)
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
