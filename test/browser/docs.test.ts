import { globSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { violations } from '#kit/accessibility.ts'
import { launchBrowser, keepPicture } from '#kit/browser.ts'
import { isNightly } from '#kit/volume.ts'
import { newPage } from './screens.ts'

let app: TestApp
let browser: Browser
let page: Page
/** What the page could not do, and what it asked of anybody else. */
let faults: string[]
beforeAll(async () => {
  app = await startApp()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

const open = async (address: string): Promise<void> => {
  page = await newPage(browser, 'en')
  faults = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => request.url().startsWith(app.url) || faults.push(request.url()))
  await page.goto(app.url + address)
}

describe('the guide and the pages about running a server', () => {
  const pages = globSync('web-setup/docs/{guide,server}/*.md').map((file) => [
    path.basename(path.dirname(file)),
    path.basename(file, '.md'),
  ])
  test.each(pages)('%s/%s is read on every screen', async (section = '', topic = '') => {
    await open(topic === 'overview' ? `/docs/${section}` : `/docs/${section}/${topic}`)
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      // Code scrolls in its frame; the page does not.
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      if (width > 320) await keepPicture(page, `${section}-${topic}-${width === 360 ? 'phone' : 'desktop'}`)
    }
    // All are Markdown in the same frame.
    if (isNightly || topic === 'overview') expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await page.close()
  })

  test('leads on and back', async () => {
    await open('/docs')
    await page.click('header >> text=Webhooks')
    await page.waitForURL('**/docs/guide/webhooks')
    expect(await page.textContent('[aria-current=page]')).toBe('Webhooks')
    await page.click('text=Reference of all operations')
    await page.waitForURL('**/docs')
    await page.click('header >> text=Running a server')
    await page.waitForURL('**/docs/server')
    await page.getByRole('main').getByRole('link', { name: 'backups' }).click()
    await page.waitForURL('**/docs/server/backups')
    expect(await page.textContent('[aria-current=page]')).toBe('Backups and restoring')
    await page.click('nav >> text=Guide')
    await page.waitForURL('**/docs/guide')
    await page.close()
  })
})

test('the reference shows sections with their sentences, an operation with its types and examples, and an event', async () => {
  await open('/docs')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.waitForSelector('#operations-tag-students')
  expect(await page.textContent('#operations-tag-students')).toContain('Everybody who learns')
  await keepPicture(page, 'reference-sections')
  await page.click('#operations-tag-students')
  const operation = page.locator('.opblock', { hasText: 'Add a student' })
  await operation.locator('.opblock-summary-control').click()
  await page.waitForSelector('text=S-000001')
  await keepPicture(page, 'reference-operation')
  await expect.poll(() => operation.textContent()).toContain('The student is a lead.')
  const event = page.locator('.webhooks .opblock', { hasText: 'payment.recorded' })
  await event.locator('.opblock-summary-control').click()
  await event.locator('text=amountMinor').first().waitFor()
  expect(faults).toEqual([])
  await page.close()
})
