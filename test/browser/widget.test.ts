import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '#db/database.ts'
import { migrate } from '#db/migrate.ts'
import { badlyNamed, violations, violationsOfLook } from '#kit/accessibility.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser, screenshot } from '#kit/browser.ts'
import { startProviders } from '#kit/captcha.ts'
import { worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { migrations } from '#migrations'
import { newCourse } from '../api/examples/academics.ts'
import { newPage } from './screens.ts'

/** The registration form on a page of another origin than the server's, under a strict Content-Security-Policy. */

let browser: Browser
let app: TestApp
let institute: TestInstitute
let key: string
let site: string
let providers: Awaited<ReturnType<typeof startProviders>>
const sites: Server[] = []

/** What the next page of the website holds, and its policy. */
let html = ''
let policy = ''

const openSite = async (): Promise<string> => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', policy)
    response.end(html)
  })
  sites.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const makeKey = async (of: TestInstitute, allowedOrigins = [site]): Promise<string> =>
  (await of.owner.post('/api-keys', { name: 'Website', kind: 'publishable', allowedOrigins })).body.key

const allowedBy = (url: string, more = ''): string =>
  `default-src 'none'; script-src ${url} ${more}; connect-src ${url}; img-src data:; base-uri 'none'; form-action 'none'`

const scriptTag = (url: string, attributes: Record<string, string>): string =>
  `<script src="${url}/widget.js" ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')}></script>`

/** What the page could not do, apart from the replies that a test asks for. */
let faults: string[] = []

interface Opened {
  locale?: string
  url?: string
  at?: string
  attributes?: Record<string, string>
  /** Instead of the one form. */
  body?: string
  head?: string
  policy?: string
}

const open = async (given: Opened = {}): Promise<Page> => {
  const { locale = 'en', url = app.url, at = site, attributes = {} } = given
  const form = scriptTag(url, { 'data-key': key, ...attributes })
  const style = '<link rel="icon" href="data:,">'
  html = `<!doctype html><html lang="${locale}"><head><title>Website</title>${style}
    <meta name="viewport" content="width=device-width, initial-scale=1">${given.head ?? ''}</head>
    <body><main><h1>Our institute</h1>${given.body ?? form}</main></body></html>`
  policy = given.policy ?? allowedBy(url)
  const page = await newPage(browser, locale)
  faults = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(at)
  await page.waitForSelector('institute-registration form', { state: 'attached' })
  return page
}

/** The element of the form with this id; Playwright looks into shadow roots. */
const field = (page: Page, id: string) => page.locator(`[id="${id}"]`)

const PEOPLE = {
  firstName: 'ליאן',
  lastName: 'Haddad',
  'guardian.firstName': 'Hala',
  'guardian.lastName': 'Haddad',
  'guardian.phone': '050-123-4567',
}
const fill = async (page: Page, values: Record<string, string> = PEOPLE): Promise<void> => {
  for (const [id, value] of Object.entries(values)) await field(page, id).fill(value)
}
const submit = (page: Page) => page.locator('institute-registration button[type=submit]').click()
const alert = (page: Page) => page.locator('institute-registration [role=alert]')
const said = async (page: Page, text: RegExp): Promise<void> => {
  await alert(page).filter({ hasText: text }).waitFor()
}
const thanked = (page: Page, name = PEOPLE.firstName) =>
  page.locator('institute-registration [role=status]').filter({ hasText: name }).waitFor()
const leadsOf = async ({ owner }: TestInstitute) => (await owner.get('/leads')).body.data

beforeAll(async () => {
  browser = await launchBrowser()
  providers = await startProviders()
  app = await startApp({ config: NO_LIMITS, outbound: providers.outbound })
  institute = await makeInstitute(app)
  site = await openSite()
  key = await makeKey(institute)
})
afterAll(async () => {
  await browser.close()
  for (const server of sites) server.close()
  await app.close()
  providers.close()
})

const LANGUAGES = [
  ['en', 'ltr', 'Please fill in this field.', 'Thank you'],
  ['ar', 'rtl', 'يُرجى تعبئة هذا الحقل.', 'شكرًا جزيلًا'],
  ['he', 'rtl', 'נא למלא את השדה הזה.', 'תודה רבה'],
] as const

