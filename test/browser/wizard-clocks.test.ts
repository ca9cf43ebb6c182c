import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { loadWords } from '../../src/console/words/index.ts'
import { examine, LANGUAGES, newPage } from './screens.ts'

let browser: Browser
let app: TestApp
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
  app = await startApp()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})
afterEach(() => page.close())

/** 13:30 in Jerusalem, where the browser is. */
const NOW = Date.parse('2026-11-24T11:30:00.000Z')
const MINUTE = 60_000

/** Opens the wizard of a server whose clock is so many minutes ahead of the browser's. */
const open = async (locale: string, minutesAhead: number) => {
  page = await newPage(browser, locale)
  await page.clock.setFixedTime(NOW)
  await page.route('**/api/v1/setup/status', async (route) => {
    const response = await route.fetch()
    const date = new Date(NOW + minutesAhead * MINUTE).toUTCString()
    return route.fulfill({ response, headers: { ...response.headers(), date } })
  })
  await page.goto(`${app.url}/setup/#token=${app.app.setupToken.ensure()}`)
  await page.waitForSelector('#step-language:not([hidden])')
}

const notice = () => page.locator('#step-language .notice.warn')

test.each(LANGUAGES)(
  'the wizard tells in $locale of a server that is a year ahead, and goes on',
  async ({ locale }) => {
    await open(locale, 365 * 24 * 60)
    const { clocks } = (await loadWords[locale]()).server
    await expect.poll(() => notice().innerText()).toBe(clocks.differ('24/11/2026 13:30', '24/11/2027 13:30'))
    await examine(page, locale, `wizard-${locale}-clocks`)
    await page.click('.onward [type=submit]')
    await page.waitForSelector('#step-institute:not([hidden])')
  },
)

test('it tells of eleven minutes either way, and not of nine', async () => {
  for (const [minutes, told] of [
    [11, 1],
    [-11, 1],
    [9, 0],
    [-9, 0],
  ] as const) {
    await open('en', minutes)
    await expect.poll(() => notice().count(), { message: `${minutes}` }).toBe(told)
    await page.close()
  }
})
