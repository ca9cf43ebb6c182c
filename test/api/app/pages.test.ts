import { createHash } from 'node:crypto'
import { request, type IncomingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { newSetup } from '#kit/setup.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

interface Answer {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: string
}

interface Options {
  method?: string
  headers?: Record<string, string>
}

/** Sends the path exactly; fetch would normalize it. */
const ask = (path: string, { method = 'GET', headers = {} }: Options = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url)
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })

const PAGES = ['/setup', '/setup/', '/invitation', '/reset-password', '/verify-email', '/oauth/authorize'] as const
const ASSETS = [
  ['/setup/assets/lib/weak-passwords.js', 'text/javascript; charset=utf-8'],
  ['/setup/assets/style/base.css', 'text/css; charset=utf-8'],
  ['/setup/assets/style/tokens.css', 'text/css; charset=utf-8'],
  ['/setup/assets/mark.svg', 'image/svg+xml'],
  ['/docs/assets/swagger-ui.css', 'text/css; charset=utf-8'],
  ['/docs/start.js', 'text/javascript; charset=utf-8'],
  ['/docs/code/verify.py', 'text/plain; charset=utf-8'],
  ['/favicon.ico', 'image/svg+xml'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
] as const

/** The directives of a content security policy, by name. */
const policyOf = ({ headers }: Answer): Map<string, string[]> =>
  new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((rule) => rule.split(' '))
      .map(([name = '', ...sources]) => [name, sources]),
  )

/** No content from elsewhere, no inline code, no framing by other sites, and forms only to this server. */
const OWN_PARTS = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
}

/** Those with a script begin with one that looks at the browser, which stands in the page itself: its hash lets it run. */
const withFloor = ({ body }: Answer) => {
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(body) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  return { ...OWN_PARTS, 'script-src': ["'self'", `'sha256-${hash}'`] }
}

describe.each(PAGES)('the page %s', (path) => {
  test('is HTML with headers that isolate it', async () => {
    const answer = await ask(path)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatch(/^<!doctype html>/)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      // The address holds a token, which must not reach the sites that links lead to.
      'referrer-policy': 'no-referrer',
    })
    expect(Object.fromEntries(policyOf(answer))).toEqual(withFloor(answer))
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })

  test('says in three languages what to do where its script cannot run, without anything beside itself', async () => {
    const { body } = await ask(path)
    for (const words of ['<noscript>', '<div id="trouble-old" hidden>', '<div id="trouble-broken">']) {
      const [, told = ''] = body.split(words)
      for (const language of ['ar', 'he', 'en']) {
        expect(told.slice(0, 1000), `${words} ${language}`).toMatch(
          new RegExp(`<p lang="${language}" dir="(ltr|rtl)">.{50}`),
        )
      }
    }
    expect(body.indexOf('<script>'), 'it runs before what may not come').toBeLessThan(body.indexOf('<link'))
  })

  test('ignores the token in its address: it is the same with every token', async () => {
    const answer = await ask(`${path}?token=secret-token%22%3E%3Cscript%3E`)
    expect(answer.body).not.toContain('secret-token')
    expect(answer.body).toBe((await ask(path)).body)
  })

  test('is the same for every language: the browser chooses the language', async () => {
    const answers = await Promise.all(
      ['ar', 'he', 'en', 'xx'].map((language) => ask(path, { headers: { 'accept-language': language } })),
    )
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(answers[0]?.headers).not.toHaveProperty('vary')
  })

  test('is revalidated each time, and answered with 304 while it is unchanged', async () => {
    const first = await ask(path)
    const { headers } = first
    expect(headers['cache-control']).toBe('no-cache')
    const tag = String(headers.etag)
    expect(tag).toMatch(/^"[\w-]+"$/)
    const again = await ask(path, { headers: { 'if-none-match': tag } })
    expect(again).toMatchObject({ status: 304, body: '', headers: { etag: tag, 'cache-control': 'no-cache' } })
    expect(Object.fromEntries(policyOf(again))).toEqual(withFloor(first))
    // A proxy that compresses weakens the ETag, and a client may send several.
    for (const had of [`W/${tag}`, `"another", W/${tag}`, '*'])
      expect((await ask(path, { headers: { 'if-none-match': had } })).status).toBe(304)
    for (const had of ['"another"', `"another", "third"`, ''])
      expect((await ask(path, { headers: { 'if-none-match': had } })).status).toBe(200)
  })

  test('answers HEAD as GET without the body, and no other method', async () => {
    const { headers, body } = await ask(path)
    const head = await ask(path, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(head.headers).toMatchObject({
      'content-type': headers['content-type'],
      'content-length': String(Buffer.byteLength(body)),
      'content-security-policy': headers['content-security-policy'],
      etag: headers.etag,
    })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      expect(await ask(path, { method }), method).toMatchObject({ status: 404 })
    }
  })

  test('and everything that it loads is there', async () => {
    // The console begins there, once there is an institute.
    const seen = new Set<string>(['/', '/forgot-password'])
    let styles = ''
    const follow = async (address: string): Promise<void> => {
      if (seen.has(address)) return
      seen.add(address)
      const { status, body } = await ask(address)
      expect(status, address).toBe(200)
      if (address.endsWith('.css')) styles += body
      const parts = address.endsWith('.js')
        ? [...body.matchAll(/"(\/setup\/assets\/[^"]+)"/g)].map(([, part = '']) => part)
        : [...body.matchAll(/<(?:script|link|img|a) [^>]*?(?:src|href)="([^"]+)"/g)].map(([, part = '']) => part)
      for (const part of parts) await follow(part)
    }
    await follow(path)
    expect(styles).toContain('.trouble')
  })
})

