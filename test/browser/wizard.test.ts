import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { mailers } from '#app/config/mail-settings.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser, keepPicture } from '#kit/browser.ts'
import { layoutFaults } from '#kit/layout.ts'
import { newSetup } from '#kit/setup.ts'
import { startSmtpSink } from '#kit/smtp-sink.ts'
import {
  announced,
  chooseProvider,
  errorOf,
  examine,
  expectFaults,
  focused,
  headingHasFocus,
  LANGUAGES,
  newPage,
  speak,
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

const open = async (path: string, locale: string, signInUrl?: string) => {
  app = await startApp({ openMailer: mailers(systemClock), ...(signInUrl !== undefined && { config: { signInUrl } }) })
  page = await newPage(browser, locale)
  await page.goto(app.url + path.replace('TOKEN', app.app.setupToken.ensure()))
}

/** A mail server that takes everything. */
const openSink = async () => {
  const { url, messages, stop } = await startSmtpSink()
  onTestFinished(() => stop())
  const { hostname: host, port } = new URL(url)
  return { host, port, messages }
}

/** The last page says what to do next, as it stands on this server. */
const expectNextSteps = async (mailServer: string | null) => {
  await page.waitForSelector('#next[data-known="yes"]')
  const said = (await page.textContent('#done')) ?? ''
  const command = mailServer === null ? 'mail-setup' : 'mail-test ADDRESS'
  for (const part of [mailServer ?? 'Not set up yet', app.dataDir]) expect(said).toContain(part)
  expect(await page.textContent('#mail-command')).toContain(`${command} --data-dir ${app.dataDir}`)
  // There is nowhere to go for it, unless the app's address is known.
  expect(await page.getAttribute('#open-institute', 'href')).toBe('/')
  const { signInUrl } = app.app.config
  expect(await page.isVisible('#next-staff')).toBe(signInUrl !== undefined)
  if (signInUrl !== undefined) expect(await page.getAttribute('#open-app', 'href')).toBe(signInUrl)
  expect(await page.getAttribute('#next-mail', 'data-state')).toBe(mailServer === null ? 'open' : 'done')
  const isPostgres = app.app.config.databaseUrl !== undefined
  expect(said.includes('pg_dump')).toBe(isPostgres)
  // A test's server makes no backups at night.
  expect(said.includes('INSTITUTE_BACKUP_KEEP')).toBe(!isPostgres)
  expect(await page.getAttribute('#next-backup', 'data-state')).toBe('open')
  expect(await page.isVisible('#backup-by-hand')).toBe(!isPostgres)
  if (!isPostgres) expect(await page.textContent('#backup-folder')).toBe(`${app.dataDir}/backups`)
  if (isPostgres) return
  expect(await page.textContent('#backup-command')).toContain(`backup --data-dir ${app.dataDir}`)
  expect(await page.textContent('#restore-command')).toContain(`restore FILE --data-dir ${app.dataDir}`)
}

describe.each(LANGUAGES)('the wizard in $locale', ({ locale, name }) => {
  test('sets the institute up, with its mail server, and ends with an API key', async () => {
    await open('/setup/#token=TOKEN', locale, 'https://app.example.org/')
    const sink = await openSink()
    const look = (step: string) => examine(page, locale, `wizard-${locale}-${step}`)
    const goOn = async (step: string) => {
      await page.click('.onward [type=submit]')
      await page.waitForSelector(`#step-${step}:not([hidden])`)
      expect(await headingHasFocus(page), step).toBe(true)
    }
    await page.locator(`input[value=${locale}]`).check()
    expect(page.url()).not.toContain('token')
    await look('language')
    await goOn('institute')
    await page.fill('#institute-name', name)
    await page.fill('#institute-slug', 'light')
    expect(await page.innerText('[data-name=institute-currency]')).toContain('ILS')
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
    await goOn('mail')
    await chooseProvider(page, 'own')
    await page.fill('#mail-host', sink.host)
    await page.fill('#mail-port', sink.port)
    await page.fill('#mail-sender', 'nobody')
    await page.click('[value=test]')
    await expectFaults(page, ['mail-sender'])
    await page.fill('#mail-sender', 'office@example.org')
    await page.click('[value=test]')
    await page.waitForSelector('#mail-trial .report bdi')
    expect(await sink.messages()).toMatchObject([
      { from: { name, address: 'office@example.org' }, to: [{ address: 'owner@example.org' }] },
    ])
    await goOn('review')
    expect(await page.textContent('#review-mail')).toContain('office@example.org')
    await look('review')
    await page.click('.onward [type=submit]')
    await page.waitForSelector('#done:not([hidden])')
    expect(await headingHasFocus(page)).toBe(true)
    expect(await page.textContent('#api-address')).toBe(`${app.url}/api/v1`)
    await expectNextSteps(`${sink.host}:${sink.port}`)
    await look('done')
    await page.click('#for-programs summary')
    await look('programs')
    await page.fill('#key-name', 'Website')
    await page.click('#for-programs [type=submit]')
    await page.waitForSelector('#key-result:not([hidden])')
    expect(await page.textContent('#key-value')).toMatch(/^ims_sk_/)
    expect(await focused(page)).toBe('key-result')
    await look('key')
    expect((await app.get('/setup/status')).body.needsSetup).toBe(false)

    // The same tab returns to the last page; any other one says that the institute is set up already.
    await page.reload()
    await page.waitForSelector('#done:not([hidden])')
    await expectNextSteps(`${sink.host}:${sink.port}`)
    expect(await page.textContent('#api-address')).toBe(`${app.url}/api/v1`)
    await page.locator('#done > .section button').click()
    await page.waitForSelector('#signed-out:not([hidden])')
    expect(await headingHasFocus(page)).toBe(true)
    await look('signed-out')
    expect((await page.context().cookies()).map(({ name: cookie }) => cookie)).toEqual([])
    await page.reload()
    await page.waitForSelector('#already:not([hidden])')
    expect(await headingHasFocus(page)).toBe(true)
    await look('already')
  })
})

test.each(LANGUAGES)(
  'the mail step in $locale says what is lost without, and knows the usual providers',
  async ({ locale }) => {
    await open('/setup/#token=TOKEN', locale)
    await goToMail()
    expect(await page.isVisible('#mail-later')).toBe(true)
    expect(await page.isVisible('[value=test]')).toBe(false)
    await examine(page, locale, `wizard-${locale}-mail-later`)
    for (const [provider, host] of [
      ['gmail', 'smtp.gmail.com'],
      ['microsoft', 'smtp.office365.com'],
      ['yahoo', 'smtp.mail.yahoo.com'],
      ['zoho', 'smtp.zoho.com'],
    ] as const) {
      await chooseProvider(page, provider)
      expect(await page.textContent('#mail-place')).toContain(host)
      await expect.poll(() => page.locator('.field:has(#mail-password) .hint').isVisible()).toBe(true)
      expect(await page.isVisible('#mail-host')).toBe(false)
      expect(await page.isVisible('#mail-later')).toBe(false)
      await keepPicture(page, `wizard-${locale}-mail-${provider}-phone`)
      // The one with the longest words.
      if (provider === 'microsoft') await examine(page, locale, `wizard-${locale}-mail-provider`)
    }
    await page.fill('#mail-user', 'office@example.org')
    await chooseProvider(page, 'own')
    expect(await page.inputValue('#mail-sender')).toBe('office@example.org')
    expect(await page.inputValue('#mail-host')).toBe('')
    expect(await page.isVisible('#mail-host')).toBe(true)
  },
)

test('without a mail server the last page says so; with Postgres it says how that is backed up', async () => {
  await open('/setup/#token=TOKEN', 'en')
  const ways = [{ url: 'http://192.168.1.20:8080', isLocal: true }]
  await page.route('**/server/address', (route) => route.fulfill({ json: { ways } }))
  await createWithoutMail()
  await expectNextSteps(null)
  expect(await page.innerText('#next-others')).toContain('in the same network')
  await page.getByRole('img', { name: '192.168.1.20:8080' }).locator('path').waitFor()
  for (const { locale } of LANGUAGES) {
    await speak(page, locale)
    await examine(page, locale, `wizard-${locale}-done-bare`)
  }
  const { body } = await app.post('/auth/login', { email: 'owner@example.org', password: 'olive tree by the gate' })
  const facts = (await app.as(body.accessToken).get('//setup/next-steps')).body
  await page.route('**/setup/next-steps', (route) => route.fulfill({ json: { ...facts, database: 'postgres' } }))
  await page.reload()
  await page.waitForSelector('#next[data-known="yes"]')
  for (const { locale } of LANGUAGES) {
    await speak(page, locale)
    expect(await page.innerText('#next-backup')).toContain('pg_dump')
    expect(await page.isVisible('#backup-command')).toBe(false)
    await examine(page, locale, `wizard-${locale}-done-postgres`)
  }
  await page.route('**/setup/next-steps', (route) => route.abort())
  await page.reload()
  await page.waitForSelector('#next[data-known="no"]')
  await examine(page, 'en', 'wizard-en-done-unknown')
})

test('the wizard says where the server’s configuration has a mail server already, and offers none', async () => {
  app = await startApp({ config: { smtpUrl: 'smtp://mail.example.org', mailIsFixed: true } })
  page = await newPage(browser, 'en')
  await page.goto(`${app.url}/setup/#token=${app.app.setupToken.ensure()}`)
  await createWithoutMail(async () => {
    expect(await page.textContent('#mail-notice')).toContain('through \u2068mail.example.org:587\u2069')
    expect(await page.isVisible('[data-name=mail-provider]')).toBe(false)
    expect(await page.isVisible('#mail-later')).toBe(false)
    await examine(page, 'en', 'wizard-en-mail-fixed')
  })
  await page.waitForSelector('#next[data-known="yes"]')
  expect(await page.textContent('#next-mail .state')).toContain('mail.example.org:587')
})

test('changing the language changes every text and nothing that was typed', async () => {
  await open('/setup/#token=TOKEN', 'en')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-institute:not([hidden])')
  await page.fill('#institute-slug', 'light')
  await page.click('.onward [type=submit]')
  await expect.poll(() => errorOf(page, 'institute-name').textContent()).toBe('Please enter the name of the institute.')
  await speak(page, 'ar')
  await expect.poll(() => page.getAttribute('html', 'dir')).toBe('rtl')
  await expect.poll(() => errorOf(page, 'institute-name').textContent()).toBe('يُرجى إدخال اسم المعهد.')
  expect(await page.title()).toBe('معهدكم · إعداد الخادم · المعهد')
  expect(await page.inputValue('#institute-slug')).toBe('light')
  await page.fill('#institute-name', 'معهد النور')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-owner:not([hidden])')
  await page.click('.onward [type=button]')
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
  const copy = page.locator('#already .copyable button')
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
    await expect
      .poll(() => page.locator('body').innerText(), { message: path })
      .toMatch(/^تحتاج.*\n+הדף.*\n+This page needs JavaScript/)
    expect(await page.getByRole('button').count(), path).toBe(0)
    expect(await layoutFaults(page), path).toEqual([])
    await keepPicture(page, `no-scripts-${path.replaceAll('/', '')}`)
  }
  await context.close()
})

