import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { disableUser } from '#modules/identity/index.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, emailOf, mailedToken, PASSWORD } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe('GET and PATCH /me', () => {
  test('return the user’s own profile', async () => {
    const { userId, ...user } = await institute.member({ role: 'student' })
    const profile = {
      id: userId,
      email: emailOf(userId),
      fullName: 'Test User',
      phone: null,
      locale: 'en',
      avatarFileId: null,
      status: 'active',
      emailVerified: true,
    }
    expect(await user.get('/me')).toMatchObject({ status: 200, body: profile })
    const changed = await user.patch('/me', { fullName: '  נועה כהן ', phone: '050-123 4567', locale: 'he' })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...profile, fullName: 'נועה כהן', phone: '+972501234567', locale: 'he' })
    expect((await user.get('/me')).body).toEqual(changed.body)
    expect((await auditOf(app, 'me.update')).at(-1)).toMatchObject({
      tenant_id: institute.tenant.id,
      actor_user_id: userId,
      entity_type: 'user',
      entity_id: userId,
      before: profile,
      after: changed.body,
    })
  })

  test('omitted fields stay; null clears', async () => {
    const user = await institute.member({ role: 'student' })
    await user.patch('/me', { phone: '+972501234567', fullName: 'Kept Name' })
    expect((await user.patch('/me', {})).body).toMatchObject({ phone: '+972501234567', fullName: 'Kept Name' })
    expect((await user.patch('/me', { phone: null, avatarFileId: null })).body).toMatchObject({
      phone: null,
      avatarFileId: null,
      fullName: 'Kept Name',
    })
  })

  test('a national phone number uses the country of the active institute; without one only the international form is valid', async () => {
    const cairo = await makeInstitute(app, { timezone: 'Africa/Cairo' })
    const user = await cairo.member({ role: 'student' })
    expect((await user.patch('/me', { phone: '010 12345678' })).body.phone).toBe('+201012345678')
    const unbound = app.as(
      await app.app.tokens.issue({ userId: user.userId, sessionId: user.sessionId, tenantId: null }),
    )
    const refused = await unbound.patch('/me', { phone: '010 12345678' })
    expect(refused).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: ['phone'] }] } } } })
    expect((await unbound.patch('/me', { phone: '+972 50 123 4567' })).body.phone).toBe('+972501234567')
  })

  test('status, email, emailVerified and platform rights in the body assign nothing', async () => {
    const user = await institute.member({ role: 'student' })
    const before = (await user.get('/me')).body
    const reply = await user.patch('/me', {
      id: newId(),
      email: 'other@example.org',
      status: 'disabled',
      emailVerified: false,
      email_verified: false,
      isPlatformAdmin: true,
      is_platform_admin: true,
      passwordHash: 'x',
    })
    expect(reply).toMatchObject({ status: 200, body: before })
    const row = await app.app.database.read
      .selectFrom('user')
      .selectAll()
      .where('id', '=', user.userId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ is_platform_admin: false, status: 'active', password_hash: `plain:${PASSWORD}` })
  })

  test('an avatarFileId that is not a file is 404', async () => {
    const reply = await institute.owner.patch('/me', { avatarFileId: newId() })
    expect(reply).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
  })

  test.each([
    ['fullName', { fullName: '' }],
    ['fullName', { fullName: 'x'.repeat(201) }],
    ['phone', { phone: 'call me' }],
    ['locale', { locale: 'fr' }],
    ['avatarFileId', { avatarFileId: 'x' }],
  ])('a wrong %s is 422 at its field', async (field, body) => {
    expect(await institute.owner.patch('/me', body)).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: [field] }] } } },
    })
  })
})

describe('disabling a user on the command line', () => {
  const disable = (email: string) =>
    runInTransaction(app.app.runtime, systemAuditContext('user.disable'), (unit) => disableUser(unit.system(), email))

  test('ends their sessions and mailed links at once, refuses sign-in, and is audited', async () => {
    const { userId, ...user } = await institute.member({ role: 'student' })
    const email = emailOf(userId)
    const { body } = await app.post('/auth/login', { email, password: PASSWORD, client: 'mobile' })
    await app.post('/auth/forgot-password', { email })
    await app.drain()
    expect(await disable(email.toUpperCase())).toBe(true)
    for (const device of [user, app.as(body.accessToken)]) {
      expect((await device.get('/me')).body.error.code).toBe('ACCOUNT_DISABLED')
    }
    expect((await app.post('/auth/refresh', { refreshToken: body.refreshToken })).status).toBe(403)
    expect((await app.post('/auth/login', { email, password: PASSWORD })).body.error.code).toBe('ACCOUNT_DISABLED')
    const token = mailedToken(app, email, 'reset-password')
    expect((await app.post('/auth/reset-password', { token, newPassword: 'another phrase' })).status).toBe(401)
    expect((await auditOf(app, 'user.disable')).at(-1)).toMatchObject({
      actor_type: 'system',
      entity_id: userId,
      before: { status: 'active' },
      after: { status: 'disabled' },
    })
  })

  test('says when there is no such account', async () => {
    await expect(disable('nobody@example.org')).rejects.toThrow(
      'There is no account with the email nobody@example.org.',
    )
  })
})
