import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disableUser } from '#modules/identity/index.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { loadExamples, pathOf, worldOf, type World } from '#kit/examples.ts'
import { halfSent } from '#kit/half-sent.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { kindsOnPostgres } from '#kit/kinds.ts'
import { makePlatformAdmin } from '#kit/platform-admin.ts'
import { emailOf } from '#kit/sign-in.ts'
import { watchWrites, type Write } from '#kit/writes.ts'

/** A caller may lose access between the head and the body of a request: then the request does nothing. */

const { app: probe } = await startApp()
// A closed endpoint refuses everybody before it reads the body.
const endpoints = probe.endpoints.filter(
  ({ method, access, closed }) => method !== 'GET' && access !== 'anyone' && !closed,
)
await probe.close()
const maker = await loadExamples()

let app: TestApp
let institute: TestInstitute
let world: World
let writes: () => Promise<Write[]>

beforeAll(async () => {
  app = await startApp({ config: { registration: true } })
  institute = await makeInstitute(app)
  world = worldOf(app, institute)
  writes = await watchWrites(app)
})
afterAll(() => app.close())

const tokenOf = ({ userId, sessionId }: TestMember): Promise<string> =>
  app.app.tokens.issue({ userId, sessionId, tenantId: institute.tenant.id })

const newKey = (name: string) => ({ method: 'POST', path: '/api-keys', body: { name, permissions: ['students.read'] } })

/** Revokes the publishable key with which an example is sent. */
const revoke = async (key: string): Promise<void> => {
  const { body } = await institute.owner.get('/api-keys?limit=100')
  const { id } = body.data.find(({ keyPrefix }: { keyPrefix: string }) => key.startsWith(keyPrefix))
  expect((await institute.owner.delete(`/api-keys/${id}`)).status).toBe(200)
}

describe('a caller who signs out, or whose key is revoked, between the head and the body of a request', () => {
  test.each(kindsOnPostgres(endpoints.map((endpoint) => [endpoint.id, endpoint] as const)))(
    'gets 401 from %s, and nothing changes',
    async (_, endpoint) => {
      const example = await maker(endpoint).make(world)
      const caller =
        endpoint.access === 'platform' ? await makePlatformAdmin(app) : await institute.member({ role: 'owner' })
      const key = endpoint.access === 'publishable' ? (example.as?.credential ?? null) : null
      const reply = await halfSent(
        app.url,
        {
          method: endpoint.method,
          path: pathOf(endpoint, example),
          credential: key ?? caller.credential ?? '',
          body: example.body,
          headers: { ...example.headers, ...(key !== null && { 'idempotency-key': randomUUID() }) },
        },
        async () => {
          if (key === null) expect((await caller.post('/auth/logout')).status).toBe(200)
          else await revoke(key)
          await writes()
        },
      )
      expect(reply).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
      expect(await writes()).toEqual([])
    },
  )
})

describe('a caller who creates a key and loses access before the body arrives', () => {
  const stop: Record<string, [(member: TestMember) => Promise<unknown>, number, string]> = {
    'by having the account disabled': [
      ({ userId }) =>
        runInTransaction(app.app.runtime, systemAuditContext('test'), (unit) =>
          disableUser(unit.system(), emailOf(userId)),
        ),
      403,
      'ACCOUNT_DISABLED',
    ],
    'by having the membership disabled': [
      ({ membershipId }) => institute.owner.patch(`/members/${membershipId}`, { status: 'disabled' }),
      403,
      'MEMBERSHIP_INACTIVE',
    ],
    'by being removed': [
      ({ membershipId }) => institute.owner.delete(`/members/${membershipId}`),
      403,
      'MEMBERSHIP_INACTIVE',
    ],
    'by being given a role without the permission': [
      ({ membershipId }) =>
        institute.owner.put(`/members/${membershipId}/roles`, { roles: [{ roleId: institute.roles.front_desk }] }),
      403,
      'FORBIDDEN',
    ],
  }
  test.each(Object.entries(stop))('%s', async (how, [leave, status, code]) => {
    const admin = await institute.member({ role: 'admin' })
    const asked = { ...newKey(how), credential: await tokenOf(admin) }
    const reply = await halfSent(app.url, asked, () => leave(admin))
    expect(reply).toMatchObject({ status, body: { error: { code } } })
    const { body } = await institute.owner.get('/api-keys?limit=100')
    expect(body.data.map(({ name }: { name: string }) => name)).not.toContain(how)
  })
})

describe('an API key that ends before the body has come', () => {
  const makeKey = async (more: object = {}) =>
    (await institute.owner.post('/api-keys', { name: 'Sync', permissions: ['students.write'], ...more })).body
  const student = () => ({
    method: 'POST',
    path: '/students',
    body: { branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad' },
    headers: { 'idempotency-key': randomUUID() },
  })
  const unauthorized = { status: 401, body: { error: { code: 'UNAUTHORIZED' } } }

  test('does nothing once it is revoked', async () => {
    const { id, key } = await makeKey()
    const before = (await institute.owner.get('/students')).body
    const reply = await halfSent(app.url, { ...student(), credential: key }, () =>
      institute.owner.delete(`/api-keys/${id}`),
    )
    expect(reply).toMatchObject(unauthorized)
    expect((await institute.owner.get('/students')).body).toEqual(before)
  })

  test('does nothing once it has expired', async () => {
    const expiresAt = new Date(Date.parse(app.clock.now()) + 60_000).toISOString()
    const { key } = await makeKey({ expiresAt })
    const reply = await halfSent(app.url, { ...student(), credential: key }, async () => app.clock.advance(61))
    expect(reply).toMatchObject(unauthorized)
  })

  test('does not get the stored reply of its Idempotency-Key again', async () => {
    const { id, key } = await makeKey()
    const asked = { ...student(), credential: key }
    expect(await halfSent(app.url, asked, async () => {})).toMatchObject({ status: 201 })
    expect(await halfSent(app.url, asked, () => institute.owner.delete(`/api-keys/${id}`))).toMatchObject(unauthorized)
  })
})
