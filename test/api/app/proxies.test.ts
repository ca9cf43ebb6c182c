import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { freePort } from '#kit/free-port.ts'
import { makeInstitute } from '#kit/institute.ts'
import { startProxy, whyNoProxy, type ProxyKind } from '#kit/proxies.ts'

const start = async (port: number, trustedProxies = 1): Promise<TestApp> => {
  const app = await startApp({ config: { trustedProxies, baseUrl: `http://127.0.0.1:${port}` } })
  onTestFinished(() => app.close())
  return app
}

const proxyFinding = async (app: TestApp) => {
  const { owner } = await makeInstitute(app)
  const { body } = await owner.get('/server/health')
  return body.findings.find(({ about }: { about: string }) => about === 'proxy')
}

const WRONG = { state: 'wrong', text: expect.stringMatching(/^whoever sends X-Forwarded-For is taken for any address/) }
const WELL = { state: 'ok' }

describe.each<ProxyKind>(['nginx', 'haproxy'])('behind %s', (kind) => {
  const why = whyNoProxy(kind)
  const cases = {
    nginx: [
      [
        'no line for the name',
        'proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header Host 127.0.0.9;',
        { state: 'warning', text: expect.stringContaining('(nginx: proxy_set_header Host $http_host;)') },
      ],
      [
        'a line for another scheme',
        'proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto https;',
        { state: 'wrong', text: expect.stringMatching(/^nginx does not say that people come by http,/) },
      ],
      ['proxy_pass alone', '', WRONG],
      ['the client’s own header passed on', 'proxy_set_header X-Forwarded-For $http_x_forwarded_for;', WRONG],
      ['the line that we name', 'proxy_set_header X-Forwarded-For $remote_addr;', WELL],
      ['a line that adds', 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;', WELL],
    ],
    haproxy: [
      ['no line', '', WRONG],
      ['the line that we name', 'http-request set-header X-Forwarded-For %[src]', WELL],
      ['option forwardfor', 'option forwardfor', WELL],
    ],
  } as const
  test.skipIf(why).each([...cases[kind]])(
    `with %s, the health of the server says whether callers can name any address${why ? `: skipped, ${why}` : ''}`,
    async (_, lines, expected) => {
      const port = await freePort()
      const app = await start(port)
      await startProxy(kind, { port, to: app.app.config.port, lines })
      expect(await proxyFinding(app)).toMatchObject(expected)
    },
  )
})

describe.skipIf(whyNoProxy('nginx'))(`nginx${whyNoProxy('nginx') ? ': skipped, it is not installed' : ''}`, () => {
  test('alone, where two are trusted, is told too', async () => {
    const port = await freePort()
    const app = await start(port, 2)
    await startProxy('nginx', {
      port,
      to: app.app.config.port,
      lines: 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    })
    expect(await proxyFinding(app)).toMatchObject(WRONG)
  })

  test('answers a body above 1 MB with a page of its own, as the tests of the console fake it', async () => {
    const port = await freePort()
    const app = await start(port)
    await startProxy('nginx', { port, to: app.app.config.port, lines: '' })
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/imports`, {
      method: 'POST',
      body: Buffer.alloc(1_100_000),
    })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([413, 'text/html'])
    expect(await reply.text()).toContain('<title>413 Request Entity Too Large</title>')
    await app.app.close(0)
    const gone = await fetch(`http://127.0.0.1:${port}/api/v1/branches`)
    expect([gone.status, gone.headers.get('content-type')]).toEqual([502, 'text/html'])
  })
})

test('behind a proxy that is trusted, an idle connection is kept for longer than proxies keep theirs', async () => {
  const kept = async (trustedProxies: number): Promise<string | null> => {
    const app = await start(await freePort(), trustedProxies)
    return (await app.get('/health/live')).headers.get('keep-alive')
  }
  expect([await kept(0), await kept(1)]).toEqual(['timeout=65', 'timeout=130'])
})

test('without a proxy, a trusted one is told as what it is', async () => {
  const port = await freePort()
  const app = await startApp({ config: { port, trustedProxies: 1, baseUrl: `http://127.0.0.1:${port}` } })
  expect(await proxyFinding(app)).toMatchObject(WRONG)
  await app.close()
})

test('where nothing answers at the server’s address, or no proxy is trusted, nothing is claimed', async () => {
  expect(await proxyFinding(await start(await freePort()))).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('is not known: this server does not answer at'),
  })
  expect(await proxyFinding(await start(await freePort(), 0))).toBeUndefined()
})

describe('a request for which no trusted proxy speaks is told in the log', () => {
  const warnings: string[] = []
  const write = (line: string): void => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    if (level === 40 && msg.startsWith('INSTITUTE_TRUST_PROXY')) warnings.push(msg)
  }

  test('once, and not for those who ask on the machine itself, nor where the proxy speaks', async () => {
    const log = pino({ level: 'warn' }, { write })
    const app = await startApp({ log, config: { trustedProxies: 2 } })
    await app.get('/health/ready')
    await app.get('//metrics')
    await app.send('GET', '/branches', { headers: { 'x-forwarded-for': '203.0.113.5, 10.0.0.1' } })
    expect(warnings).toEqual([])
    await app.send('GET', '/branches', { headers: { 'x-forwarded-for': '203.0.113.5' } })
    await app.get('/branches')
    expect(warnings).toEqual([expect.stringContaining('nginx: proxy_set_header X-Forwarded-For $remote_addr;')])
    await app.close()
  })
})
