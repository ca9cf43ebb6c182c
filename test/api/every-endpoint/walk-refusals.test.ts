import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { permissionsOf } from '#http/admission/access.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { loadExamples, pathOf, sendExample as call, worldOf, type Example, type World } from '#kit/examples.ts'
import { makeInstitute, type TestMember } from '#kit/institute.ts'
import { extraEndpoints } from '#kit/extra-endpoints.ts'
import { fromWebsite } from '../examples/kinds.ts'

/**
 * Checks for every endpoint the refusals that follow from its declaration, and that are decided once the caller is
 * known, before any of its records is looked up: on one engine, because the other would do the same.
 */

let app: TestApp
let ours: World
/** A user of our institute who holds no permission. */
let powerless: TestMember

const maker = await loadExamples()

const examples = new Map<string, Promise<Example>>()
/** One example for all requests that are refused or only read, because they leave what it names as it is. */
const shared = (endpoint: Endpoint): Promise<Example> => {
  const example = examples.get(endpoint.id) ?? maker(endpoint).make(ours)
  examples.set(endpoint.id, example)
  return example
}

beforeAll(async () => {
  app = await startApp({ config: { registration: true, ...NO_LIMITS }, modules: [extraEndpoints] })
  const institute = await makeInstitute(app)
  ours = worldOf(app, institute)
  powerless = await institute.member({ permissions: [] })
  await fromWebsite(ours)
})
afterAll(() => app.close())

const { app: probe } = await startApp({ modules: [extraEndpoints] })
const each = probe.endpoints.map((endpoint) => [endpoint.id, endpoint] as const)
await probe.close()
const isOpen = ({ access }: Endpoint) => access === 'anyone' || access === 'user' || access === 'platform'
const inTenant = each.filter(([, endpoint]) => !isOpen(endpoint) && endpoint.access !== 'publishable')

describe('every endpoint', () => {
  test.each(each.filter(([, { access }]) => access !== 'anyone'))(
    '%s is 401 without a credential',
    async (_, endpoint) => {
      const reply = await call(endpoint, await shared(endpoint), app)
      expect(reply).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    },
  )

  test.each(inTenant)('%s is 403 FORBIDDEN for a user who chose no institute', async (_, endpoint) => {
    const { sessionId, userId } = powerless
    const token = await app.app.tokens.issue({ userId, sessionId, tenantId: null })
    const reply = await call(endpoint, await shared(endpoint), app.as(token))
    expect(reply).toMatchObject({ status: 403, body: { error: { details: { reason: 'tenant_not_selected' } } } })
  })

  test.each(inTenant.filter(([, endpoint]) => permissionsOf(endpoint.access).length > 0 && !endpoint.ownToo))(
    '%s is 403 FORBIDDEN for who lacks its permission, and says which one is needed',
    async (_, endpoint) => {
      const reply = await call(endpoint, await shared(endpoint), powerless)
      const details = { reason: 'permission_missing', permissions: permissionsOf(endpoint.access) }
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN', details } } })
    },
  )

  test.each(each.filter(([, { path, params }]) => path.includes('{') && Object.keys(params).length === 0))(
    '%s is 422 for a path id that is no UUID',
    async (_, endpoint) => {
      const example = await shared(endpoint)
      const params = Object.fromEntries(Object.keys(example.params ?? {}).map((name) => [name, 'not-a-uuid']))
      const reply = await call(endpoint, { ...example, params }, example.as ?? ours.owner)
      expect(reply).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
    },
  )

  test.each(each.filter(([, { body, takes }]) => body !== undefined && takes === 'json'))(
    '%s refuses a body that cannot be read or is no object',
    async (_, endpoint) => {
      const example = await shared(endpoint)
      const send = (raw: string, headers = {}) =>
        (example.as ?? ours.owner).send(endpoint.method, pathOf(endpoint, example), {
          raw,
          headers: { ...example.headers, ...headers },
        })
      const refusalAs = (code: string) => endpoint.oauthErrors?.invalid ?? expect.objectContaining({ code })
      expect((await send('{"a":')).body.error).toEqual(refusalAs('MALFORMED_REQUEST'))
      expect((await send('{}', { 'content-type': 'text/plain' })).body.error).toEqual(refusalAs('MALFORMED_REQUEST'))
      expect((await send('[1]')).body.error).toEqual(refusalAs('VALIDATION_ERROR'))
    },
  )

  test.each(each.filter(([, { takes }]) => takes !== 'json'))(
    '%s refuses a body of another media type',
    async (_, endpoint) => {
      const example = await shared(endpoint)
      for (const type of ['application/json', 'text/html', 'multipart/form-data']) {
        const headers = { ...example.headers, 'content-type': type }
        const reply = await call(endpoint, { ...example, headers }, example.as ?? ours.owner)
        const error = endpoint.oauthErrors?.invalid ?? { code: 'MALFORMED_REQUEST' }
        expect(reply, type).toMatchObject({ status: 400, body: { error } })
      }
    },
  )

  test.each(each.filter(([, { method, gives }]) => method === 'GET' && typeof gives === 'object'))(
    '%s answers HEAD as GET, without the bytes',
    async (_, endpoint) => {
      const example = await shared(endpoint)
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

  test.each(each)('%s answers a preflight only if pages of other origins may call it', async (_, endpoint) => {
    const example = await shared(endpoint)
    const reply = await app.send('OPTIONS', pathOf(endpoint, example), {
      headers: { origin: 'https://example.org', 'access-control-request-method': endpoint.method },
    })
    const mayCall = endpoint.access === 'publishable' || endpoint.anyOrigin
    expect(reply.status).toBe(mayCall ? 204 : 404)
    expect(reply.headers.has('access-control-allow-origin')).toBe(mayCall)
  })

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