describe.each(LANGUAGES)('in %s', (locale, direction, required, thanks) => {
  const look = async (page: Page, picture: string): Promise<void> => {
    expect.soft(await badlyNamed(page), picture).toEqual([])
    for (const [name, width] of [
      ['narrowest', 320],
      ['phone', 360],
      ['desktop', 1280],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect.soft(wide, `${picture}-${name}`).toBeLessThanOrEqual(width)
      if (name === 'narrowest') continue
      await screenshot(page, `widget-${picture}-${name}`)
      expect.soft(await violations(page), `${picture}-${name}`).toEqual([])
      expect.soft(await violationsOfLook(page), `${picture}-${name}`).toEqual([])
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await screenshot(page, `widget-${picture}-dark`)
    await page.emulateMedia({ colorScheme: 'light' })
  }

  test('it is read and filled in by everybody, and what is missing is said at its field', async () => {
    const of = await makeInstitute(app, { defaultLocale: 'en' })
    await newCourse(worldOf(app, of), { isPublic: true, name: 'English for beginners' })
    key = await makeKey(of)
    const page = await open({ locale })
    await page.locator('institute-registration option').nth(1).waitFor({ state: 'attached' })
    const frame = page.locator('institute-registration [lang]')
    expect([await frame.getAttribute('lang'), await frame.getAttribute('dir')]).toEqual([locale, direction])
    await look(page, `${locale}-empty`)

    await submit(page)
    for (const id of Object.keys(PEOPLE)) {
      expect(await field(page, `${id}-error`).textContent(), id).toBe(required)
      expect(await field(page, id).getAttribute('aria-invalid'), id).toBe('true')
      expect(await field(page, id).getAttribute('aria-describedby')).toBe(`${id}-error`)
    }
    const inFocus = 'document.querySelector("institute-registration").shadowRoot.activeElement.id'
    expect(await page.evaluate(inFocus)).toBe('firstName')
    await look(page, `${locale}-faults`)

    await fill(page)
    await field(page, 'courseId').selectOption({ index: 1 })
    await field(page, 'message').fill('Mondays?')
    // By keyboard alone: the button is the next stop after the message.
    await field(page, 'message').press('Tab')
    await page.keyboard.press('Enter')
    await thanked(page)
    expect(await page.evaluate(inFocus)).toBe('title')
    expect(await field(page, 'title').textContent()).toBe(thanks)
    await look(page, `${locale}-received`)
    expect(faults).toEqual([])
    expect(await leadsOf(of)).toMatchObject([
      {
        source: 'widget',
        status: 'new',
        firstName: 'ליאן',
        guardian: { firstName: 'Hala', phone: '+972501234567', email: null },
        courseId: expect.any(String),
        message: 'Mondays?',
        locale,
      },
    ])
    await page.close()
  })
})

describe('the script element', () => {
  test.each([
    ['async', { async: '' }],
    ['defer', { defer: '' }],
    ['a module', { type: 'module' }],
  ])('may be %s', async (_, attributes) => {
    const page = await open({ attributes: { ...attributes, 'data-course-interest': 'Evenings' } })
    expect(await page.locator('main > institute-registration').count()).toBe(1)
    expect(faults).toEqual([])
    await page.close()
  })

  test('in the head shows the form at the end of the page', async () => {
    const tag = scriptTag(app.url, { 'data-key': key, 'data-course-interest': 'Evenings' })
    const page = await open({ head: tag, body: '<p>Text</p>' })
    expect(await page.locator('body > institute-registration').count()).toBe(1)
    await page.close()
  })

  test('may stand there several times, with a language, a theme and a course of its own', async () => {
    const of = await makeInstitute(app)
    const courseId = await newCourse(worldOf(app, of), { isPublic: true })
    const ofIt = { 'data-key': await makeKey(of) }
    for (const more of [{}, { type: 'module' }]) {
      const page = await open({
        body:
          scriptTag(app.url, {
            ...ofIt,
            ...more,
            'data-locale': 'he',
            'data-theme': 'dark',
            'data-course-id': courseId,
          }) +
          scriptTag(app.url, {
            ...ofIt,
            ...more,
            'data-locale': 'ar',
            'data-theme': 'light',
            'data-course-interest': 'مساء',
          }),
      })
      const forms = page.locator('institute-registration')
      await forms.nth(1).waitFor()
      expect(await forms.count()).toBe(2)
      const frames = page.locator('institute-registration [lang]')
      expect(await frames.evaluateAll((all) => all.map((one) => [one.getAttribute('lang'), one.className]))).toEqual([
        ['he', 'form dark'],
        ['ar', 'form'],
      ])
      for (const [index, name] of ['One', 'Two'].entries()) {
        for (const [id, value] of Object.entries({ ...PEOPLE, firstName: name })) {
          await forms.nth(index).locator(`[id="${id}"]`).fill(value)
        }
        await forms.nth(index).locator('button[type=submit]').click()
        await forms.nth(index).locator('[role=status]').filter({ hasText: name }).waitFor()
      }
      const [two, one] = await leadsOf(of)
      expect([one, two]).toMatchObject([
        { courseId, courseInterest: null, locale: 'he' },
        { courseId: null, courseInterest: 'مساء', locale: 'ar' },
      ])
      expect(faults).toEqual([])
      await page.close()
    }
  })

  test('without a key shows nothing, and says why in the console', async () => {
    html = `<!doctype html><title>Website</title>${scriptTag(app.url, {})}`
    policy = allowedBy(app.url)
    const page = await newPage(browser, 'en')
    const message = page.waitForEvent('console')
    await page.goto(site)
    expect((await message).text()).toContain('data-key')
    expect(await page.locator('institute-registration').count()).toBe(0)
    await page.close()
  })

  test('keeps the website’s styles out, and its own in', async () => {
    const style = `<style>* { color: red !important; font-size: 40px !important; display: inline !important }
      h2, p { letter-spacing: 9px }</style>`
    const page = await open({ head: style, policy: `${allowedBy(app.url)}; style-src 'unsafe-inline'` })
    const look = (element: string) =>
      page.evaluate<string>(`(({ color, fontSize }) => color + ' ' + fontSize)(getComputedStyle(${element}))`)
    const shadow = 'document.querySelector("institute-registration").shadowRoot'
    expect(await look(`${shadow}.querySelector('label')`)).toBe('rgb(29, 39, 37) 16px')
    expect(await look(`document.querySelector('h1')`)).toBe('rgb(255, 0, 0) 40px')
    await page.close()
  })
})

describe('a registration', () => {
  const fresh = async () => {
    const of = await makeInstitute(app)
    key = await makeKey(of)
    return of
  }
  const simple = { 'data-course-interest': 'Evenings' }

  test('that is sent twice at once is taken once', async () => {
    const of = await fresh()
    const page = await open({ attributes: simple })
    await fill(page)
    await page.evaluate(`{
      const form = document.querySelector('institute-registration').shadowRoot.querySelector('form')
      form.requestSubmit()
      form.requestSubmit()
    }`)
    await thanked(page)
    expect(await leadsOf(of)).toHaveLength(1)
    await page.close()
  })

  test('whose reply is lost is sent again, and taken once', async () => {
    const of = await fresh()
    const page = await open({ attributes: simple })
    await fill(page)
    await page.route('**/public/registrations', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.route('**/widget.js', (route) => route.abort())
    await submit(page)
    await said(page, /no connection/)
    expect(await leadsOf(of)).toHaveLength(1)
    await page.unroute('**/public/registrations')
    await submit(page)
    await thanked(page)
    expect(await leadsOf(of)).toHaveLength(1)
    await page.close()
  })

  test('from a website that the key does not name is refused in words', async () => {
    await fresh()
    const page = await open({ attributes: simple, at: await openSite() })
    await fill(page)
    await submit(page)
    await said(page, /does not work on this website/)
    expect(faults.join(' ')).toContain('allowed origins')
    await page.close()
  })

  test('while the institute takes none is refused in words', async () => {
    const of = await fresh()
    await of.owner.patch('/settings', { registration: { enabled: false } })
    const page = await open({ attributes: simple })
    await fill(page)
    await submit(page)
    await said(page, /takes no registrations at present/)
    expect(await leadsOf(of)).toEqual([])
    await page.close()
  })

  test('beyond the limit is refused with the time to wait, and is taken then', async () => {
    const limited = await startApp({
      config: { publicLimits: { ...NO_LIMITS.publicLimits, registrationsPerMinuteOfAddress: 1 } },
    })
    const of = await makeInstitute(limited)
    key = await makeKey(of)
    const { url } = limited
    for (const expected of [/./, /Too many .* in 1 minute/]) {
      const page = await open({ attributes: simple, url })
      await fill(page)
      await submit(page)
      if (expected.source === '.') await thanked(page)
      else await said(page, expected)
      if (expected.source !== '.') {
        await limited.pass(61)
        await submit(page)
        await thanked(page)
      }
      await page.close()
    }
    expect(await leadsOf(of)).toHaveLength(2)
    await limited.close()
  })

  test('with what the server does not accept is told at the field', async () => {
    await fresh()
    const page = await open({ attributes: simple })
    await fill(page, { ...PEOPLE, 'guardian.phone': '12345', 'guardian.email': 'hala@nowhere' })
    await submit(page)
    expect(await field(page, 'guardian.email-error').textContent()).toContain('name@example.com')
    await field(page, 'guardian.email').fill('')
    await submit(page)
    await field(page, 'guardian.phone-error').filter({ hasText: '050-123-4567' }).waitFor()
    await field(page, 'guardian.phone').fill('0501234567')
    await submit(page)
    await thanked(page)
    await page.close()
  })

  test('for a course that is closed meanwhile is told at the course', async () => {
    const of = await fresh()
    const courseId = await newCourse(worldOf(app, of), { isPublic: true })
    const page = await open()
    await field(page, 'courseId').waitFor()
    await fill(page)
    await field(page, 'courseId').selectOption(courseId)
    await of.owner.patch(`/courses/${courseId}`, { isActive: false })
    await submit(page)
    await field(page, 'courseId-error').filter({ hasText: 'no registrations' }).waitFor()
    expect(await leadsOf(of)).toEqual([])
    await field(page, 'courseId').selectOption('')
    await submit(page)
    await thanked(page)
    expect(await leadsOf(of)).toMatchObject([{ courseId: null }])
    await page.close()
  })
})

describe('with a captcha', () => {
  /** Stands in for a provider's script, with the functions that its documentation names. */
  const standIn = (name: string): string => `
    const solved = new Map()
    window.${name} = {
      render(element, { sitekey, theme }) {
        const box = document.createElement('button')
        box.textContent = 'I am a person'
        box.dataset.rendered = [sitekey, theme].join(' ')
        box.onclick = () => solved.set(1, 'token ' + Math.random())
        element.append(box)
        return 1
      },
      getResponse: () => solved.get(1) ?? '',
      reset: () => solved.clear(),
    }
    window[new URL(document.currentScript.src).searchParams.get('onload')]()`

  test.each([
    ['turnstile', 'turnstile', '0x4AAAAAAADnPIDROrmt1Wwj', 'https://challenges.cloudflare.com'],
    ['hcaptcha', 'hcaptcha', '10000000-ffff-ffff-ffff-000000000001', 'https://js.hcaptcha.com'],
    ['recaptcha', 'grecaptcha', '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI', 'https://www.google.com'],
  ] as const)('of %s nothing is sent until it is solved', async (provider, name, siteKey, host) => {
    const of = await makeInstitute(app)
    key = await makeKey(of)
    await of.owner.patch('/settings', { registration: { captcha: { provider, secret: 'secret' } } })
    const page = await open({ body: '<p>Text</p>', head: scriptTag(app.url, { 'data-key': key }) })
    await page.route(`${host}/**`, (route) => route.fulfill({ contentType: 'text/javascript', body: standIn(name) }))
    html = html.replace('data-key', `data-course-interest="Evenings" data-captcha-site-key="${siteKey}" data-key`)
    policy = allowedBy(app.url, host)
    await page.reload()
    const box = page.locator('institute-registration [data-rendered]')
    await box.waitFor()
    expect(await box.getAttribute('data-rendered')).toBe(`${siteKey} light`)
    await fill(page)
    await submit(page)
    await said(page, /complete the security check/)
    expect(await leadsOf(of)).toEqual([])

    providers.asked.length = 0
    providers.answer({ json: { success: false, 'error-codes': ['timeout-or-duplicate'] } })
    await box.click()
    await submit(page)
    await said(page, /did not succeed/)
    await submit(page)
    await said(page, /complete the security check/)
    providers.answer({ json: { success: true } })
    await box.click()
    await submit(page)
    await thanked(page)
    const tokens = providers.asked.map(({ form }) => form.response)
    expect([tokens.length, new Set(tokens).size]).toEqual([2, 2])
    expect(await leadsOf(of)).toHaveLength(1)
    await page.close()
  })

  test('that cannot be loaded it says so, and sends nothing', async () => {
    const of = await makeInstitute(app)
    key = await makeKey(of)
    const attributes = { 'data-captcha-site-key': '0x4AAAAAAADnPIDROrmt1Wwj', 'data-course-interest': 'Evenings' }
    const page = await open({ attributes })
    await said(page, /could not be loaded/)
    await fill(page)
    await submit(page)
    await said(page, /could not be loaded/)
    expect(await leadsOf(of)).toEqual([])
    await page.close()
  })
})

test.each(['sqlite', 'postgres'] as const)(
  'on %s it becomes a lead, and the lead an active student',
  async (engine) => {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const program = await startApp({
      ...(postgres && {
        database: async () => {
          const made = await createDatabase(postgres.adminUrl)
          const database = openPostgres({ url: made.url })
          await migrate(database, migrations)
          await database.close()
          return made
        },
      }),
    })
    const of = await makeInstitute(program)
    key = await makeKey(of)
    const page = await open({ url: program.url })
    await fill(page)
    await submit(page)
    await thanked(page)
    const [lead] = await leadsOf(of)
    expect((await of.owner.get(`/students/${lead.studentId}`)).body).toMatchObject({
      status: 'lead',
      tags: ['widget-lead'],
    })
    expect((await of.owner.post(`/leads/${lead.id}/convert`)).body).toMatchObject({
      id: lead.studentId,
      status: 'active',
    })
    expect((await of.owner.get(`/leads/${lead.id}`)).body).toMatchObject({
      status: 'converted',
      studentId: lead.studentId,
    })
    await page.close()
    await program.close()
    await postgres?.stop()
  },
)
