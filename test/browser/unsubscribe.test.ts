import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { examine, LANGUAGES, newPage, setUp } from './screens.ts'

let browser: Browser
let app: TestApp
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  app = await startApp()
})
afterEach(async () => {
  await page.close()
  await app.close()
})

const message = { templateKey: 'message', channels: ['email'], data: { title: 'Closed', message: 'We are closed.' } }

/** Sends a message to a parent by hand. @returns how many mails they have, and the link of the last one */
const mailParent = async ({ owner }: Awaited<ReturnType<typeof setUp>>, guardianId: string) => {
  await owner.post('/notifications/send', { ...message, recipients: { guardianIds: [guardianId] } })
  await app.drain()
  const mails = app.mails.filter(({ to }) => to === 'parent@example.org')
  const { pathname, search } = new URL(mails.at(-1)?.unsubscribeUrl ?? '')
  return { count: mails.length, link: app.url + pathname + search }
}

describe.each(LANGUAGES)('the page that stops mails, in $locale', ({ locale, name }) => {
  const look = (state: string) => examine(page, locale, `unsubscribe-${locale}-${state}`)

  test.each([true, false])('asks, stops them, and lets them come again (scripts: %s)', async (javaScriptEnabled) => {
    const institute = await setUp(app, { locale, name })
    const parent = { firstName: 'Hala', lastName: 'Nasser', phone: '+972501234567', email: 'parent@example.org' }
    const { id } = (await institute.owner.post('/guardians', { ...parent, preferredLocale: locale })).body
    const { count, link } = await mailParent(institute, id)
    expect(count).toBe(1)
    // The browser is set to another language: that of the mail counts.
    page = await newPage(browser, locale === 'he' ? 'ar' : 'he', { javaScriptEnabled })
    const press = async (path: string) => {
      await page.getByRole('button').click()
      await page.waitForURL((url) => url.pathname === path)
    }

    await page.goto(link)
    expect(await page.title()).toContain(name)
    if (javaScriptEnabled) await look('ask')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForLoadState()
    await page.getByText(name).waitFor()
    if (javaScriptEnabled) await look('stopped')
    expect((await mailParent(institute, id)).count).toBe(1)

    await press('/unsubscribe/undo')
    if (javaScriptEnabled) await look('resumed')
    expect((await mailParent(institute, id)).count).toBe(2)
    await press('/unsubscribe')
    expect((await mailParent(institute, id)).count).toBe(2)
  })

  test('says when the link is not complete, or the institute closed, in the language of the browser', async () => {
    page = await newPage(browser, locale)
    const reply = await page.goto(`${app.url}/unsubscribe?token=abc`)
    expect(reply?.status()).toBe(404)
    await look('incomplete')
    const institute = await setUp(app, { locale, name })
    const { id } = (
      await institute.owner.post('/guardians', {
        firstName: 'Hala',
        lastName: 'Nasser',
        phone: '+972501234567',
        email: 'parent@example.org',
      })
    ).body
    const { link } = await mailParent(institute, id)
    await app.app.database.write((db) => db.updateTable('tenant').set({ status: 'archived' }).execute())
    expect((await page.goto(link))?.status()).toBe(403)
    await look('closed')
  })
})
