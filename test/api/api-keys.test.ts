import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { emailOf, mailedToken } from '#kit/sign-in.ts'
import { newApiKey } from './examples/integrations.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp({ now: '2026-03-02T08:00:00.000Z', config: { accessTokenSeconds: 86_400 } })
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const student = () => ({ branchId: institute.branchId, firstName: 'Noor', lastName: 'Haddad' })

describe('API keys', () => {
  test('the full key appears once; afterwards only its prefix', async () => {
    const { status, body } = await institute.owner.post('/api-keys', { name: 'Site', permissions: ['students.write'] })
    expect(status).toBe(201)
    const { key, ...record } = body
    expect(key).toMatch(/^ims_sk_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/)
    expect(record).toEqual({
      id: expect.any(String),
      name: 'Site',
      kind: 'secret',
      keyPrefix: key.slice(0, 15),
      permissions: ['students.write'],
      allowedOrigins: [],
      rateLimitPerMin: null,
      effectiveRateLimitPerMin: 1200,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      createdAt: app.clock.now(),
    })
    const { body: list } = await institute.owner.get('/api-keys')
    expect(list.data).toContainEqual(record)
    expect(JSON.stringify(list)).not.toContain(key)
    const audit = await app.app.database.read.selectFrom('audit_entry').selectAll().execute()
    expect(JSON.stringify(audit)).not.toContain(key)
  })

  test('a key acts with its own permissions in its institute; a change without Idempotency-Key is 428', async () => {
    const { key } = await newApiKey(institute, { permissions: ['students.write'] })
    const caller = app.as(key)
    expect((await caller.get('/students')).status).toBe(200)
    expect((await caller.get('/invoices')).body.error.code).toBe('FORBIDDEN')
    const bare = await app.send('POST', '/students', { body: student(), headers: { authorization: `Bearer ${key}` } })
    expect(bare).toMatchObject({ status: 428, body: { error: { code: 'IDEMPOTENCY_KEY_REQUIRED' } } })
    expect((await caller.post('/students', student())).status).toBe(201)
    const elsewhere = await makeInstitute(app)
    expect((await caller.get('/branches')).body.map(({ id }: { id: string }) => id)).not.toContain(elsewhere.branchId)
  })

  test('lastUsedAt is kept to the minute', async () => {
    const { key, id } = await newApiKey(institute)
    await app.as(key).get('/branches')
    const used = async () =>
      (await institute.owner.get('/api-keys')).body.data.find((one: { id: string }) => one.id === id).lastUsedAt
    await expect.poll(used).toBe(app.clock.now())
  })

  test('a revoked or expired key is 401; revoking again changes nothing', async () => {
    const { key, id } = await newApiKey(institute)
    const { body } = await institute.owner.delete(`/api-keys/${id}`)
    expect(body.revokedAt).toBe(app.clock.now())
    app.clock.advance(5)
    expect((await institute.owner.delete(`/api-keys/${id}`)).body).toEqual(body)
    expect((await app.as(key).get('/branches')).body.error.code).toBe('UNAUTHORIZED')
    const short = await newApiKey(institute, { expiresAt: '2026-03-02T09:00:00.000Z' })
    expect((await app.as(short.key).get('/branches')).status).toBe(200)
    app.clock.set('2026-03-02T09:00:00.000Z')
    expect((await app.as(short.key).get('/branches')).status).toBe(401)
  })

  test('a key cannot be granted a permission that its creator lacks: 403 PERMISSION_ESCALATION', async () => {
    const member = await institute.member({ permissions: ['integration.manage', 'students.read'] })
    expect((await member.post('/api-keys', { name: 'x', permissions: ['students.read'] })).status).toBe(201)
    const refused = await member.post('/api-keys', { name: 'x', permissions: ['students.write'] })
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'PERMISSION_ESCALATION' } } })
  })

  test.each([
    ['an unknown permission', { permissions: ['students.destroy'] }, 'permissions'],
    ['permissions of a publishable key', { kind: 'publishable', permissions: ['students.read'] }, 'permissions'],
    ['an origin with a path', { allowedOrigins: ['https://example.org/shop'] }, 'allowedOrigins'],
    ['a limit above the plan’s ceiling', { rateLimitPerMin: 6001 }, 'rateLimitPerMin'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ])('%s is 422', async (_, wrong, field) => {
    const refused = await institute.owner.post('/api-keys', { name: 'x', ...wrong })
    expect(refused.status).toBe(422)
    expect(refused.body.error.details.issues[0].path[0]).toBe(field)
  })

  test('a publishable key works only from its origins; an empty list accepts none', async () => {
    const { key } = await newApiKey(institute, { kind: 'publishable', allowedOrigins: ['https://Example.org/'] })
    expect(key).toMatch(/^ims_pk_/)
    const from = (origin: string | undefined, credential = key) =>
      app.as(credential).send('GET', '/branches', { ...(origin && { headers: { origin } }) })
    expect((await from('https://example.org')).status).toBe(200)
    expect((await from('https://evil.example')).body.error.code).toBe('FORBIDDEN')
    expect((await from(undefined)).status).toBe(403)
    const none = await newApiKey(institute, { kind: 'publishable' })
    expect((await from('https://example.org', none.key)).status).toBe(403)
  })

  test('the rate limit of a key changes at once; null restores the default', async () => {
    const { key, id } = await newApiKey(institute, { rateLimitPerMin: 1 })
    expect((await app.as(key).get('/branches')).status).toBe(200)
    expect((await app.as(key).get('/branches')).status).toBe(429)
    const { body } = await institute.owner.patch(`/api-keys/${id}`, { rateLimitPerMin: null })
    expect(body).toMatchObject({ rateLimitPerMin: null, effectiveRateLimitPerMin: 1200 })
    expect((await app.as(key).get('/branches')).status).toBe(200)
    expect((await institute.owner.patch(`/api-keys/${id}`, { rateLimitPerMin: 6001 })).status).toBe(422)
    expect((await institute.owner.patch(`/api-keys/${id}`, {})).status).toBe(422)
  })

  test('with integration_api off a secret key is 403 FEATURE_DISABLED', async () => {
    const off = await makeInstitute(app, { features: { integration_api: false } })
    const { key } = await newApiKey(off)
    expect((await app.as(key).get('/branches')).body.error.code).toBe('FEATURE_DISABLED')
  })
})

