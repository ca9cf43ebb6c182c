import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { newInstitute } from '../examples/setup.ts'

let app: TestApp
const start = async (options?: TestAppOptions) => {
  app = await startApp(options)
  return newInstitute({ app, serial: 1 })
}
afterEach(() => app.close())

describe('setup', () => {
  test('GET /setup/status returns the mode and whether setup is needed', async () => {
    const body = await start()
    expect((await app.get('/setup/status')).body).toEqual({ deploymentMode: 'self_hosted', needsSetup: true })
    expect((await app.post('/setup/bootstrap', body)).status).toBe(201)
    expect((await app.get('/setup/status')).body).toEqual({ deploymentMode: 'self_hosted', needsSetup: false })
  })

  test('bootstrap answers 201, signed in to the institute, with the default branch and the owner’s role', async () => {
    const request = await start()
    const { status, body, headers } = await app.post('/setup/bootstrap', request)
    expect(status).toBe(201)
    expect(body).toEqual({
      accessToken: expect.any(String),
      user: {
        id: expect.any(String),
        email: 'owner-1@example.org',
        fullName: 'Noor Haddad',
        locale: 'ar',
        status: 'active',
        emailVerified: true,
      },
      memberships: [
        {
          membershipId: expect.any(String),
          tenantId: body.activeTenantId,
          tenantSlug: 'noor-1',
          tenantName: 'معهد النور',
          status: 'active',
          roles: [{ roleId: expect.any(String), roleName: 'مالك المعهد', roleKey: 'owner' }],
        },
      ],
      activeTenantId: expect.any(String),
    })
    expect(headers.get('set-cookie')).toMatch(
      /^institute_refresh=[\w-]{86}; path=\/api\/v1\/auth; expires=.*; samesite=strict; httponly$/,
    )
    const owner = app.as(body.accessToken)
    expect((await owner.get('/branches')).body).toMatchObject([{ isDefault: true, name: 'الفرع الرئيسي' }])
    expect((await owner.post('/branches', { name: 'Second' })).status).toBe(201)
  })

  test('a wrong setup token is 401 TOKEN_INVALID', async () => {
    const body = await start()
    const refused = await app.post('/setup/bootstrap', { ...body, setupToken: 'wrong' })
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'TOKEN_INVALID' } } })
  })

  test('once an institute exists, and in cloud mode, bootstrap is 404', async () => {
    const body = await start()
    await app.post('/setup/bootstrap', body)
    app.app.setupToken.ensure()
    const again = await app.post('/setup/bootstrap', { ...body, setupToken: app.app.setupToken.read() })
    expect(again).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    await app.close()
    const inCloud = await start({ config: { mode: 'cloud' } })
    expect((await app.post('/setup/bootstrap', inCloud)).status).toBe(404)
    expect((await app.get('/setup/status')).body).toEqual({ deploymentMode: 'cloud', needsSetup: false })
  })

  test('of two concurrent bootstraps one succeeds, the other gets 404, and there is one institute', async () => {
    const first = await start()
    const second = { ...newInstitute({ app, serial: 2 }) }
    const replies = await Promise.all([first, second].map((body) => app.post('/setup/bootstrap', body)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 404])
    const { read } = app.app.database
    expect(await read.selectFrom('tenant').select('slug').execute()).toHaveLength(1)
    expect(await read.selectFrom('user').select('email').execute()).toHaveLength(1)
  })

  test('the setup token has mode 0600 and is gone after bootstrap', async () => {
    const body = await start()
    const file = path.join(app.dataDir, 'setup-token')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await app.post('/setup/bootstrap', body)
    await app.drain()
    expect(existsSync(file)).toBe(false)
  })

  test.each([
    ['institute', 'slug', 'Not A Slug'],
    ['institute', 'timezone', 'Mars/Olympus'],
    ['institute', 'currency', 'GBP'],
    ['institute', 'defaultLocale', 'fr'],
    ['institute', 'baseUrl', 'javascript:alert(1)'],
    ['institute', 'baseUrl', 'https://noor.example.org/school'],
    ['owner', 'email', 'nobody'],
    ['owner', 'password', 'short'],
    ['owner', 'firstName', '   '],
  ] as const)('a wrong %s.%s is 422 at its field', async (part, field, value) => {
    const body = await start()
    const refused = await app.post('/setup/bootstrap', { ...body, [part]: { ...body[part], [field]: value } })
    expect(refused.status).toBe(422)
    expect(refused.body.error.details.issues).toMatchObject([{ path: [part, field] }])
  })

  test('the audit log has the entry and no secret', async () => {
    const body = await start()
    await app.post('/setup/bootstrap', body)
    const entries = await app.app.database.read.selectFrom('audit_entry').selectAll().execute()
    expect(entries.map((entry) => entry.action)).toContain('setup.bootstrap')
    expect(JSON.stringify(entries)).not.toContain(body.owner.password)
    expect(JSON.stringify(entries)).not.toContain(body.setupToken)
  })
})

describe('health', () => {
  test('live and ready answer without a credential; probes are exempt from limits', async () => {
    await start({
      config: { limits: { ...(await import('#app/config/config.ts')).DEFAULTS.limits, anonymousPerMinute: 1 } },
    })
    for (let probe = 0; probe < 5; probe += 1) {
      expect(await app.get('/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } })
    }
    expect((await app.get('/health/ready')).body).toEqual({
      status: 'ok',
      checks: { postgres: { status: 'ok' }, redis: { status: 'ok' } },
    })
  })

  test('ready is 503 with the same shape when the database does not answer', async () => {
    await start()
    await makeInstitute(app)
    await app.app.database.write((db) => db.schema.alterTable('schema_migration').renameTo('hidden').execute())
    const { status, body } = await app.get('/health/ready')
    expect(status).toBe(503)
    expect(body).toEqual({
      status: 'error',
      checks: { postgres: { status: 'error', error: 'unreachable' }, redis: { status: 'ok' } },
    })
  })
})
