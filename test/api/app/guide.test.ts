import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { loadPyodide } from 'pyodide'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SETTINGS } from '#app/config/read-config.ts'
import { ERROR_STATUS } from '#kernel/values/errors.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { operationsOf, type FullDocument } from '#kit/openapi/document.ts'
import type { Received } from '#kit/receiver.ts'
import { useSubscriptions } from '#kit/subscriptions.ts'

const TOPICS = [
  'authentication',
  'paging',
  'money-and-time',
  'errors',
  'idempotency',
  'webhooks',
  'registration-form',
  'assistants',
]
const GUIDE = ['/docs/guide', ...TOPICS.map((topic) => `/docs/guide/${topic}`)]
const SERVER_TOPICS = [
  'install',
  'settings',
  'proxies',
  'card-payments',
  'mail',
  'backups',
  'files',
  'postgres',
  'upgrade',
  'updates',
  'monitoring',
  'troubleshooting',
  'command-line',
  'security',
  'cloud',
  'vendor',
]
const SERVER = ['/docs/server', ...SERVER_TOPICS.map((topic) => `/docs/server/${topic}`)]

/** Of shells, of the container's proxy, and of code that the guide shows. */
const VARIABLES = ['OLDEST_SECONDS', 'BODY_FILE', 'NOW_SECONDS', 'LICENCE_ID', 'CLOUD_ADDRESS', 'CLOUD_PROCESSES']

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const ask = (address: string) => fetch(new URL(address, app.url), { redirect: 'manual' })
const linksIn = (html: string): string[] =>
  [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address)
const textIn = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

describe('the guide and the pages about running a server', () => {
  test.each([...GUIDE, ...SERVER])('%s is a page of its own that asks nothing of anybody else', async (address) => {
    const reply = await ask(address)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'; ")
    const html = await reply.text()
    expect(html).not.toMatch(/<!-- code|<script|\sstyle=|\son\w+=/)
    for (const link of linksIn(html)) {
      expect(link, 'a link leads elsewhere').toMatch(/^\//)
      expect((await ask(link)).status, link).toBe(200)
    }
    // Its heading is its title, and the one page of the navigation that is marked.
    const [, heading = ''] = /<main>\s*<h1>([^<]+)<\/h1>\s*<p>/.exec(html) ?? []
    expect(html).toContain(`<title>${heading} · Institute `)
    expect([...html.matchAll(/<a href="(\S+)" aria-current="page">([^<]+)</g)].map(([, ...marked]) => marked)).toEqual([
      [address, heading],
    ])
  })

  test('lead to every page of their kind, to the other kind, and to the reference; the reference leads to both', async () => {
    for (const [pages, other] of [
      [GUIDE, '/docs/server'],
      [SERVER, '/docs/guide'],
    ] as const) {
      for (const address of pages) {
        const links = linksIn(await (await ask(address)).text())
        expect(links).toEqual(expect.arrayContaining([...pages, other, '/docs', '/openapi.json']))
      }
    }
    const reference = linksIn(await (await ask('/docs')).text())
    expect(reference).toEqual(expect.arrayContaining([...GUIDE.slice(1), '/docs/server']))
  })

  test('are all that lies in their folders, and no other address is one', async () => {
    const pagesIn = (folder: string) => globSync(`web-setup/docs/${folder}/*`).map((file) => path.parse(file).base)
    const files = (topics: readonly string[]) => ['overview', ...topics].map((topic) => `${topic}.md`).toSorted()
    expect(pagesIn('guide').toSorted()).toEqual(files(TOPICS))
    expect(pagesIn('server').toSorted()).toEqual(files(SERVER_TOPICS))
    for (const address of ['/docs/server/overview', '/docs/server/install.md', '/docs/server/no-such-page']) {
      expect((await ask(address)).status, address).toBe(404)
    }
  })

  test('name operations, codes and settings that there are', async () => {
    const document = (await app.get('//openapi.json')).body as FullDocument
    const operations = new Set(operationsOf(document).map(({ method, path: at }) => `${method} ${at}`))
    const named: string[] = []
    for (const address of [...GUIDE, ...SERVER]) {
      const text = textIn(await (await ask(address)).text())
      named.push(...[...text.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/[a-z{}A-Z/-]+/g)].map(([one]) => one))
      for (const [name] of text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)) {
        if (!/^(?:OTEL|CAP)_/.test(name))
          expect([...Object.keys(ERROR_STATUS), ...Object.keys(SETTINGS), ...VARIABLES]).toContain(name)
      }
    }
    // The request that the guide shows is one to the receiver.
    expect([...new Set(named)].filter((one) => !operations.has(one))).toEqual(['POST /institute'])
    expect(named.length).toBeGreaterThan(10)
  })
})

