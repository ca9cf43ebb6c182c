import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { change, read } from '#kernel/contract/endpoint.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

/** CORS: what a browser asks and gets when a page of another origin calls endpoints that take a publishable key. */

let app: TestApp
let institute: TestInstitute
const ORIGIN = 'https://school.example'

const reply = v.object({ said: v.string() })
const common = { access: 'publishable', summary: 'Planted', path: '/public/planted', reply } as const
const endpoints = [
  read({ ...common, id: 'planted.read', handle: async () => ({ said: 'here' }) }),
  change({
    ...common,
    id: 'planted.change',
    method: 'POST',
    body: v.object({ name: v.string() }),
    handle: async ({ body }) => ({ said: body.name }),
  }),
]

beforeAll(async () => {
  app = await startApp({ chance: true, modules: [{ name: 'planted', endpoints }] })
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const newKey = async (allowedOrigins: string[], more: object = {}) =>
  (await institute.owner.post('/api-keys', { name: 'Website', kind: 'publishable', allowedOrigins, ...more })).body as {
    id: string
    key: string
  }

const preflight = (origin: string | undefined, path = '/public/planted') =>
  app.send('OPTIONS', path, {
    headers: {
      ...(origin !== undefined && { origin }),
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })

const allowed = (headers: Headers): string | null => headers.get('access-control-allow-origin')

describe('a preflight', () => {
  test('from an origin that a live key lists is answered with what may be sent', async () => {
    await newKey([ORIGIN])
    const { status, headers, body } = await preflight(ORIGIN)
    expect([status, body]).toEqual([204, undefined])
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'Authorization, Idempotency-Key, Content-Type',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
    expect(headers.has('access-control-allow-credentials')).toBe(false)
  })

  test.each([
    ['another origin', 'https://other.example'],
    ['its name over plain HTTP', 'http://school.example'],
    ['a part of its name', 'https://school.example.org'],
    ['no origin', undefined],
    ['what is none', 'null'],
  ])('of %s is 403 and allows nothing', async (_, origin) => {
    await newKey([ORIGIN])
    const { status, headers, body } = await preflight(origin)
    expect([status, body.error.code, allowed(headers)]).toEqual([403, 'FORBIDDEN', null])
  })

  test('from an origin whose keys are revoked or expired is 403', async () => {
    const origin = 'https://gone.example'
    const { id } = await newKey([origin])
    await newKey([origin], { expiresAt: new Date(app.clock.millis() + 60_000).toISOString() })
    expect((await preflight(origin)).status).toBe(204)
    await institute.owner.delete(`/api-keys/${id}`)
    expect((await preflight(origin)).status).toBe(204)
    await app.pass(61)
    expect((await preflight(origin)).status).toBe(403)
  })

  test('for any other endpoint is 404: no page of another origin may call it', async () => {
    await newKey([ORIGIN])
    expect((await preflight(ORIGIN, '/students')).status).toBe(404)
    const { headers } = await app.send('GET', '/students', { headers: { origin: ORIGIN } })
    expect(allowed(headers)).toBeNull()
  })

  test('counts against the address like every request without a credential', async () => {
    expect((await preflight(ORIGIN)).headers.get('ratelimit-limit')).toBe('1200')
  })
})

describe('a reply', () => {
  test('to a listed origin is readable by its page, with the headers that a script needs', async () => {
    const { key } = await newKey([ORIGIN])
    const { status, headers } = await app.as(key).send('POST', '/public/planted', {
      body: { name: 'Dana' },
      headers: { origin: ORIGIN },
    })
    expect([status, allowed(headers), headers.get('vary')]).toEqual([200, ORIGIN, 'Origin'])
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After')
  })

  test('that refuses is readable as well', async () => {
    const { key } = await newKey([ORIGIN])
    const send = (options: object) =>
      app.as(key).send('POST', '/public/planted', { headers: { origin: ORIGIN }, ...options })
    const invalid = await send({ body: {} })
    expect([invalid.status, allowed(invalid.headers)]).toEqual([422, ORIGIN])
    const unknown = await app.as('ims_pk_unknown').send('GET', '/public/planted', { headers: { origin: ORIGIN } })
    expect([unknown.status, allowed(unknown.headers)]).toEqual([401, ORIGIN])
  })

  test('follows the key’s own origins, whatever another key lists', async () => {
    await newKey([ORIGIN])
    const { key } = await newKey(['https://elsewhere.example'])
    const refused = await app.as(key).send('GET', '/public/planted', { headers: { origin: ORIGIN } })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
    const bare = await app.as(key).send('GET', '/public/planted')
    expect([bare.status, bare.body.error.code, allowed(bare.headers)]).toEqual([403, 'FORBIDDEN', null])
  })
})
