import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser, screenshot } from '#kit/browser.ts'
import { layoutFaults } from '#kit/layout.ts'
import { newSetup } from '#kit/setup.ts'
import { announced, examine, focused, headingHasFocus, LANGUAGES, newPage } from './screens.ts'

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

    // The same tab returns to the last page; any other one says that the institute is set up already.
    await page.reload()
    await page.waitForSelector('#done:not([hidden])')
    expect(await page.textContent('#api-address')).toBe(`${app.url}/api/v1`)
    await page.close()
    page = await newPage(browser, locale)
    await page.goto(`${app.url}/setup/`)
    await page.waitForSelector('#already:not([hidden])')
    expect(await headingHasFocus(page)).toBe(true)
    await look('already')
  })
})

test('the last page shows the commands for backup and restore, left to right in every language', async () => {
  await open('/setup/#token=TOKEN', 'ar')
  await page.waitForSelector('#step-language:not([hidden])')
  for (const { locale } of LANGUAGES) {
    await page.click(`button[data-language="${locale}"]`)
    const code = await page.locator('section[aria-labelledby="done-backup"] code').all()
    expect(await Promise.all(code.map((one) => one.textContent()))).toEqual(
      expect.arrayContaining(['institute backup', 'institute restore FILE']),
    )
    for (const one of code) expect(await one.getAttribute('dir')).toBe('ltr')
  }
})

test('changing the language changes every text and nothing that was typed', async () => {
  await open('/setup/#token=TOKEN', 'en')
  await page.click('#next')
  await page.fill('#institute-slug', 'light')
  await page.click('#next')
  expect(await page.textContent('#institute-name-error')).toBe('Please enter the name of the institute.')
  await page.click('button[data-language="ar"]')
  expect(await page.getAttribute('html', 'dir')).toBe('rtl')
  expect(await page.textContent('#institute-name-error')).toBe('يُرجى إدخال اسم المعهد.')
  expect(await page.title()).toBe('معهدكم · إعداد الخادم · Institute')
  expect(await page.inputValue('#institute-slug')).toBe('light')
  await page.fill('#institute-name', 'معهد النور')
  await page.click('#next')
  await page.waitForSelector('#step-owner:not([hidden])')
  await page.click('#back')
  await page.waitForSelector('#step-institute:not([hidden])')
  expect(await headingHasFocus(page)).toBe(true)
  expect(await page.inputValue('#institute-name')).toBe('معهد النور')
})

test('a copy button confirms by its text and its accessible name, and then shows its label again', async () => {
  await open('/setup/#token=TOKEN', 'en')
  await page.clock.install()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.post('/setup/bootstrap', newSetup(app.app.setupToken.ensure()))
  await page.evaluate('sessionStorage.clear()')
  await page.reload()
  await page.waitForSelector('#already:not([hidden])')
  const copy = page.locator('button[data-copy="already-api"]')
  const names = async () => [await copy.textContent(), await copy.getAttribute('aria-label')]
  expect(await names()).toEqual(['Copy', 'Copy the address of the API'])
  await copy.click()
  await copy.and(page.getByText('Copied')).waitFor()
  expect(await names()).toEqual(['Copied', 'Copied'])
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${app.url}/api/v1`)
  await page.clock.fastForward(150)
  await announced(page, 'Copied')
  await page.clock.fastForward(3000)
  expect(await names()).toEqual(['Copy', 'Copy the address of the API'])
})

test('without scripts every page says in three languages that it needs them', async () => {
  app = await startApp()
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } })
  page = await context.newPage()
  for (const path of ['/setup/', '/invitation', '/reset-password', '/verify-email']) {
    await page.goto(app.url + path)
    expect(await page.locator('main').innerText(), path).toMatch(/^تحتاج.*\n+הדף.*\n+This page needs JavaScript/)
    expect(await page.getByRole('button').count(), path).toBe(0)
    expect(await layoutFaults(page), path).toEqual([])
    await screenshot(page, `no-scripts-${path.replaceAll('/', '')}`)
  }
  await context.close()
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
