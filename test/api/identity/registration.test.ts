import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { sweepIdentityJob } from '#modules/identity/jobs.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute } from '#kit/institute.ts'
import { auditOf, cookieOf, emailOf, mailedToken } from '#kit/sign-in.ts'

let app: TestApp
let cloud: TestApp
let made = 0

const person = (more: Record<string, unknown> = {}) => {
  made += 1
  return { email: `new-${made}@example.org`, password: 'a long enough phrase', fullName: 'Maha Saleh', ...more }
}
const tenant = (more: Record<string, unknown> = {}) => ({ slug: `academy-${made}`, name: 'Academy', ...more })
const open = { registration: true }

beforeAll(async () => {
  app = await startApp({ config: open })
  cloud = await startApp({ config: { ...open, mode: 'cloud' } })
})
afterAll(() => Promise.all([app.close(), cloud.close()]))

describe('POST /auth/register', () => {
  test('is 403 REGISTRATION_DISABLED unless the deployment allows it', async () => {
    const closed = await startApp()
    for (const body of [person(), {}, 'no person at all']) {
      expect(await closed.post('/auth/register', body)).toMatchObject({
        status: 403,
        body: { error: { code: 'REGISTRATION_DISABLED' } },
      })
    }
    await closed.close()
  })

  test('answers 201 as login, with an address that is not verified yet', async () => {
    const body = person({ locale: 'he' })
    const reply = await app.post('/auth/register', body)
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      accessToken: expect.any(String),
      user: {
        id: expect.any(String),
        email: body.email,
        fullName: 'Maha Saleh',
        locale: 'he',
        status: 'active',
        emailVerified: false,
      },
      memberships: [],
      activeTenantId: null,
    })
    expect(cookieOf(reply)).toMatch(/^[\w-]{86}$/)
    expect((await app.as(reply.body.accessToken).get('/me')).body.fullName).toBe('Maha Saleh')
    expect((await app.post('/auth/login', { email: body.email, password: body.password })).status).toBe(200)
    const entry = (await auditOf(app, 'auth.register')).at(-1)
    expect(entry).toMatchObject({ entity_type: 'user', entity_id: reply.body.user.id })
    expect(JSON.stringify(entry)).not.toContain(body.password)
  })

  test('an app gets its refresh token in the body; the language is en when nobody says one', async () => {
    const { body } = await app.post('/auth/register', person({ client: 'mobile' }))
    expect((await app.post('/auth/refresh', { refreshToken: body.refreshToken })).status).toBe(200)
    expect(body.user.locale).toBe('en')
  })

  test('fields that the schema does not name assign nothing', async () => {
    const { body } = await app.post(
      '/auth/register',
      person({ status: 'disabled', emailVerified: true, isPlatformAdmin: true, is_platform_admin: true, id: 'x' }),
    )
    expect(body.user).toMatchObject({ status: 'active', emailVerified: false })
    const user = await app.app.database.read
      .selectFrom('user')
      .select('is_platform_admin')
      .where('id', '=', body.user.id)
      .executeTakeFirstOrThrow()
    expect(user.is_platform_admin).toBe(false)
  })

  test('an address with an account is 409, in any case; of two concurrent requests one succeeds', async () => {
    const body = person()
    const replies = await Promise.all([
      app.post('/auth/register', body),
      app.post('/auth/register', { ...body, email: body.email.toUpperCase() }),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect((await app.post('/auth/register', body)).body.error.code).toBe('CONFLICT')
  })

  test('an invited address is 409 too: the invitation creates the account', async () => {
    const institute = await makeInstitute(app)
    const body = person()
    await institute.owner.post('/members', { email: body.email, roleId: institute.roles.teacher })
    expect((await app.post('/auth/register', body)).status).toBe(409)
  })

  test.each([
    ['email', { email: 'nobody' }],
    ['password', { password: '123456789' }],
    ['fullName', { fullName: ' ' }],
    ['locale', { locale: 'fr' }],
  ])('a wrong %s is 422 at its field', async (field, wrong) => {
    expect(await app.post('/auth/register', person(wrong))).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: [field] }] } } },
    })
  })

  test('counts against the logins of the address', async () => {
    const limited = await startApp({
      config: { ...open, limits: { ...DEFAULTS.limits, loginPerMinuteOfAddress: 1 } },
    })
    expect((await limited.post('/auth/register', person())).status).toBe(201)
    expect((await limited.post('/auth/register', person())).body.error.code).toBe('RATE_LIMITED')
    expect((await limited.post('/auth/forgot-password', { email: 'a@example.org' })).status).toBe(429)
    await limited.close()
  })
})