describe('an asset', () => {
  test.each(ASSETS)('%s has its media type, under the same policy', async (path, type) => {
    const answer = await ask(path)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    })
    expect(Object.fromEntries(policyOf(answer))).toEqual(OWN_PARTS)
    const tag = String(answer.headers.etag)
    expect((await ask(path, { headers: { 'if-none-match': tag } })).status).toBe(304)
    expect(await ask(path, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })

  test.each([
    '/setup/assets',
    '/setup/assets/',
    '/setup/assets/wizard',
    '/setup/assets/unknown.js',
    // What pages are made of is bundled.
    '/setup/assets/start.tsx',
    '/setup/assets/__proto__',
    '/setup/assets/constructor',
    '/setup/index.html',
    '/setup/tsconfig.json',
    '/docs/assets/unknown.js',
    '/docs/assets/swagger-ui.js',
    '/favicon.png',
  ])('that does not exist, %s, is 404 NOT_FOUND, and not cached', async (path) => {
    const answer = await ask(path)
    expect(answer).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect(await ask(path, { method: 'HEAD' })).toMatchObject({ status: 404, body: '' })
  })

  // Each of these would read a file of the checkout, or of the machine, if the server built a file path from it.
  test.each(
    ['/setup/assets/', '/docs/assets/', '/docs/code/', '/'].flatMap((root) =>
      [
        '../../package.json',
        '%2e%2e/%2e%2e/package.json',
        '..%2f..%2fpackage.json',
        '%2e%2e%2f%2e%2e%2fpackage.json',
        '%252e%252e%252f%252e%252e%252fpackage.json',
        '..%5c..%5cpackage.json',
        '....//....//package.json',
        '.%2e/.%2e/package.json',
        '/etc/passwd',
        '%2fetc%2fpasswd',
        '%2e%2e/index.html',
        'mark.svg%00.js',
        'mark.svg/.',
        '%2e/mark.svg',
      ].map((rest) => root + rest),
    ),
  )('%s is 404', async (path) => {
    const answer = await ask(path)
    expect(answer.status).toBe(path.includes('%00') ? 422 : 404)
    expect(answer.body).not.toMatch(/root:|"dependencies"|<svg|<html/)
  })

  test.each(['/setup/assets/%c0%ae%c0%ae/package.json', '/setup/assets/%', '/setup/%ff'])(
    '%s, which is not valid text, is 400 MALFORMED_REQUEST',
    async (path) => {
      const answer = await ask(path)
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'MALFORMED_REQUEST' } })
    },
  )
})

test('only the API reference may add inline styles', async () => {
  expect(Object.fromEntries(policyOf(await ask('/docs')))).toEqual({
    ...OWN_PARTS,
    'style-src': ["'self'", "'unsafe-inline'"],
  })
})

