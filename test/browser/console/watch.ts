import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Locale } from '#shared/locale.ts'
import { launchBrowser } from '#kit/browser.ts'
import { PASSWORD } from '#kit/sign-in.ts'
import { emailOf, NOW, type School } from './school.ts'

/** A phone that people hold, and a desk. */
export const SIZES = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 900 } }

interface PageOptions {
  /** Who is signed in; undefined: nobody. */
  as?: { userId: string }
  /** Default: `/`. */
  path?: string
  /** Where the browser finds the program, if something stands between them. Default: the program itself. */
  origin?: string
  /** Default: a phone that is touched. */
  size?: keyof typeof SIZES
  /** The language that was chosen in this browser, and of who is signed in. Default: their own; signed out, `browserLocale`. */
  locale?: 'ar' | 'he' | 'en'
  /** Default: en. */
  browserLocale?: string
  theme?: 'light' | 'dark'
  /** Of the browser. Default: the institute's. */
  timeZone?: string
  /** As an address of a local network has it: without what browsers give to HTTPS and to this machine alone. */
  isPlainHttp?: boolean
  /** Opens a second tab of the browser of this page. Who is signed in, and what was chosen there, is as it is. */
  beside?: Page
}

/** Runs in each document before its own scripts. */
export const TELL_OF_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('CSP: ' + event.violatedDirective + ' ' + event.blockedURI))`

const PLAIN_HTTP = `
for (const name of ['locks', 'clipboard', 'serviceWorker'])
  Object.defineProperty(Navigator.prototype, name, { value: undefined })
delete Crypto.prototype.randomUUID
Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })`

/** What a page must never do, as sentences: each one fails the test. */
export const faultsOf = (page: Page, origin: string): string[] => {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`an error of the page: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    const isOfNetwork = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isOfNetwork) faults.push(`the browser's console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) faults.push(`a request to elsewhere: ${url}`)
  })
  return faults
}

/** Waits until a page shows its heading and asks for nothing more; while it waits, it hides the former one. */
export const quietOf = (page: Page) => {
  const running = new Set<Request>()
  page.on('request', (request) => running.add(request))
  page.on('requestfinished', (request) => running.delete(request))
  page.on('requestfailed', (request) => running.delete(request))
  const isShown = () =>
    page.evaluate<boolean>(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(() =>
      resolve([...document.querySelectorAll('main h1')].some((title) => title.checkVisibility()) &&
        document.querySelector('[aria-busy=true]') === null))))`)
  return async (): Promise<void> => {
    await expect.poll(async () => (await isShown()) && running.size === 0, { timeout: 20_000, interval: 10 }).toBe(true)
  }
}

/** The elements that reach beyond the page's edge, where nothing around them scrolls. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth
    const scrolls = (element) => element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) ||
      scrolls(element.parentElement))
    return [...document.body.querySelectorAll('*')].filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return (left < -1 || right > width + 1) && element.checkVisibility() && !scrolls(element.parentElement) &&
        // The field of a choice that forms send, which nobody sees.
        !element.closest('[data-react-aria-prevent-focus]')
    }).map((element) => 'wider than the page: ' + element.outerHTML.slice(0, 120))
  })()`)

/**
 * Opens pages of the console for the tests of a file, with the browser's clock at NOW, and watches them: an error in a
 * page, a violation of its policy, a request to elsewhere or an element wider than the page fails the test that opened it.
 * Call it once, at the top of the file.
 */
export const watched = (school: () => School) => {
  let browser: Browser
  const opened: { page: Page; faults: string[] }[] = []
  /** Gives people whose language a test chose the one that they had before. */
  const changedBack: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())

  /** Fails if a page has done what it must not. Each test ends with it; call it too where a page is about to change. */
  const expectCalm = async (): Promise<void> => {
    for (const { page, faults } of opened) {
      if (!page.isClosed()) faults.push(...(await tooWide(page)))
      expect(faults.splice(0)).toEqual([])
    }
  }

  afterEach(async () => {
    try {
      await expectCalm()
    } finally {
      for (const changeBack of changedBack.splice(0).toReversed()) await changeBack()
      await Promise.all(opened.splice(0).map(({ page }) => page.context().close()))
    }
  })

  const newContext = async (options: PageOptions) => {
    const { size = 'phone', locale, browserLocale = 'en', theme = 'light', timeZone = 'Asia/Jerusalem', as } = options
    const { url } = school().app
    const context = await browser.newContext({
      locale: browserLocale,
      timezoneId: timeZone,
      colorScheme: theme,
      reducedMotion: 'reduce',
      viewport: SIZES[size],
      hasTouch: size === 'phone',
      deviceScaleFactor: 1,
      storageState: {
        cookies: [],
        origins: locale ? [{ origin: url, localStorage: [{ name: 'institute.locale', value: locale }] }] : [],
      },
    })
    await context.addInitScript(TELL_OF_VIOLATIONS)
    if (as) {
      const data = { email: emailOf(as.userId), password: PASSWORD, client: 'web' }
      const reply = await context.request.post(`${url}/api/v1/auth/login`, { data })
      expect(reply.status(), await reply.text()).toBe(200)
      const { accessToken, user } = (await reply.json()) as Record<'accessToken', string> & { user: { locale: Locale } }
      if (locale && locale !== user.locale) {
        const speak = (spoken: Locale) =>
          context.request.patch(`${url}/api/v1/me`, {
            headers: { authorization: `Bearer ${accessToken}` },
            data: { locale: spoken },
          })
        expect((await speak(locale)).status()).toBe(200)
        changedBack.push(() => speak(user.locale))
      }
    }
    return context
  }

  const open = async (options: PageOptions = {}): Promise<Page> => {
    const url = options.origin ?? school().app.url
    const context = options.beside?.context() ?? (await newContext(options))
    const page = await context.newPage()
    if (options.isPlainHttp) await page.addInitScript(PLAIN_HTTP)
    await page.clock.setFixedTime(new Date(NOW))
    opened.push({ page, faults: faultsOf(page, url) })
    await page.goto(url + (options.path ?? '/'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  return { open, expectCalm }
}