describe('with tenant', () => {
  test('the caller becomes the owner of a new institute with its roles and default branch, and works in it', async () => {
    const body = person()
    const wanted = tenant({ defaultLocale: 'ar', timezone: 'Africa/Cairo', currency: 'USD' })
    const reply = await cloud.post('/auth/register', { ...body, tenant: wanted })
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({
      user: { locale: 'ar' },
      activeTenantId: expect.any(String),
      memberships: [
        {
          tenantId: reply.body.activeTenantId,
          tenantSlug: wanted.slug,
          tenantName: 'Academy',
          status: 'active',
          roles: [{ roleKey: 'owner' }],
        },
      ],
    })
    const owner = cloud.as(reply.body.accessToken)
    expect((await owner.get('/branches')).body).toMatchObject([{ isDefault: true, name: 'الفرع الرئيسي' }])
    expect((await owner.get('/settings')).body).toMatchObject({
      name: 'Academy',
      defaultLocale: 'ar',
      timezone: 'Africa/Cairo',
      currency: 'USD',
    })
    expect((await owner.get('/auth/me')).body.permissions).toHaveLength(37)
    const stored = await cloud.app.database.read
      .selectFrom('tenant')
      .select('deployment_mode')
      .where('slug', '=', wanted.slug)
      .executeTakeFirstOrThrow()
    expect(stored.deployment_mode).toBe('cloud')
  })

  test('language, timezone and currency have defaults', async () => {
    const body = person({ locale: 'he' })
    const { body: signedIn } = await cloud.post('/auth/register', { ...body, tenant: tenant() })
    expect((await cloud.as(signedIn.accessToken).get('/settings')).body).toMatchObject({
      defaultLocale: 'he',
      timezone: 'Asia/Jerusalem',
      currency: 'ILS',
    })
  })

  test('a taken slug is 409 TENANT_SLUG_TAKEN and creates nothing; of two concurrent requests one succeeds', async () => {
    const shared = person()
    const wanted = tenant()
    const replies = await Promise.all([
      cloud.post('/auth/register', { ...shared, tenant: wanted }),
      cloud.post('/auth/register', { ...person(), tenant: wanted }),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const late = person()
    const refused = await cloud.post('/auth/register', {
      ...late,
      tenant: { ...wanted, slug: wanted.slug.toUpperCase() },
    })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'TENANT_SLUG_TAKEN' } } })
    expect((await cloud.post('/auth/register', late)).status).toBe(201)
  })

  test('on a self-hosted install it is 422: it has only one institute', async () => {
    const body = person()
    expect(await app.post('/auth/register', { ...body, tenant: tenant() })).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: ['tenant'] }] } } },
    })
    expect((await app.post('/auth/register', body)).status).toBe(201)
  })
})

describe('verifying the email address', () => {
  const registered = async () => {
    const body = person()
    const reply = await app.post('/auth/register', body)
    await app.drain()
    return {
      email: body.email,
      user: app.as(reply.body.accessToken),
      token: mailedToken(app, body.email, 'verify-email'),
    }
  }
  const verify = (token: string) => app.post('/auth/verify-email', { token })

  test('registering mails the link {base}/verify-email?token=…, which verifies once', async () => {
    const { email, user, token } = await registered()
    const mail = app.mails.findLast(({ to }) => to === email)
    expect(mail?.text).toContain(`http://localhost:${app.app.config.port}/verify-email?token=${token}`)
    expect((await user.get('/me')).body.emailVerified).toBe(false)
    expect(await verify(token)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await user.get('/me')).body.emailVerified).toBe(true)
    expect(await verify(token)).toMatchObject({ status: 401, body: { error: { code: 'TOKEN_INVALID' } } })
    expect((await auditOf(app, 'auth.verify-email')).at(-1)).toMatchObject({
      before: { emailVerified: false },
      after: { emailVerified: true },
    })
  })

  test('a token is valid for 24 hours', async () => {
    const { token } = await registered()
    app.clock.advance(24 * 3600 - 1)
    expect((await verify(token)).status).toBe(200)
    const late = await registered()
    app.clock.advance(24 * 3600)
    expect((await verify(late.token)).body.error.code).toBe('TOKEN_INVALID')
    expect((await verify('unknown')).body.error.code).toBe('TOKEN_INVALID')
  })

  test('resend-verification is always Ok and mails a new link, which invalidates the older one', async () => {
    const { email, token } = await registered()
    expect(await app.post('/auth/resend-verification', { email })).toMatchObject({ status: 200, body: { ok: true } })
    await app.drain()
    const newer = mailedToken(app, email, 'verify-email')
    expect(newer).not.toBe(token)
    expect((await verify(token)).body.error.code).toBe('TOKEN_INVALID')
    expect((await verify(newer)).status).toBe(200)
  })

  test('no mail goes to an unknown address, nor to one that is verified already', async () => {
    const institute = await makeInstitute(app)
    const mails = app.mails.length
    for (const email of ['nobody@example.org', emailOf(institute.ownerUserId)]) {
      expect((await app.post('/auth/resend-verification', { email })).body).toEqual({ ok: true })
    }
    await app.drain()
    expect(app.mails).toHaveLength(mails)
  })

  test('expired tokens are deleted', async () => {
    await registered()
    app.clock.advance(24 * 3600)
    const { runInTransaction } = await import('#runtime/change/transaction.ts')
    const { systemAuditContext } = await import('#runtime/change/audit-context.ts')
    await runInTransaction(app.app.runtime, systemAuditContext('test.tick'), async (unit) =>
      unit.system().enqueue(sweepIdentityJob, {}),
    )
    await app.drain()
    expect(await app.app.database.read.selectFrom('email_token').select('kind').execute()).toEqual([])
  })
})
