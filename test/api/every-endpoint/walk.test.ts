import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { loadExamples, sendExample as call, worldOf, type Example, type World } from '#kit/examples.ts'
import { makeInstitute } from '#kit/institute.ts'
import { extraEndpoints } from '#kit/extra-endpoints.ts'

/**
 * Checks for every endpoint what follows from its declaration: that its example works, and is refused in another branch.
 * Other refusals are in walk-refusals.test.ts.
 */

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
  app = await startApp({ config: { registration: true }, modules: [extraEndpoints] })
  const institute = await makeInstitute(app)
  ours = worldOf(app, institute)
  const { body } = await institute.owner.post('/branches', { name: 'Elsewhere' })
  elsewhere = worldOf(app, institute, body.id)
})
afterAll(() => app.close())

const { app: probe } = await startApp({ modules: [extraEndpoints] })
const endpoints = [...probe.endpoints]
await probe.close()
const each = endpoints.map((endpoint) => [endpoint.id, endpoint] as const)
const isInTenant = (endpoint: Endpoint) => !isOpen(endpoint) && endpoint.access !== 'publishable'

describe('every endpoint', () => {
  test('has a unique id and a unique address', () => {
    expect(new Set(endpoints.map(({ id }) => id)).size).toBe(endpoints.length)
    expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(endpoints.length)
  })

  test.each(each)('%s refuses another branch’s ids with 404, and answers its example', async (_, endpoint) => {
    const { make, branchless } = maker(endpoint)
    let example = await make(ours)
    const [permission] = isInTenant(endpoint) ? permissionsOf(endpoint) : []
    if (permission !== undefined) {
      const member = await ours.institute.member({ permissions: [permission], branchId: elsewhere.branchId })
      const reply = await call(endpoint, example, member)
      if (endpoint.wholeTenant || (reply.status === 403 && branchless === undefined)) {
        expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
      } else if (reply.status === 200 && reply.body.refused) {
        // It answers for each of many records.
        expect(reply.body).toMatchObject({ done: [], refused: [{ id: expect.any(String), reason: 'not_found' }] })
      } else if (branchless === undefined && namesRecords(example)) {
        expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
      } else if (endpoint.method === 'GET') {
        expect([200, 403]).toContain(reply.status)
      }
      // What is refused leaves the example as it is.
      if (reply.status < 400 && endpoint.method !== 'GET') example = await make(ours)
    }
    const reply = await call(endpoint, example, example.as ?? ours.owner)
    expect([endpoint.status, ...endpoint.otherStatuses], JSON.stringify(reply.body)).toContain(reply.status)
  })
})
