import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newApiKey } from '../examples/integrations.ts'

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

  test('the refusal of an unknown permission names it, and where the list is', async () => {
    const wrong = { name: 'x', permissions: ['students.read', 'students.destroy', 'x'.repeat(5000)] }
    const { status, body } = await institute.owner.post('/api-keys', wrong)
    expect(status).toBe(422)
    expect(body.error.details.issues).toMatchObject([
      { path: ['permissions', '1'], message: expect.stringMatching(/students\.destroy.*GET \/permissions/) },
      { path: ['permissions', '2'], message: expect.stringMatching(/^.{1,200}$/) },
    ])
  })

  test.each([
    ['an unknown permission', { permissions: ['students.destroy'] }, 'permissions'],
    ['permissions of a publishable key', { kind: 'publishable', permissions: ['students.read'] }, 'permissions'],
    ['an origin with a path', { allowedOrigins: ['https://example.org/shop'] }, 'allowedOrigins'],
    ['an origin with a wildcard', { allowedOrigins: ['https://*.school.org'] }, 'allowedOrigins'],
    ['an origin with a hidden wildcard', { allowedOrigins: ['https://%2a.school.org'] }, 'allowedOrigins'],
    ['an origin with a port of any kind', { allowedOrigins: ['https://school.org:*'] }, 'allowedOrigins'],
    ['an origin with an empty label', { allowedOrigins: ['https://.school.org'] }, 'allowedOrigins'],
    ['an origin with a line break', { allowedOrigins: ['https://scho\nol.org'] }, 'allowedOrigins'],
    ['every origin', { allowedOrigins: ['*'] }, 'allowedOrigins'],
    ['the origin of no page', { allowedOrigins: ['null'] }, 'allowedOrigins'],
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
