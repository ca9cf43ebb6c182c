import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { writeTestMail } from '#modules/mail/index.ts'
import { startApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { lookAtMails } from './mail-program.ts'
import { LANGUAGES, newPage, setUp } from './screens.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

test.each(LANGUAGES)('every mail about an account can be read in $locale by everybody', async ({ locale, name }) => {
  const app = await startApp({ config: { registration: true } })
  const page = await newPage(browser, 'en')
  try {
    const { owner, email, roles } = await setUp(app, { locale, name })
    await app.post('/auth/forgot-password', { email })
    await app.post('/auth/register', { email: 'rami@example.org', password: 'olive tree', fullName: 'Rami', locale })
    await owner.post('/members', { email: 'huda@example.org', roleId: roles.teacher })
    await app.drain()
    expect(app.mails).toHaveLength(3)
    const mails = [...app.mails, writeTestMail(locale, name)]
    for (const { text } of mails) expect(text).toContain(name)
    await lookAtMails(page, mails, locale, `mails-${locale}-account`)
  } finally {
    await page.close()
    await app.close()
  }
})
