import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { keepPicture, launchBrowser } from '#kit/browser.ts'
import { makeInstitute } from '#kit/institute.ts'

/** What pages say where their script cannot run, or not the whole of it came: never nothing. */

let browser: Browser
let app: TestApp
beforeAll(async () => {
  browser = await launchBrowser()
  app = await startApp()
  await makeInstitute(app)
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

const newPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context.newPage()
}

const PAGES = ['/sign-in', '/invitation?token=x'] as const

/** As a proxy answers whose server does not. */
const BAD_GATEWAY = { status: 502, contentType: 'text/html', body: '<html><h1>502 Bad Gateway</h1></html>' }

const inThreeLanguages = async (page: Page, words: readonly string[]): Promise<void> => {
  for (const said of words) await page.getByText(said).waitFor()
}
const BROKEN = ['لم تكتمل هذه الصفحة', 'משהו בדף הזה לא נטען', 'This page did not load completely']
const OLD = ['هذا المتصفح قديم', 'הדפדפן הזה ישן מדי', 'This browser is too old']
const NO_SCRIPT = ['تحتاج هذه الصفحة إلى JavaScript', 'הדף הזה דורש JavaScript', 'This page needs JavaScript']

/** What shows that the script of the page runs. */
const started = (page: Page, path: string) =>
  path === '/sign-in' ? page.getByRole('heading', { name: 'Sign in' }) : page.locator('#invalid h1')

test.each(PAGES)('%s without scripts asks for them, and says nothing else', async (path) => {
  const page = await newPage({ javaScriptEnabled: false })
  await page.goto(app.url + path)
  // Playwright finds no text in it.
  const said = page.locator('noscript p')
  for (const [index, words] of NO_SCRIPT.entries()) {
    await expect.poll(() => said.nth(index).textContent()).toContain(words)
    await expect.poll(() => said.nth(index).isVisible()).toBe(true)
  }
  expect(await page.locator('#trouble').isVisible()).toBe(false)
  await keepPicture(page, `no-script${path.split('?')[0]?.replaceAll('/', '-')}`)
})

test.each(PAGES)('%s whose script does not come says so at once, and its button loads it again', async (path) => {
  const page = await newPage()
  let isDown = true
  await page.route('**/*.js', (route) => (isDown ? route.fulfill(BAD_GATEWAY) : route.continue()))
  await page.goto(app.url + path)
  await page.getByRole('link', { name: 'Reload' }).waitFor()
  await inThreeLanguages(page, BROKEN)
  expect(await page.locator('.spinner').isVisible()).toBe(false)
  await keepPicture(page, `no-part${path.split('?')[0]?.replaceAll('/', '-')}`)
  isDown = false
  await page.getByRole('link', { name: 'Reload' }).click()
  await started(page, path).waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toContain(path)
  expect(await page.locator('#trouble').isVisible()).toBe(false)
})

test('words of the first page that do not come are such a part', async () => {
  const page = await newPage()
  await page.route('**/console/assets/*.js', async (route) => {
    const reply = await route.fetch()
    await ((await reply.text()).includes('Forgot the password?')
      ? route.fulfill(BAD_GATEWAY)
      : route.fulfill({ response: reply }))
  })
  await page.goto(`${app.url}/sign-in`)
  await page.getByRole('link', { name: 'Reload' }).waitFor()
  expect(await page.locator('.spinner').isVisible()).toBe(false)
})

test.each(PAGES)('%s without its styles says so too, above what works', async (path) => {
  const page = await newPage()
  await page.route('**/*.css', (route) => route.fulfill(BAD_GATEWAY))
  await page.goto(app.url + path)
  await started(page, path).waitFor()
  await inThreeLanguages(page, BROKEN)
  await expect.poll(() => page.locator('#trouble').isVisible()).toBe(true)
})

test.each(PAGES)('%s whose script never comes says so after a while, by its style alone', async (path) => {
  const page = await newPage()
  await page.route('**/*.js', () => {})
  await page.goto(app.url + path, { waitUntil: 'commit' })
  await page.locator('#trouble').waitFor({ state: 'attached' })
  // Its style may come after it.
  await page.waitForFunction('document.querySelector("#trouble").getAnimations().length > 0')
  expect(await page.locator('#trouble').isVisible()).toBe(false)
  // The time of the animation is a quarter of a minute: it is moved there.
  await page.evaluate('document.querySelector("#trouble").getAnimations()[0].finish()')
  await inThreeLanguages(page, BROKEN)
})

test.each(PAGES)(
  '%s in a browser without what it needs says at once that it is too old, and starts nothing',
  async (path) => {
    const page = await newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.addInitScript('delete Array.prototype.at')
    await page.goto(app.url + path)
    await inThreeLanguages(page, OLD)
    await page.waitForLoadState('networkidle')
    expect(asked.filter((one) => one.startsWith('/api/'))).toEqual([])
    expect(await page.locator('.spinner, #console > *').count()).toBe(0)
    expect(await page.locator('.spinner').isVisible()).toBe(false)
  },
)

test('a fault of a script is not taken for the network', async () => {
  // As AbortSignal.timeout was, which browsers of 2022 lack.
  const broken = 'window.Request = class { constructor() { throw new TypeError("a fault of the script") } }'
  const console = await newPage()
  await console.addInitScript(broken)
  await console.goto(`${app.url}/today`)
  await console.getByRole('heading', { name: 'This page does not work' }).waitFor()
  expect(await console.getByText('cannot be reached').count()).toBe(0)

  const wizard = await newPage()
  await wizard.addInitScript(broken)
  await wizard.goto(`${app.url}/setup/`)
  await wizard.getByRole('heading', { name: 'This page does not work' }).waitFor()
  expect(await wizard.getByText('cannot be reached').count()).toBe(0)
  expect(await wizard.locator('.spinner').isVisible()).toBe(false)
})

test('the registration form says in its language that a browser is too old for it, or that it has a fault', async () => {
  const form = `<script src="${app.url}/widget.js" data-key="ims_pk_x" data-locale="he" data-course-interest="x"></script>`
  const show = async (script: string): Promise<Page> => {
    const page = await newPage()
    await page.addInitScript(script)
    await page.route(`${app.url}/website`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Website</title><main>${form}</main>` }),
    )
    await page.goto(`${app.url}/website`)
    return page
  }
  const words = 'הטופס הזה לא פועל בדפדפן הזה'
  const old = await show('delete Array.prototype.at')
  await old.getByText(words).waitFor()
  expect(await old.locator('institute-registration form').count()).toBe(0)

  const broken = await show('window.Request = class { constructor() { throw new TypeError("a fault") } }')
  for (const id of ['firstName', 'lastName', 'guardian.firstName', 'guardian.lastName']) {
    await broken.locator(`[id="${id}"]`).fill('Lian')
  }
  await broken.locator('[id="guardian.phone"]').fill('050-123-4567')
  await broken.locator('button[type=submit]').click()
  await broken.getByText(words).waitFor()
})

test('what fails while the console is shown leaves words, and no white page', async () => {
  const page = await newPage()
  // React gives the whole page up when a part of it throws, as one does here to which words are missing.
  await page.route('**/console/assets/*.js', async (route) => {
    const reply = await route.fetch()
    const script = await reply.text()
    const [, words = ''] = /export\s*\{\s*(\w+) as he\b/.exec(script) ?? []
    const body = words !== '' ? `${script};delete ${words}.signIn` : script
    await route.fulfill({ response: reply, body })
  })
  await page.goto(`${app.url}/sign-in`)
  await started(page, '/sign-in').waitFor()
  await page.getByText('עברית').click()
  await page.getByRole('link', { name: 'Reload' }).waitFor()
  await inThreeLanguages(page, BROKEN)
  await expect.poll(() => page.getByRole('link').count()).toBeGreaterThan(0)
})