describe('the code that verifies a delivery', () => {
  const at = useSubscriptions()
  const file = (name: string) => path.resolve('web-setup/docs/code', name)

  interface Attempt {
    secret: string
    signature: string
    body: string
    nowSeconds: number
  }
  type Verify = (attempt: Attempt) => Promise<boolean>

  const inNode: Verify = async ({ secret, signature, body, nowSeconds }) => {
    const { isGenuine } = (await import(/* @vite-ignore */ file('verify.mjs'))) as {
      isGenuine(secret: string, header: string, body: Buffer, nowSeconds: number): boolean
    }
    return isGenuine(secret, signature, Buffer.from(body), nowSeconds)
  }

  let loaded: ReturnType<typeof loadPyodide> | undefined
  /** Python itself, in WebAssembly: it is there wherever the tests run. */
  const inPython: Verify = async ({ secret, signature, body, nowSeconds }) => {
    loaded ??= loadPyodide()
    const python = await loaded
    python.runPython(readFileSync(file('verify.py'), 'utf8'))
    python.globals.set('given', JSON.stringify([secret, signature, body, nowSeconds]))
    return python.runPython('import json; s, h, b, n = json.loads(given); is_genuine(s, h, b.encode(), n)') as boolean
  }

  const inShell: Verify = async ({ secret, signature, body, nowSeconds }) => {
    const stored = path.join(at.app.dataDir, 'delivery')
    writeFileSync(stored, body)
    const { status } = spawnSync('sh', [file('verify.sh'), secret, signature, stored, String(nowSeconds)])
    if (status !== 0 && status !== 1) throw new Error(`verify.sh ended with ${status}`)
    return status === 0
  }

  const hasOpenssl = spawnSync('openssl', ['version']).status === 0
  if (!hasOpenssl) console.warn('This machine has no openssl: verify.sh was not run.')

  const inPhp: Verify = async ({ secret, signature, body, nowSeconds }) => {
    const given = JSON.stringify([secret, signature, body, nowSeconds])
    const run = `require '${file('verify.php')}'; echo json_encode(is_genuine(...json_decode($argv[1])));`
    const { status, stdout } = spawnSync('php', ['-r', run, given], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`verify.php ended with ${status}`)
    return stdout === 'true'
  }

  const hasPhp = spawnSync('php', ['--version']).status === 0
  if (!hasPhp) console.warn('This machine has no php: verify.php was not run.')

  const delivered = async (): Promise<{ secret: string; received: Received }> => {
    const { secret } = await at.subscribe(200)
    const student = { branchId: at.institute.branchId, firstName: 'نور', lastName: 'حدّاد' }
    await at.institute.owner.post('/students', student)
    await at.app.drain()
    return { secret, received: at.receiver.received.at(-1) as Received }
  }

  const VERIFIERS: [name: string, verify: Verify][] = [
    ['verify.mjs', inNode],
    ['verify.py', inPython],
  ]
  if (hasOpenssl) VERIFIERS.push(['verify.sh', inShell])
  if (hasPhp) VERIFIERS.push(['verify.php', inPhp])

  test.each(VERIFIERS)('%s takes what this server sends, and nothing else', async (_, verify) => {
    const { secret, received } = await delivered()
    const signature = received.headers['x-service-signature'] as string
    const nowSeconds = Math.floor(at.app.clock.millis() / 1000)
    const genuine = { secret, signature, body: received.body, nowSeconds }
    const [time = '', value = ''] = signature.split(',')
    const rotating = `${time},v1=${'0'.repeat(64)},${value}`
    expect(await verify(genuine)).toBe(true)
    expect(await verify({ ...genuine, signature: rotating })).toBe(true)
    expect(await verify({ ...genuine, nowSeconds: nowSeconds + 300 })).toBe(true)
    for (const forged of [
      { body: `${received.body} ` },
      { secret: `${secret}x` },
      { signature: `${time},v1=${'0'.repeat(64)}` },
      { signature: signature.replace('t=', 't=1') },
      { signature: value },
      { signature: '' },
      { signature: `${time},v1=`, body: received.body },
      { nowSeconds: nowSeconds + 301 },
      { nowSeconds: nowSeconds - 301 },
    ]) {
      expect(await verify({ ...genuine, ...forged }), JSON.stringify(forged)).toBe(false)
    }
  })

  test('verify-standard.mjs takes what this server sends, and nothing else', async () => {
    const { secret, received } = await delivered()
    const { eventIn } = (await import(/* @vite-ignore */ file('verify-standard.mjs'))) as {
      eventIn(secret: string, headers: Received['headers'], body: Buffer): { type: string }
    }
    vi.useFakeTimers({ toFake: ['Date'], now: at.app.clock.millis() })
    try {
      expect(eventIn(secret, received.headers, Buffer.from(received.body))).toMatchObject({ type: 'student.created' })
      expect(() => eventIn(secret, received.headers, Buffer.from(`${received.body} `))).toThrow('signature')
    } finally {
      vi.useRealTimers()
    }
  })

  test('is what the guide shows', async () => {
    const text = textIn(await (await ask('/docs/guide/webhooks')).text())
    for (const name of ['verify.mjs', 'verify-standard.mjs', 'verify.py', 'verify.php', 'verify.sh']) {
      const code = readFileSync(file(name), 'utf8')
      expect(text).toContain(code.trim())
      // The console shows it too.
      const alone = await ask(`/docs/code/${name}`)
      expect(alone.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(await alone.text()).toBe(code)
    }
    expect(execFileSync('sh', ['-n', file('verify.sh')], { encoding: 'utf8' })).toBe('')
  })
})
