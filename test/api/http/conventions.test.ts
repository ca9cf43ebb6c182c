import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { emailOf, PASSWORD } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const branches = (raw: string | Buffer, headers = {}) => institute.owner.send('POST', '/branches', { raw, headers })

describe('every error has the one envelope', () => {
  test('has code, message and the requestId that is also in the header', async () => {
    const { status, body, headers } = await institute.owner.get('/nothing-here')
    expect(status).toBe(404)
    expect(body).toEqual({
      error: { code: 'NOT_FOUND', message: expect.any(String), requestId: headers.get('x-request-id') },
    })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })

  test.each([
    ['an unknown method', () => institute.owner.send('POST', '/setup/status')],
    ['an unknown path outside the API', () => app.get('//elsewhere')],
    ['a path with a trailing climb', () => app.get('//setup/assets/..%2f..%2fpackage.json')],
  ])('%s is 404 NOT_FOUND', async (_, send) => {
    expect(await send()).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
  })

  test('a path with invalid encoding is 400', async () => {
    expect(await app.get('/branches/%ff%zz')).toMatchObject({
      status: 400,
      body: { error: { code: 'MALFORMED_REQUEST' } },
    })
  })
})

describe('a request that cannot be read is 400 MALFORMED_REQUEST', () => {
  test.each([
    ['no JSON', 'name=North', {}],
    ['half of some JSON', '{"name": "North', {}],
    ['an empty body', '', {}],
    ['another content type', '{"name":"North"}', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}],
    ['over 1 MiB', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), {}],
  ])('%s', async (_, raw, headers) => {
    expect(await branches(raw, headers)).toMatchObject({ status: 400, body: { error: { code: 'MALFORMED_REQUEST' } } })
  })

  const post = 'POST /api/v1/setup/bootstrap HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  test.each([
    ['what is no HTTP', 'hello\r\n\r\n'],
    ['an address and headers of over 16 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['two lengths of one body', `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
    ['a length and chunks', `${post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`],
    ['chunks that are none', `${post}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
  ])('%s, and the connection is closed', async (_, raw) => {
    const { port, hostname } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    socket.write(raw)
    const reply = (await socket.toArray()).join('')
    const [head, body] = reply.split('\r\n\r\n') as [string, string]
    expect(head).toMatch(/^HTTP\/1\.1 400 .*\r\nconnection: close/is)
    const { error } = JSON.parse(body)
    expect(error.code).toBe('MALFORMED_REQUEST')
    expect(head.toLowerCase()).toContain(`x-request-id: ${error.requestId}`)
    expect((await app.get('/health/live')).status).toBe(200)
  })

  test('a body that breaks off changes nothing, and the server keeps working', async () => {
    const { port, hostname } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(
      'POST /api/v1/branches HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"name"',
    )
    socket.destroy()
    expect((await app.get('/health/live')).status).toBe(200)
  })
})

describe('content that fails its schema is 422 with every issue at its path', () => {
  test('several issues at once', async () => {
    const { status, body } = await institute.owner.post('/branches', {
      name: ' ',
      address: { country: 'Israel' },
      isDefault: 'yes',
    })
    expect(status).toBe(422)
    expect(body.error.code).toBe('VALIDATION_ERROR')
    expect(body.error.details.issues.map((issue: { path: string[] }) => issue.path.join('.'))).toEqual([
      'name',
      'address.country',
      'isDefault',
    ])
  })

  test('a missing field is reported as required', async () => {
    const { body } = await institute.owner.post('/branches', {})
    expect(body.error.details.issues).toEqual([{ path: ['name'], message: 'Is required.' }])
  })

  test.each(['[]', '"North"', 'null', '5'])('%s is no object', async (raw) => {
    expect((await branches(raw)).body.error.code).toBe('VALIDATION_ERROR')
  })

  test.each([
    ['a NUL byte', '{"name":"a\\u0000b"}'],
    ['a lone surrogate', '{"name":"a\\ud800b"}'],
    ['a NUL byte deep inside', '{"name":"x","address":{"city":"a\\u0000"}}'],
    ['more objects than any endpoint takes, wherever they stand', `{"name":"x","more":[${'{},'.repeat(20_000)}{}]}`],
  ])('%s is refused', async (_, raw) => {
    expect(await branches(raw)).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
  })

  test.each(['2027-02-30T10:00:00Z', '2027-02-29T00:00:00.000+02:00', '2027-13-01T00:00:00Z'])(
    'the instant %s on a day that does not exist is refused',
    async (expiresAt) => {
      const { status, body } = await institute.owner.post('/api-keys', { name: 'Sync', permissions: [], expiresAt })
      expect(status).toBe(422)
      expect(body.error.details.issues[0].path).toEqual(['expiresAt'])
    },
  )

  test.each(['0', '101', 'x', '1.5', '-1'])('limit=%s is refused', async (limit) => {
    expect((await institute.owner.get(`/audit?limit=${limit}`)).body.error.details.issues[0].path).toEqual(['limit'])
  })

  test('a cursor that this list did not give out is refused', async () => {
    for (const cursor of ['x', 'eyJ9.abc', '']) {
      const refused = await institute.owner.get(`/audit?cursor=${cursor}`)
      expect(refused).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: ['cursor'] }] } } } })
    }
  })
})

describe('input', () => {
  test('unknown body and query fields are ignored; tenantId and status in a body assign nothing', async () => {
    const other = await makeInstitute(app)
    const { status, body } = await institute.owner.post('/branches?colour=red', {
      name: 'Ignored',
      id: other.branchId,
      tenantId: other.tenant.id,
      isActive: false,
      createdAt: '1999-01-01T00:00:00.000Z',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ tenantId: institute.tenant.id, isActive: true, createdAt: app.clock.now() })
    expect(body.id).not.toBe(other.branchId)
  })

  test.each(['=cmd|calc', '+972', '@SUM(1)', '\u00e9', 'e\u0301', 'שלום', 'نور', '👩‍👩‍👧'])(
    'the name %j makes a round trip',
    async (name) => {
      const { body } = await institute.owner.post('/branches', { name })
      expect(body.name).toBe(name)
    },
  )

  test.each([
    ['a\u202eb', 'ab'],
    ['c\u200dd', 'cd'],
    [' ef ', 'ef'],
    ['\ufeffgh', 'gh'],
  ])('of the name %j only what is seen is kept', async (typed, name) => {
    const { body } = await institute.owner.post('/branches', { name: typed })
    expect(body.name).toBe(name)
  })

  test('the content of an unknown field is not validated, however deep', async () => {
    const { status } = await branches(`{"name":"Deep","more":${'['.repeat(15_000)}${']'.repeat(15_000)}}`)
    expect(status).toBe(201)
  })

  test('a body never reaches a prototype', async () => {
    const { status } = await branches('{"name":"Proto","__proto__":{"isDefault":true},"constructor":{"x":1}}')
    expect(status).toBe(201)
    expect(({} as Record<string, unknown>).isDefault).toBeUndefined()
  })
})

describe('rate limits', () => {
  const limits = {
    anonymousPerMinute: 5,
    userPerMinute: 3,
    keyPerMinute: 3,
    keyCeilingPerMinute: 10,
    loginPerMinuteOfAddress: 300,
    loginPerMinuteOfEmail: 30,
  }

  test('a user has a sliding window of a minute, shown in the headers; 429 carries Retry-After', async () => {
    const own = await startApp({ config: { limits } })
    try {
      const { owner } = await makeInstitute(own)
      const remaining: (string | null)[] = []
      for (let sent = 0; sent < 3; sent += 1) {
        remaining.push((await owner.get('/branches')).headers.get('ratelimit-remaining'))
        own.clock.advance(10)
      }
      expect(remaining).toEqual(['2', '1', '0'])
      const refused = await owner.get('/branches')
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
      expect(refused.headers.get('retry-after')).toBe('30')
      expect(refused.headers.get('ratelimit-limit')).toBe('3')
      own.clock.advance(29.999)
      expect((await owner.get('/branches')).status).toBe(429)
      own.clock.advance(0.001)
      expect((await owner.get('/branches')).status).toBe(200)
      expect((await owner.get('/branches')).status).toBe(429)
    } finally {
      await own.close()
    }
  })

  test('missing and wrong credentials count against the address, whatever X-Forwarded-For says', async () => {
    const own = await startApp({ config: { limits } })
    try {
      for (let sent = 0; sent < 5; sent += 1) {
        const reply = await own.send('GET', '/branches', { headers: { 'x-forwarded-for': `10.0.0.${sent}` } })
        expect(reply.status).toBe(401)
      }
      expect((await own.as('nonsense').get('/branches')).status).toBe(429)
      expect((await own.get('/health/live')).status).toBe(200)
    } finally {
      await own.close()
    }
  })

  test('an IPv6 customer has one limit for all their addresses', async () => {
    const own = await startApp({ config: { limits, trustedProxies: 1 } })
    const from = (address: string) => own.send('GET', '/branches', { headers: { 'x-forwarded-for': address } })
    try {
      for (let sent = 0; sent < 5; sent += 1) expect((await from(`2001:db8:0:1::${sent}`)).status).toBe(401)
      expect((await from('2001:db8:0:1:ffff::1')).status).toBe(429)
      expect((await from('2001:db8:0:2::1')).status).toBe(401)
    } finally {
      await own.close()
    }
  })

  test('a forwarded value that is no address counts as the proxy’s own address, and is not stored', async () => {
    const own = await startApp({ config: { limits, trustedProxies: 1 } })
    const { ownerUserId } = await makeInstitute(own)
    try {
      const login = { email: emailOf(ownerUserId), password: PASSWORD, client: 'mobile' }
      const headers = { 'x-forwarded-for': 'x'.repeat(3000) }
      const { status, body } = await own.send('POST', '/auth/login', { body: login, headers })
      expect(status).toBe(200)
      const { body: sessions } = await own.as(body.accessToken).get('/auth/sessions')
      expect(sessions.data[0].ip).toBe('127.0.0.1')
    } finally {
      await own.close()
    }
  })

  test.each([
    ['198.51.100.7:4711', '198.51.100.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:DB8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[::ffff:198.51.100.7]:80', '198.51.100.7'],
  ])('a forwarded %s is the address without its port', async (forwarded, ip) => {
    const own = await startApp({ config: { limits, trustedProxies: 1 } })
    const { ownerUserId } = await makeInstitute(own)
    try {
      const login = { email: emailOf(ownerUserId), password: PASSWORD, client: 'mobile' }
      const headers = { 'x-forwarded-for': forwarded }
      const { body } = await own.send('POST', '/auth/login', { body: login, headers })
      const { body: sessions } = await own.as(body.accessToken).get('/auth/sessions')
      expect(sessions.data[0].ip).toBe(ip)
    } finally {
      await own.close()
    }
  })

  test('behind a trusted proxy the caller’s own address counts', async () => {
    const own = await startApp({ config: { limits, trustedProxies: 1 } })
    try {
      for (let sent = 0; sent < 8; sent += 1) {
        const reply = await own.send('GET', '/branches', { headers: { 'x-forwarded-for': `6.6.6.6, 10.0.0.${sent}` } })
        expect(reply.status).toBe(401)
      }
    } finally {
      await own.close()
    }
  })
})
