import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { writeTestMail } from '#modules/mail/index.ts'
import { startApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { uploaded } from '#kit/files.ts'
import { lookAtMails } from './mail-program.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { mailedToken } from '#kit/sign-in.ts'
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
    const { body: logo } = await uploaded(app, owner)
    await owner.patch('/settings', { branding: { color: '#7a1f5c', logoFileId: logo.id } })
    await app.post('/auth/forgot-password', { email })
    await app.post('/auth/register', { email: 'rami@example.org', password: 'olive tree', fullName: 'Rami', locale })
    await owner.post('/members', { email: 'huda@example.org', roleId: roles.teacher })
    await app.drain()
    expect(app.mails).toHaveLength(3)
    // They look like the institute's other mails: its colour, and its logo in place of its name.
    for (const { html, attachments } of app.mails) {
      expect(html).toContain('border-top:4px solid #7a1f5c')
      expect(html).toContain(`alt="${name}"`)
      expect(attachments).toMatchObject([{ cid: 'logo', type: 'image/png' }])
    }
    const mails = [...app.mails, writeTestMail(locale, name)]
    for (const { text } of mails) expect(text).toContain(name)
    await lookAtMails(page, mails, locale, `mails-${locale}-account`)
  } finally {
    await page.close()
    await app.close()
  }
})

test.each(LANGUAGES)('the mails to the owner of a new institute can be read in $locale', async ({ locale, name }) => {
  const app = await startApp({ config: { mode: 'cloud' } })
  const page = await newPage(browser, 'en')
  try {
    const admin = await platformAdmin(app)
    const place = { name, defaultLocale: locale, timezone: 'Asia/Jerusalem', currency: 'ILS' }
    const owner = { email: 'rana@example.org', fullName: 'Rana Haddad' }
    await admin.post('/platform/tenants', { slug: 'first', ...place, owner })
    await app.drain()
    const token = mailedToken(app, owner.email, 'reset-password')
    await app.post('/auth/reset-password', { token, newPassword: 'olive tree by the gate' })
    await admin.post('/platform/tenants', { slug: 'second', ...place, owner })
    await app.drain()
    expect(app.mails).toHaveLength(2)
    for (const { text } of app.mails) expect(text).toContain(name)
    await lookAtMails(page, app.mails, locale, `mails-${locale}-owner`)
  } finally {
    await page.close()
    await app.close()
  }
})