describe('Idempotency-Key', () => {
  const sent = async (credential: string, key: string, body: unknown, path = '/students') =>
    app.as(credential).send('POST', path, { body, headers: { 'idempotency-key': key } })

  test('a repeat gets the stored reply and Idempotency-Replayed: true; there is one record', async () => {
    const { key } = await newApiKey(institute, { permissions: ['students.write'] })
    const first = await sent(key, 'once', student())
    const again = await sent(key, 'once', student())
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  test('50 sends at once of one key make one record, and each is told of it or that it is being made', async () => {
    const own = await makeInstitute(app)
    const { key } = await newApiKey(own, { permissions: ['students.write'] })
    const body = { branchId: own.branchId, firstName: 'Only', lastName: 'One' }
    const replies = await Promise.all(Array.from({ length: 50 }, () => sent(key, 'parallel', body)))
    const [refused, made] = [replies.filter(({ status }) => status === 409), replies.filter((r) => r.status === 201)]
    expect(refused.length + made.length).toBe(50)
    expect(new Set(refused.map((reply) => reply.body.error.code))).toEqual(
      new Set(refused.length > 0 ? ['CONFLICT'] : []),
    )
    expect(new Set(made.map((reply) => reply.body.id)).size).toBe(1)
    expect((await app.as(key).get('/students')).body.data).toHaveLength(1)
    expect(await eventsOf(app, own, 'student.created')).toHaveLength(1)
    expect(await auditOf(app, own, 'students.create')).toHaveLength(1)
  })

  test('whoever hangs up before the answer learns it by asking again', async () => {
    const own = await makeInstitute(app)
    const { key } = await newApiKey(own, { permissions: ['students.write'] })
    const body = { branchId: own.branchId, firstName: 'Only', lastName: 'One' }
    const lost = request(`${app.url}/api/v1/students`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'lost' },
    })
    lost.on('error', () => {})
    await new Promise<void>((written) => lost.end(JSON.stringify(body), written))
    lost.destroy()
    await expect.poll(async () => (await sent(key, 'lost', body)).status).toBe(201)
    expect((await app.as(key).get('/students')).body.data).toHaveLength(1)
  })

  test('another path or body with the same key is 409 IDEMPOTENCY_KEY_REUSED, also when that body is not valid', async () => {
    const { key } = await newApiKey(institute, { permissions: ['students.write', 'guardians.write'] })
    await sent(key, 'used', student())
    for (const [body, path] of [
      [{ ...student(), firstName: 'Else' }, '/students'],
      [{}, '/students'],
      [student(), '/guardians'],
    ] as const) {
      expect((await sent(key, 'used', body, path)).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED')
    }
  })

  test('the same key of another API key is independent', async () => {
    const [a, b] = await Promise.all([
      newApiKey(institute, { permissions: ['students.write'] }),
      newApiKey(institute, { permissions: ['students.write'] }),
    ])
    const first = await sent(a.key, 'mine', student())
    const second = await sent(b.key, 'mine', { ...student(), firstName: 'Other' })
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
  })

  test('the same key of an API key of another institute is independent', async () => {
    const [here, there] = [await makeInstitute(app), await makeInstitute(app)]
    const branch = { name: 'North' }
    const replies = []
    for (const own of [here, there]) {
      const { key } = await newApiKey(own, { permissions: ['branches.manage'] })
      replies.push(await sent(key, 'mine', branch, '/branches'))
    }
    expect(replies.map(({ status, body }) => [status, body.tenantId])).toEqual([
      [201, here.tenant.id],
      [201, there.tenant.id],
    ])
  })

  test('the same key of one user is another in another of their institutes', async () => {
    const [here, there] = [await makeInstitute(app), await makeInstitute(app)]
    const { userId, sessionId } = await here.member({ permissions: ['branches.manage'] })
    await there.owner.post('/members', { email: emailOf(userId), roleId: there.roles.admin })
    await app.drain()
    await app.post('/invitations/accept', { token: mailedToken(app, emailOf(userId), 'invitation') })
    const make = async (tenantId: string) =>
      sent(await app.app.tokens.issue({ userId, sessionId, tenantId }), 'mine', { name: 'North' }, '/branches')
    for (const { tenant } of [here, there]) {
      const { status, body, headers } = await make(tenant.id)
      expect([status, body.tenantId, headers.get('idempotency-replayed')]).toEqual([201, tenant.id, null])
      expect((await make(tenant.id)).headers.get('idempotency-replayed')).toBe('true')
    }
  })

  test('a refusal with 422 is not kept, one with 404 is', async () => {
    const { key } = await newApiKey(institute, { permissions: ['students.write'] })
    expect((await sent(key, 'wrong', { ...student(), firstName: '' })).status).toBe(422)
    expect((await sent(key, 'wrong', student())).status).toBe(201)
    const nowhere = { ...student(), branchId: '0198c0de-0000-7000-8000-000000000000' }
    expect((await sent(key, 'missing', nowhere)).status).toBe(404)
    const again = await sent(key, 'missing', nowhere)
    expect(again.status).toBe(404)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await sent(key, 'missing', student())).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('after 24 hours the key is free again', async () => {
    const { key } = await newApiKey(institute, { permissions: ['students.write'] })
    const first = await sent(key, 'daily', student())
    app.clock.advance(24 * 3600)
    const next = await sent(key, 'daily', { ...student(), firstName: 'Tomorrow' })
    expect(next.status).toBe(201)
    expect(next.body.id).not.toBe(first.body.id)
  })

  test('a user token may send the header too; a reply with a secret is sealed where it is kept', async () => {
    const own = await makeInstitute(app)
    const send = () =>
      own.owner.send('POST', '/api-keys', { body: { name: 'Sealed' }, headers: { 'idempotency-key': 'sealed' } })
    const [first, again] = [await send(), await send()]
    expect(again.body.key).toBe(first.body.key)
    const kept = await app.app.database.read.selectFrom('idempotency_record').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(first.body.key)
  })
})