test('the server redirects to the wizard until an institute is set up; afterwards the wizard can still be read, but changes nothing', async () => {
  const fresh = await startApp()
  try {
    const setup = newSetup(fresh.app.setupToken.ensure())
    const before = await fresh.get('//setup/')
    expect((await fresh.get('//')).headers.get('location')).toBe('/setup/')
    expect((await fresh.get('/setup/status')).body.needsSetup).toBe(true)
    expect((await fresh.post('/setup/bootstrap', setup)).status).toBe(201)

    const root = await fresh.get('//')
    expect(root).toMatchObject({ status: 200 })
    expect(root.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect((await fresh.get('//setup/')).body).toBe(before.body)
    expect((await fresh.get('/setup/status')).body).toEqual({ deploymentMode: 'self_hosted', needsSetup: false })
    expect(await fresh.post('/setup/bootstrap', setup)).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND' } },
    })
  } finally {
    await fresh.close()
  }
})

describe('the registration form for websites', () => {
  test('is a small script that pages of every origin may load, also as a module, and keep for minutes', async () => {
    const answer = await ask('/widget.js')
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(gzipSync(answer.body).length).toBeLessThan(20_000)
    const tag = String(answer.headers.etag)
    expect(await ask('/widget.js', { headers: { 'if-none-match': tag } })).toMatchObject({ status: 304, body: '' })
  })

  test('evaluates no text as code and writes no markup', async () => {
    expect((await ask('/widget.js')).body).not.toMatch(
      /\beval\b|new Function|innerHTML|insertAdjacentHTML|document\.write/,
    )
  })
})

const FOR_PEOPLE = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

describe('an unknown address', () => {
  test.each([
    ['ar', 'ar-EG,ar;q=0.9,en;q=0.5', 'rtl', 'لا توجد صفحة في هذا العنوان'],
    ['he', 'he', 'rtl', 'אין דף בכתובת הזאת'],
    ['en', 'en-GB,en;q=0.9', 'ltr', 'There is no page at this address'],
    ['en', 'fr', 'ltr', 'There is no page at this address'],
    ['en', undefined, 'ltr', 'There is no page at this address'],
  ])('shows a person a page in %s (asked for: %s)', async (language, asked, direction, title) => {
    const headers = { accept: FOR_PEOPLE, ...(asked !== undefined && { 'accept-language': asked }) }
    const answer = await ask('/no/such/page', { headers })
    expect(answer.status).toBe(404)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Language',
    })
    expect(answer.body).toContain(`<html lang="${language}" dir="${direction}">`)
    expect(answer.body).toContain(`<h1>${title}</h1>`)
    expect(Object.fromEntries(policyOf(answer))).toEqual(OWN_PARTS)
  })

  test.each([
    ['a program that takes anything', '/no/such/page', { accept: '*/*' }],
    ['a program that says nothing', '/no/such/page', {}],
    ['a program that asks for JSON', '/no/such/page', { accept: 'application/json' }],
    ['whoever looks below /api/', '/api/v1/no-such-thing', { accept: FOR_PEOPLE }],
    ['whoever looks below /API/', '/API/v2', { accept: FOR_PEOPLE }],
  ])('answers %s with the error envelope', async (_, path, headers) => {
    const answer = await ask(path, { headers })
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('answers other methods with the error envelope', async () => {
    const answer = await ask('/no/such/page', { method: 'POST', headers: { accept: FOR_PEOPLE } })
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([404, 'NOT_FOUND'])
  })
})

test.each(['/api/v1', '/api/v1/', '/API/v1'])('%s says where the API is described', async (path) => {
  const { status, headers, body } = await ask(path)
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  const described = JSON.parse(body) as Record<string, string>
  expect(described).toEqual({ document: '/openapi.json', reference: '/docs', guide: '/docs/guide' })
  for (const address of Object.values(described)) expect((await ask(address)).status).toBe(200)
})

test('search engines are asked to leave the server alone', async () => {
  expect((await ask('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n')
})

test.each([
  ['of bytes that are no text', '/setup/%ff', 400],
  ['with a NUL byte', '/unsubscribe?token=%00', 422],
  ['of a file that lacks its signature', `/files/${newId()}/${newId()}`, 422],
])('an address %s is called none, in a browser', async (_, path, status) => {
  const body: unknown = expect.stringContaining('<h1>There is no page at this address</h1>')
  expect(await ask(path, { headers: { accept: FOR_PEOPLE } })).toMatchObject({ status, body })
})
