import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/endpoint.ts'
import type { Permission } from '#kernel/permissions.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { fromWebsite } from './examples/kinds.ts'
import { loadExamples, pathOf, sendExample as call, worldOf, type Example, type World } from '#kit/examples.ts'
import { makeInstitute } from '#kit/institute.ts'
import { otherKinds } from '#kit/other-kinds.ts'

/** Checks for every endpoint what follows from its declaration. */

let app: TestApp
let ours: World
/** A second branch of our institute. */
let elsewhere: World

const maker = await loadExamples()

const isOpen = ({ access }: Endpoint) => access === 'anyone' || access === 'user' || access === 'platform'
const permissionsOf = ({ access }: Endpoint): Permission[] =>
  typeof access === 'string' ? (access.includes('.') ? [access as Permission] : []) : [...access]

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether the example names a record of its world, in its path or its body. */
const namesRecords = (example: Example): boolean =>
  Object.values(example.params ?? {}).some((value) => UUID.test(value)) ||
  /"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/.test(JSON.stringify(example.body ?? null))

beforeAll(async () => {
  app = await startApp({ config: { registration: true }, modules: [otherKinds] })
  const institute = await makeInstitute(app)
  ours = worldOf(app, institute)
  const { body } = await institute.owner.post('/branches', { name: 'Elsewhere' })
  elsewhere = worldOf(app, institute, body.id)
})
afterAll(() => app.close())

const { app: probe } = await startApp({ modules: [otherKinds] })
const endpoints = [...probe.endpoints]
await probe.close()
const each = endpoints.map((endpoint) => [endpoint.id, endpoint] as const)
const inTenant = each.filter(([, endpoint]) => !isOpen(endpoint) && endpoint.access !== 'publishable')

