import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { request as plainRequest, type IncomingMessage } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BACKUPS } from '#app/data-dir/layout.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { client } from '#kit/client.ts'
import { announced, png, sha256 } from '#kit/files.ts'
import { freePort } from '#kit/free-port.ts'
import { connectMcp } from '#kit/mcp.ts'
import { grantTo } from '#kit/oauth.ts'
import { newSetup, OWNER, setupTokenIn } from '#kit/setup.ts'
import { PASTED_KINDS, startPasted, whyNotPasted } from '#kit/pasted-proxies.ts'

const MEBIBYTE = 1024 * 1024
/** Another address of this machine than the proxy's: whoever asks is to be taken for it. */
const CALLER = '127.0.0.2'
const MADE_UP = '203.0.113.5'

interface Asked {
  status: number | undefined
  headers: IncomingMessage['headers']
  bytes: number
  text: string
}

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: Buffer
}

/** Sends a request on a connection of its own from CALLER. A body waits for 100 Continue. */
const ask = (url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? request : plainRequest
    const all = { ...headers, ...(body && { 'content-length': body.length, expect: '100-continue' }) }
    const sent = send(url, { method, headers: all, agent: false, family: 4, localAddress: CALLER }, (reply) => {
      let bytes = 0
      const first: Buffer[] = []
      reply.on('data', (chunk: Buffer) => {
        if (bytes < 65_536) first.push(chunk)
        bytes += chunk.length
      })
      reply.on('error', reject).on('end', () => {
        resolve({ status: reply.statusCode, headers: reply.headers, bytes, text: Buffer.concat(first).toString() })
      })
    })
    sent.on('error', reject).once('continue', () => sent.end(body))
    if (body) sent.flushHeaders()
    else sent.end()
  })

/** Stands between the proxy and the program: once told, each connection that is there now breaks when it is used again. */
const startRelay = async (): Promise<{ port: number; to(port: number): void; closeIdle(): void }> => {
  let target = 0
  const open = new Set<Socket>()
  const idle = new WeakSet<Socket>()
  const relay = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    open.add(near)
    near.on('data', (chunk) => {
      if (idle.has(near)) near.resetAndDestroy()
      else if (!far.destroyed && !far.write(chunk)) near.pause()
    })
    far.on('drain', () => near.resume())
    far.pipe(near)
    near.on('end', () => far.end()).on('error', () => far.destroy())
    near.on('close', () => open.delete(near) && far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.resume().end())
  })
  await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    relay.close()
  })
  return {
    port: (relay.address() as AddressInfo).port,
    to: (port) => (target = port),
    closeIdle: () => open.forEach((socket) => idle.add(socket)),
  }
}

/** A file of 100 MiB that takes no room, at an address that needs no credential. */
const hugeBackup = ({ dataDir, app, clock }: TestApp): string => {
  const folder = path.join(dataDir, BACKUPS)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'huge.tar.gz'), 'begins')
  truncateSync(path.join(folder, 'huge.tar.gz'), 100 * MEBIBYTE)
  const expires = clock.millis() + 600_000
  const signature = app.vault.tag('backup-address', JSON.stringify(['huge.tar.gz', expires]))
  return `/server/backups/huge.tar.gz/file?${new URLSearchParams({ expires: String(expires), signature }).toString()}`
}

