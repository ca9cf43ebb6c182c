import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { writeTestMail } from '#modules/mail/index.ts'
import { violationsOfLook } from '#kit/accessibility.ts'
import { startApp } from '#kit/app.ts'
import { launchBrowser, screenshot } from '#kit/browser.ts'
import { LANGUAGES, newPage, setUp } from './screens.ts'

/** Mails as a mail program shows their HTML. */

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** Direction, colours, and nothing that has to be scrolled sideways, on a phone and a desktop; leaves pictures. */
const look = async (page: Page, locale: string, picture: string): Promise<void> => {
  for (const part of ['html', 'body > div']) {
    expect.soft(await page.getAttribute(part, 'dir'), picture).toBe(locale === 'en' ? 'ltr' : 'rtl')
    expect.soft(await page.getAttribute(part, 'lang'), picture).toBe(locale)
  }
  for (const [size, width] of Object.entries({ phone: 360, desktop: 1280 })) {
    await page.setViewportSize({ width, height: 600 })
    expect.soft(await page.evaluate<number>('document.documentElement.scrollWidth'), picture).toBeLessThanOrEqual(width)
    expect.soft(await violationsOfLook(page), picture).toEqual([])
    await screenshot(page, `${picture}-${size}`)
  }
}

test.each(LANGUAGES)('every mail in $locale can be read by everybody', async ({ locale, name }) => {
  const app = await startApp({ config: { registration: true } })
  const page = await newPage(browser, 'en')
  try {
    const { owner, email, roles } = await setUp(app, { locale, name })
    await app.post('/auth/forgot-password', { email })
    await app.post('/auth/register', { email: 'rami@example.org', password: 'olive tree', fullName: 'Rami', locale })
    await owner.post('/members', { email: 'huda@example.org', roleId: roles.teacher })
    // One that can be stopped: the link stands at its end.
    const { id } = (await owner.get('/me')).body
    const data = { title: name, message: name }
    const told = { templateKey: 'message', channels: ['email'], recipients: { userIds: [id] }, data }
    await owner.post('/notifications/send', told)
    await app.drain()
    expect(app.mails).toHaveLength(4)
    for (const { html = '', text, to, unsubscribeUrl } of [
      ...app.mails,
      { ...writeTestMail(locale, name), to: 'test', unsubscribeUrl: undefined },
    ]) {
      expect(text).toContain(name)
      await page.setContent(html)
      await look(page, locale, `mail-${locale}-${unsubscribeUrl === undefined ? to.split('@')[0] : 'notification'}`)
    }
  } finally {
    await page.close()
    await app.close()
  }
})
