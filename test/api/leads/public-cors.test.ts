import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newApiKey } from '../examples/integrations.ts'
import { registration, SITE } from '../examples/leads.ts'

/** The institute's website as a browser sees it: what it may send, and which replies its script may read. */

let app: TestApp
let institute: TestInstitute
let key: string

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  key = (await newApiKey(institute, { kind: 'publishable', allowedOrigins: [SITE] })).key
})
afterAll(() => app.close())

const PATHS = ['/public/registrations', '/public/courses']

const preflight = (path: string, origin: string) =>
  app.send('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': path === PATHS[0] ? 'POST' : 'GET',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })

const send = (body: unknown, { origin = SITE, as = key, ...headers }: Record<string, string> = {}) =>
  app.as(as).send('POST', '/public/registrations', { body, headers: { origin, ...headers } })

const readable = (headers: Headers): string | null => headers.get('access-control-allow-origin')

describe.each(PATHS)('a preflight of %s', (path) => {
  test('is answered for the website, and allows what the form sends', async () => {
    const { status, headers } = await preflight(path, SITE)
    expect([status, readable(headers)]).toEqual([204, SITE])
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ').toSorted()
    expect(allowed).toEqual(['authorization', 'content-type', 'idempotency-key'])
    expect(headers.get('access-control-allow-methods')).toBe(path === PATHS[0] ? 'POST' : 'GET')
  })

  test('is refused for another website, and for one whose key was revoked', async () => {
    const former = 'https://former.example.org'
    const { id } = await newApiKey(institute, { kind: 'publishable', allowedOrigins: [former] })
    expect((await preflight(path, former)).status).toBe(204)
    await institute.owner.delete(`/api-keys/${id}`)
    for (const origin of [former, 'https://evil.example', 'null']) {
      const { status, headers } = await preflight(path, origin)
      expect([origin, status, readable(headers)]).toEqual([origin, 403, null])
    }
  })
})

describe('a script of the website reads', () => {
  test('the registration that it made, its repeat, and the list of courses', async () => {
    const body = registration()
    const idempotency = { 'idempotency-key': randomUUID() }
    for (const replayed of [null, 'true']) {
      const { status, headers } = await send(body, idempotency)
      expect([status, readable(headers), headers.get('idempotency-replayed')]).toEqual([201, SITE, replayed])
    }
    const courses = await app.as(key).send('GET', '/public/courses', { headers: { origin: SITE } })
    expect([courses.status, readable(courses.headers)]).toEqual([200, SITE])
  })

  test('the reason of a refusal', async () => {
    const elsewhere = await newApiKey(institute, { kind: 'publishable', allowedOrigins: ['https://other.example'] })
    const revoked = await newApiKey(institute, { kind: 'publishable', allowedOrigins: [SITE] })
    await institute.owner.delete(`/api-keys/${revoked.id}`)
    const missing = '01a20064-0000-7000-8000-000000000001'
    const met = [
      await app.as(key).send('POST', '/public/registrations', {
        raw: '{"firstName":',
        headers: { origin: SITE },
      }),
      await send(registration(), { as: revoked.key }),
      await send(registration(), { as: elsewhere.key }),
      await send({ ...registration(), courseId: missing }),
      await send({}),
      await send(registration(), { 'idempotency-key': '' }),
    ]
    expect(met.map(({ status, headers }) => [status, readable(headers)])).toEqual(
      [400, 401, 403, 404, 422, 428].map((status) => [status, SITE]),
    )
    await institute.owner.patch('/settings', { registration: { enabled: false } })
    const closed = await send(registration())
    expect([closed.body.error.code, readable(closed.headers)]).toEqual(['REGISTRATION_DISABLED', SITE])
    await institute.owner.patch('/settings', { registration: { enabled: true } })
  })

  test('when to try again', async () => {
    const page = (await newApiKey(institute, { kind: 'publishable', allowedOrigins: [SITE] })).key
    let reply = await send({}, { as: page })
    while (reply.status === 422) reply = await send({}, { as: page })
    expect([reply.status, readable(reply.headers), reply.headers.get('retry-after')]).toEqual([429, SITE, '60'])
    const exposed = reply.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit-Remaining']))
    app.clock.advance(60)
    expect((await send({}, { as: page })).status).toBe(422)
  })
})

test('a script of another website reads nothing, even if the request names a valid key', async () => {
  for (const origin of ['https://evil.example', 'null']) {
    const { status, headers } = await send(registration(), { origin })
    expect([status, readable(headers)]).toEqual([403, null])
  }
})