/** From the first step to that of the mail. */
const goToMail = async () => {
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-institute:not([hidden])')
  await page.fill('#institute-name', 'Light Institute')
  await page.click('.onward [type=submit]')
  await page.fill('#owner-first-name', 'Noor')
  await page.fill('#owner-last-name', 'Haddad')
  await page.fill('#owner-email', 'owner@example.org')
  await page.fill('#owner-password', 'olive tree by the gate')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-address:not([hidden])')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-mail:not([hidden])')
}

/** From the first step to the last page. */
const createWithoutMail = async (look = async () => {}) => {
  await goToMail()
  await look()
  await page.click('.onward [type=submit]')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#done:not([hidden])')
}

test.each(LANGUAGES)('the addresses of the server in its network are offered in $locale', async ({ locale, name }) => {
  app = await startApp()
  page = await newPage(browser, locale)
  const addresses = ['http://192.168.1.20:8080', 'http://10.0.0.7:8080']
  await page.route('**/setup/check', (route) => route.fulfill({ json: { addresses } }))
  await page.goto(`${app.url}/setup/#token=${app.app.setupToken.ensure()}`)
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-institute:not([hidden])')
  await page.fill('#institute-name', name)
  await page.fill('#institute-slug', 'light')
  await page.click('.onward [type=submit]')
  await page.fill('#owner-first-name', 'Noor')
  await page.fill('#owner-last-name', 'Haddad')
  await page.fill('#owner-email', 'owner@example.org')
  await page.fill('#owner-password', 'olive tree by the gate')
  await page.click('.onward [type=submit]')
  await page.waitForSelector('#step-address:not([hidden])')
  // The page was opened on the server itself, by an address that opens nowhere else.
  expect(await page.inputValue('#base-url')).toBe(addresses[0])
  expect(await page.isVisible('#base-url-caution')).toBe(false)
  const pressed = () => page.locator('.offers button[aria-pressed="true"]').allTextContents()
  expect(await pressed()).toEqual([addresses[0]])
  await examine(page, locale, `wizard-${locale}-address-offers`)
  await page.locator('.offers button').nth(1).click()
  expect(await page.inputValue('#base-url')).toBe(addresses[1])
  expect(await pressed()).toEqual([addresses[1]])
  await page.fill('#base-url', 'https://office.example.org')
  expect(await pressed()).toEqual([])
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
  await type('submit', '')
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
  await page.waitForSelector('#step-mail:not([hidden])')
  await type('submit', '')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#step-review:not([hidden])')
  await type('submit', '')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#done:not([hidden])')
  expect((await app.get('/setup/status')).body.needsSetup).toBe(false)
})