describe.each(PASTED_KINDS)('behind %s, by the file of installer/proxies', (kind) => {
  const why = whyNotPasted(kind)
  test.skipIf(why)(`all goes through, and the caller is who they are${why ? `: skipped, ${why}` : ''}`, async () => {
    const relay = await startRelay()
    const ports = { http: await freePort(), https: await freePort(), between: await freePort(), program: relay.port }
    const site = `https://localhost:${ports.https}`
    const api = `${site}/api/v1`
    const callers = new Map<string, string>()
    const write = (line: string): void => {
      const { msg, path: asked, ip } = JSON.parse(line) as { msg: string; path: string; ip: string }
      if (msg === 'request') callers.set(asked, ip)
    }
    const app = await startApp({
      config: { trustedProxies: 1, baseUrl: site },
      log: pino({ level: 'info' }, { write }),
    })
    onTestFinished(() => app.close())
    relay.to(app.app.config.port)
    setDefaultCACertificates([...getCACertificates('default'), await startPasted(kind, ports)])
    const anybody = client(site)
    const set = await anybody.post('/setup/bootstrap', newSetup(setupTokenIn(app.dataDir)))
    expect(set.status).toBe(201)
    const owner = anybody.as(set.body.accessToken)

    // Who asks is not the caller's choice, and neither is whether they came by TLS.
    const login = await ask(`${api}/auth/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': MADE_UP,
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'evil.example',
      },
      body: Buffer.from(JSON.stringify({ email: OWNER.email, password: OWNER.password })),
    })
    expect(login).toMatchObject({ status: 200 })
    expect(login.headers['set-cookie']?.[0]).toContain('; secure')
    expect(callers.get('/api/v1/auth/login')).toBe(CALLER)
    const { body: health } = await owner.get('/server/health')
    expect(health.findings).toContainEqual({ about: 'proxy', state: 'ok', text: expect.any(String) })

    // Links begin with the address of the proxy.
    const bytes = png('x'.repeat(20 * MEBIBYTE - 200))
    const { body: upload } = await owner.post('/files/upload-url', announced(bytes))
    expect(upload.uploadUrl).toContain(`${site}/files/`)
    const put = { method: 'PUT', headers: { 'content-type': 'image/png' }, body: bytes }
    expect(await ask(upload.uploadUrl, put)).toMatchObject({ status: 200 })
    const completion = { ...announced(bytes), storageKey: upload.storageKey, sha256: sha256(bytes) }
    expect((await owner.post('/files/complete', completion)).status).toBe(201)
    // What is larger is refused by the program, in its words.
    const tooLarge = await ask(upload.uploadUrl, { ...put, body: Buffer.alloc(20 * MEBIBYTE + 1) })
    expect(JSON.parse(tooLarge.text)).toMatchObject({ error: { code: 'MALFORMED_REQUEST' } })

    const huge = `${api}${hugeBackup(app)}`
    const whole = await ask(huge)
    expect([whole.status, whole.bytes, whole.text.slice(0, 6)]).toEqual([200, 100 * MEBIBYTE, 'begins'])
    const part = await ask(huge, { headers: { range: 'bytes=2-5' } })
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      'gins',
      `bytes 2-5/${100 * MEBIBYTE}`,
    ])
    const same = await ask(huge, { headers: { 'if-none-match': String(whole.headers.etag) } })
    expect(same.status).toBe(304)

    expect((await owner.patch('/feature-flags', { mcp: true })).status).toBe(200)
    const { accessToken } = await grantTo(anybody, owner, set.body.activeTenantId)
    const assistant = await connectMcp({ url: site }, accessToken)
    expect((await assistant.call('students_find', { q: 'Noor' })).isError).toBe(false)

    // Addresses go on as they are, what is no page for everybody does not, and nobody stays without TLS.
    expect(JSON.parse((await ask(`${api}/students/a%2Fb`)).text)).toMatchObject({ error: { code: expect.any(String) } })
    expect((await ask(`${site}/metrics`)).text).not.toContain('# TYPE')
    expect((await ask(`${site}/metrics`)).status).toBeGreaterThanOrEqual(403)
    const plain = await ask(`http://localhost:${ports.http}/docs?a=b`)
    expect([301, 308]).toContain(plain.status)
    expect(plain.headers.location).toMatch(/^https:\/\/localhost(?::\d+)?\/docs\?a=b$/)

    // Connections that the program has just closed are not used again.
    for (let round = 0; round < 3; round += 1) {
      relay.closeIdle()
      expect((await owner.post('/students', {})).status).toBe(422)
    }
  })
})
