import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleFiles } from '#app/pages/console-files.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { newSetup } from '#kit/setup.ts'
import { compressForBrowsers } from '../../../build/console.ts'
import { SCREENS } from '../../../src/console/map.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('the console is one page at each of its addresses, which says how the institute is called', async () => {
  const fresh = await startApp()
  try {
    for (const address of ['//', '//today', '//students/x']) {
      expect((await fresh.get(address)).headers.get('location'), address).toBe('/setup/')
    }
    await fresh.post('/setup/bootstrap', newSetup(fresh.app.setupToken.ensure(), { institute: { name: '<معهد> "A"' } }))
    const root = await fresh.get('//')
    const addresses = [...SCREENS.map(({ path }) => `/${path}`), '//students/1234/x', '//sign-in', '//forgot-password']
    for (const address of addresses) expect((await fresh.get(address)).body, address).toBe(root.body)
    expect(root.body).toContain('&quot;name&quot;:&quot;&lt;معهد&gt; \\&quot;A\\&quot;&quot;')
    expect(root.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/]{43}='; style-src 'self';/,
    )
    expect((await fresh.get('//nowhere')).status).toBe(404)
  } finally {
    await fresh.close()
  }
})

test('on a home screen it is the institute, in its language and colour, with icons that are there', async () => {
  const fresh = await startApp()
  try {
    const institute = { name: 'معهد النور للموسيقى "A"', defaultLocale: 'ar' }
    await fresh.post('/setup/bootstrap', newSetup(fresh.app.setupToken.ensure(), { institute }))
    const page = await fresh.get('//children')
    expect(page.body).toContain('<link rel="manifest" href="/app.webmanifest" />')
    expect(page.headers.get('content-security-policy')).toContain("manifest-src 'self'")
    const { headers, body } = await fresh.get('//app.webmanifest')
    expect(headers.get('content-type')).toBe('application/manifest+json')
    const manifest = JSON.parse(body)
    expect(manifest).toMatchObject({
      name: institute.name,
      short_name: 'معهد النور',
      lang: 'ar',
      dir: 'rtl',
      start_url: '/',
      display: 'standalone',
      theme_color: '#14675e',
    })
    expect(manifest.icons.map(({ sizes }: { sizes: string }) => sizes)).toEqual(['192x192', '512x512', '512x512'])
    for (const src of [
      ...manifest.icons.map((icon: { src: string }) => icon.src),
      '/setup/assets/icons/apple-180.png',
    ]) {
      expect(page.headers.get('content-security-policy')).toContain("img-src 'self'")
      expect((await fresh.get(`/${src}`)).headers.get('content-type'), src).toBe('image/png')
    }
  } finally {
    await fresh.close()
  }
})

test('the script that shows messages has the whole console as its scope, and is asked for anew', async () => {
  const { status, headers, body } = await app.get('//push-worker.js')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  // A browser runs it as a service worker for what lies beside and below it, and under this policy.
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self';.* connect-src 'self';/,
  )
  for (const [icon] of body.matchAll(/\/setup\/assets\/icons\/(?:app|badge)-\d+\.png/g)) {
    expect((await app.get(`/${icon}`)).headers.get('content-type'), icon).toBe('image/png')
  }
  await makeInstitute(app)
  expect((await app.get('//today')).headers.get('content-security-policy')).toContain("; worker-src 'self'")
})

test('the files of the console have names that change with their bytes, and browsers keep them for good', async () => {
  const { starts, files } = consoleFiles()
  const start = starts.console
  await makeInstitute(app)
  const { body } = await app.get('//today')
  for (const name of [start.script, start.style, ...start.modules]) {
    expect(body).toContain(`"/console/assets/${name}"`)
    expect(name).toMatch(/-[A-Z0-9]{8}\.(?:js|css)$/)
  }
  const script = await app.get(`//console/assets/${start.script}`)
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(script.body).toBe(files.get(start.script)!.get().body.toString('utf8'))
})

test('the page names all that signing in needs, with the words of the browser’s language', async () => {
  const { words, modules } = consoleFiles().starts.console
  await makeInstitute(app)
  for (const [language, own] of Object.entries(words!)) {
    const page = await fetch(`${app.url}/sign-in`, { headers: { 'accept-language': `${language}-XX,fr;q=0.8` } })
    expect(page.headers.get('vary')).toBe('Accept-Language')
    const body = await page.text()
    const named = [...body.matchAll(/modulepreload" href="\/console\/assets\/([^"]+)"/g)].map(([, name]) => name)
    expect(named).toEqual([...modules, ...own])
    // With the page, its script and its style.
    expect(named.length + 3).toBeLessThanOrEqual(10)
  }
})

test.each([
  ['somebody can sign in', 'console', '//sign-in'],
  ['an invitation can be accepted', 'invitation', '//invitation'],
] as const)('little is loaded before %s, also where the network is slow', async (_, name, address) => {
  const { starts, files } = consoleFiles()
  const start = starts[name]
  await makeInstitute(app)
  const { body } = await app.get(address)
  const first = [start.script, start.style, ...start.modules].map((file) => files.get(file)!.get().body)
  const bytes = [Buffer.from(body), ...first].reduce((sum, part) => sum + gzipSync(part).length, 0)
  // With the words of the page and of its language, which are some two thousand more.
  expect(bytes).toBeLessThan(127_500)
})

test('the first page of the wizard is little too, as the executable has compressed it', async () => {
  const { starts, files } = consoleFiles()
  const { script, style, modules } = starts.wizard
  const { body } = await app.get('//setup')
  const first = [script, style, ...modules].map((file) => files.get(file)!.get().body)
  const packed = await Promise.all([Buffer.from(body), ...first].map(compressForBrowsers))
  const bytes = packed.reduce((sum, { length }) => sum + length, 0)
  expect(bytes).toBeLessThanOrEqual(108_000)
})

test('what screens share is one file, so that a page asks for few', () => {
  const { starts, files } = consoleFiles()
  for (const { modules } of Object.values(starts)) expect(modules.length).toBeLessThan(12)
  // One for each screen, and as many for the languages and for what is loaded later; a dozen for each page beside them.
  expect(files.size).toBeLessThan(2 * SCREENS.length + 12 * (Object.keys(starts).length - 1))
})