describe('every endpoint', () => {
  test('has a unique id and a unique address', () => {
    expect(new Set(endpoints.map(({ id }) => id)).size).toBe(endpoints.length)
    expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(endpoints.length)
  })

  test.each(each)('%s answers its example with its success status', async (_, endpoint) => {
    const example = await maker(endpoint).make(ours)
    const reply = await call(endpoint, example, example.as ?? ours.owner)
    expect([endpoint.status, ...endpoint.otherStatuses], JSON.stringify(reply.body)).toContain(reply.status)
  })

  test.each(each.filter(([, { access }]) => access !== 'anyone'))(
    '%s is 401 without a credential',
    async (_, endpoint) => {
      const reply = await call(endpoint, await maker(endpoint).make(ours), app)
      expect(reply).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    },
  )

  test.each(inTenant)('%s is 403 FORBIDDEN for a user who chose no institute', async (_, endpoint) => {
    const { sessionId, userId } = await ours.institute.member({ permissions: [] })
    const token = await app.app.tokens.issue({ userId, sessionId, tenantId: null })
    const reply = await call(endpoint, await maker(endpoint).make(ours), app.as(token))
    expect(reply).toMatchObject({ status: 403, body: { error: { details: { reason: 'tenant_not_selected' } } } })
  })

  test.each(inTenant.filter(([, endpoint]) => permissionsOf(endpoint).length > 0 && !endpoint.ownToo))(
    '%s is 403 FORBIDDEN for who lacks its permission, and says which one is needed',
    async (_, endpoint) => {
      const member = await ours.institute.member({ permissions: [] })
      const reply = await call(endpoint, await maker(endpoint).make(ours), member)
      const details = { reason: 'permission_missing', permissions: permissionsOf(endpoint) }
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN', details } } })
    },
  )

  test.each(each.filter(([, { path, params }]) => path.includes('{') && Object.keys(params).length === 0))(
    '%s is 422 for a path id that is no UUID',
    async (_, endpoint) => {
      const example = await maker(endpoint).make(ours)
      const params = Object.fromEntries(Object.keys(example.params ?? {}).map((name) => [name, 'not-a-uuid']))
      const reply = await call(endpoint, { ...example, params }, example.as ?? ours.owner)
      expect(reply).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
    },
  )

  test.each(each.filter(([, { body, takes }]) => body !== undefined && takes === 'json'))(
    '%s refuses a body that cannot be read or is no object',
    async (_, endpoint) => {
      const example = await maker(endpoint).make(ours)
      const send = (raw: string, headers = {}) =>
        (example.as ?? ours.owner).send(endpoint.method, pathOf(endpoint, example), {
          raw,
          headers: { ...example.headers, ...headers },
        })
      expect((await send('{"a":')).body.error).toMatchObject({ code: 'MALFORMED_REQUEST' })
      expect((await send('{}', { 'content-type': 'text/plain' })).body.error).toMatchObject({
        code: 'MALFORMED_REQUEST',
      })
      expect((await send('[1]')).body.error).toMatchObject({ code: 'VALIDATION_ERROR' })
    },
  )

  test.each(each.filter(([, { takes }]) => takes !== 'json'))(
    '%s refuses a body of another media type',
    async (_, endpoint) => {
      const example = await maker(endpoint).make(ours)
      for (const type of ['application/json', 'text/html', 'multipart/form-data']) {
        const headers = { ...example.headers, 'content-type': type }
        const reply = await call(endpoint, { ...example, headers }, example.as ?? ours.owner)
        expect(reply, type).toMatchObject({ status: 400, body: { error: { code: 'MALFORMED_REQUEST' } } })
      }
    },
  )

  test.each(each.filter(([, { method, gives }]) => method === 'GET' && typeof gives === 'object'))(
    '%s answers HEAD as GET, without the bytes',
    async (_, endpoint) => {
      const example = await maker(endpoint).make(ours)
      const client = example.as ?? ours.owner
      const whole = await call(endpoint, example, client)
      const head = await client.send('HEAD', pathOf(endpoint, example), { headers: example.headers ?? {} })
      expect([head.status, head.body]).toEqual([200, undefined])
      // Live figures differ from one request to the next.
      if (endpoint.id === 'metrics.read') return
      for (const name of ['content-type', 'content-length', 'etag'])
        expect(head.headers.get(name), name).toBe(whole.headers.get(name))
    },
  )

  test.each(each)('%s answers a preflight only if it takes a publishable key', async (_, endpoint) => {
    const example = await maker(endpoint).make(ours)
    await fromWebsite(ours)
    const reply = await app.send('OPTIONS', pathOf(endpoint, example), {
      headers: { origin: 'https://example.org', 'access-control-request-method': endpoint.method },
    })
    expect(reply.status).toBe(endpoint.access === 'publishable' ? 204 : 404)
    expect(reply.headers.has('access-control-allow-origin')).toBe(endpoint.access === 'publishable')
  })

  test.each(inTenant.filter(([, endpoint]) => permissionsOf(endpoint).length > 0))(
    '%s refuses another branch’s ids with 404',
    async (_, endpoint) => {
      const { make, branchless } = maker(endpoint)
      const [permission] = permissionsOf(endpoint) as [Permission]
      const member = await ours.institute.member({ permissions: [permission], branchId: elsewhere.branchId })
      const example = await make(ours)
      const reply = await call(endpoint, example, member)
      if (endpoint.wholeTenant || (reply.status === 403 && branchless === undefined)) {
        expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
      } else if (branchless === undefined && namesRecords(example)) {
        expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
      } else if (endpoint.method === 'GET') {
        expect([200, 403]).toContain(reply.status)
      }
    },
  )

  test.each(inTenant.filter(([, { flag }]) => flag !== undefined))(
    '%s is 403 FEATURE_DISABLED with its flag off',
    async (_, endpoint) => {
      const institute = await makeInstitute(app)
      const example = await maker(endpoint).make(worldOf(app, institute))
      await institute.owner.patch('/feature-flags', { [endpoint.flag as string]: false })
      const reply = await call(endpoint, example, institute.owner)
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FEATURE_DISABLED' } } })
    },
  )
})
