import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { startProviders } from '#kit/captcha.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newPage } from './screens.ts'

/** The registration form on pages of another origin than the server's, under a strict Content-Security-Policy. */

/** A policy that allows the form. */
const allowingForm = (url: string, scripts: string): string =>
  `default-src 'none'; script-src ${scripts}; connect-src ${url}; img-src data:; base-uri 'none'; form-action 'none'`

export const allowing = (url: string): string => `${allowingForm(url, url)}; require-trusted-types-for 'script'`

/** Also allows the script of a captcha, which no policy of Trusted Types fits. */
export const allowingCaptcha = (url: string, host: string): string => allowingForm(url, `${url} ${host}`)

export const scriptTag = (url: string, attributes: Record<string, string>): string =>
  `<script src="${url}/widget.js" ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')}></script>`

/** The element of a form with this id; Playwright looks into shadow roots. */
export const field = (page: Page, id: string) => page.locator(`[id="${id}"]`)

export const PEOPLE = {
  firstName: 'ליאן',
  lastName: 'Haddad',
  'guardian.firstName': 'Hala',
  'guardian.lastName': 'Haddad',
  'guardian.phone': '050-123-4567',
}
export const fill = async (page: Page, values: Record<string, string> = PEOPLE): Promise<void> => {
  for (const [id, value] of Object.entries(values)) await field(page, id).fill(value)
}
export const submit = (page: Page) => page.locator('institute-registration button[type=submit]').click()

/** Waits until the form says this above its button. */
export const said = (page: Page, text: RegExp): Promise<void> =>
  page.locator('institute-registration [role=alert]').filter({ hasText: text }).waitFor()
export const thanked = (page: Page): Promise<void> =>
  page.locator('institute-registration [role=status]').filter({ hasText: PEOPLE.firstName }).waitFor()
export const leadsOf = async ({ owner }: TestInstitute) => (await owner.get('/leads')).body.data

interface Website {
  /** Its address, which the keys allow. */
  origin: string
  html: string
  policy: string
}

interface Opened {
  key: string
  locale?: string
  /** The server's address. */
  url?: string
  origin?: string
  attributes?: Record<string, string>
  /** What stands in the page instead of the one form. */
  body?: string
  head?: string
  policy?: string
}

/** A program, a browser and a website for the tests of a file. */
export const useWebsite = () => {
  const sites: Server[] = []
  const at = {} as {
    app: TestApp
    browser: Browser
    providers: Awaited<ReturnType<typeof startProviders>>
    /** What the last page could not do. */
    faults: string[]
    site: Website
  }

  const openSite = async (): Promise<string> => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader('content-security-policy', at.site.policy)
      response.end(at.site.html)
    })
    sites.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  beforeAll(async () => {
    at.browser = await launchBrowser()
    at.providers = await startProviders()
    at.app = await startApp({ config: NO_LIMITS, outbound: at.providers.outbound })
    at.site = { origin: await openSite(), html: '', policy: '' }
  })
  afterAll(async () => {
    await at.browser.close()
    for (const server of sites) server.close()
    await at.app.close()
    at.providers.close()
  })

  /** An institute with a key for the website. */
  const institute = async (app = at.app): Promise<TestInstitute & { key: string }> => {
    const of = await makeInstitute(app)
    const wanted = { name: 'Website', kind: 'publishable', allowedOrigins: [at.site.origin] }
    return { ...of, key: (await of.owner.post('/api-keys', wanted)).body.key }
  }

  const write = ({ key, locale = 'en', url = at.app.url, attributes = {}, ...given }: Opened): void => {
    const form = scriptTag(url, { 'data-key': key, ...attributes })
    at.site.html = `<!doctype html><html lang="${locale}"><head><title>Website</title>
      <link rel="icon" href="data:,"><meta name="viewport" content="width=device-width, initial-scale=1">
      ${given.head ?? ''}</head><body><main><h1>Our institute</h1>${given.body ?? form}</main></body></html>`
    at.site.policy = given.policy ?? allowing(url)
  }

  /** Opens a page in a window of its own. */
  const open = async (given: Opened, prepare: (page: Page) => Promise<void> = async () => {}): Promise<Page> => {
    write(given)
    const page = await newPage(at.browser, given.locale ?? 'en')
    at.faults = []
    page.on('console', (message) => message.type() === 'error' && at.faults.push(message.text()))
    page.on('pageerror', (error) => at.faults.push(error.message))
    await prepare(page)
    await page.goto(given.origin ?? at.site.origin)
    await page.waitForSelector('institute-registration form', { state: 'attached' })
    return page
  }

  return { at, openSite, institute, write, open }
}
