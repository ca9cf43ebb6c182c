import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, cookieOf, emailOf, impersonate, PASSWORD, refreshByCookie } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute

const signIn = async (userId: string, client: 'web' | 'mobile' = 'mobile', userAgent = 'app/1.0') => {
  const reply = await app.send('POST', '/auth/login', {
    body: { email: emailOf(userId), password: PASSWORD, client },
    headers: { 'user-agent': userAgent },
  })
  return {
    ...app.as(reply.body.accessToken),
    cookie: cookieOf(reply),
    refresh: () => app.post('/auth/refresh', { refreshToken: reply.body.refreshToken }),
  }
}

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe('logout', () => {
  test('revokes the current session at once and no other', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const phone = await signIn(userId)
    const tablet = await signIn(userId)
    expect(await phone.post('/auth/logout')).toMatchObject({ status: 200, body: { ok: true } })
    expect(await phone.get('/auth/me')).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    expect((await phone.refresh()).body.error.code).toBe('SESSION_REVOKED')
    expect((await tablet.get('/auth/me')).status).toBe(200)
    expect((await tablet.refresh()).status).toBe(200)
    expect((await auditOf(app, 'auth.logout')).at(-1)).toMatchObject({
      tenant_id: institute.tenant.id,
      actor_user_id: userId,
      entity_type: 'session',
    })
  })

  test('clears the cookie of this session, but not of another one', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const one = await signIn(userId, 'web')
    const other = await signIn(userId, 'web')
    const logout = (cookie = '') =>
      one.send('POST', '/auth/logout', { headers: { cookie: `institute_refresh=${cookie}` } })
    expect(cookieOf(await logout(other.cookie))).toBeUndefined()
    expect((await refreshByCookie(app, other.cookie as string, { 'user-agent': 'app/1.0' })).status).toBe(200)
    const last = await signIn(userId, 'web')
    const cleared = await last.send('POST', '/auth/logout', { headers: { cookie: `institute_refresh=${last.cookie}` } })
    expect(cookieOf(cleared)).toBe('')
  })
})

describe('logout-all', () => {
  test('revokes every session of the user, and nobody else’s', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const bystander = await signIn((await institute.member({ role: 'student' })).userId)
    const devices = [await signIn(userId), await signIn(userId, 'web'), await signIn(userId)]
    expect(await devices[0]!.post('/auth/logout-all')).toMatchObject({ status: 200, body: { ok: true } })
    for (const device of devices) expect((await device.get('/auth/me')).status).toBe(401)
    expect((await bystander.get('/auth/me')).status).toBe(200)
    const entry = (await auditOf(app, 'auth.logout-all')).at(-1)
    expect(entry).toMatchObject({ entity_id: userId, metadata: { endedSessions: 4 } })
  })
})

describe('GET /auth/sessions', () => {
  test('is a page of the live sessions, newest first, the current one marked', async () => {
    const { userId } = await institute.member({ role: 'student' })
    app.clock.advance(1)
    const web = await signIn(userId, 'web', 'Firefox')
    const webAt = app.clock.now()
    app.clock.advance(1)
    const gone = await signIn(userId)
    app.clock.advance(1)
    const phone = await signIn(userId, 'mobile', 'app/2.0')
    const phoneAt = app.clock.now()
    await gone.post('/auth/logout')
    const { status, body } = await web.get('/auth/sessions')
    expect(status).toBe(200)
    expect(body.nextCursor).toBeNull()
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        client: 'mobile',
        ip: '127.0.0.1',
        userAgent: 'app/2.0',
        createdAt: phoneAt,
        lastUsedAt: phoneAt,
        current: false,
      },
      {
        id: expect.any(String),
        client: 'web',
        ip: '127.0.0.1',
        userAgent: 'Firefox',
        createdAt: webAt,
        lastUsedAt: webAt,
        current: true,
      },
      expect.objectContaining({ current: false, ip: null, userAgent: null }),
    ])
    app.clock.advance(60)
    await phone.refresh()
    expect((await web.get('/auth/sessions')).body.data[0]).toMatchObject({
      createdAt: phoneAt,
      lastUsedAt: app.clock.now(),
    })
  })

  test('continues with the cursor, and refuses another user’s cursor', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const device = await signIn(userId)
    await signIn(userId)
    const first = await device.get('/auth/sessions?limit=2')
    expect(first.body.data).toHaveLength(2)
    const rest = await device.get(`/auth/sessions?limit=2&cursor=${first.body.nextCursor}`)
    expect(rest.body).toMatchObject({ data: [{}], nextCursor: null })
    const foreign = await institute.owner.get(`/auth/sessions?cursor=${first.body.nextCursor}`)
    expect(foreign).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
  })

  test('does not list impersonation sessions among the user’s devices', async () => {
    const { userId, ...member } = await institute.member({ role: 'student' })
    const visitor = await impersonate(app, { userId, tenantId: institute.tenant.id })
    expect((await member.get('/auth/sessions')).body.data).toHaveLength(1)
    await member.post('/auth/logout-all')
    expect((await visitor.get('/auth/me')).status).toBe(401)
  })
})

describe('DELETE /auth/sessions/{id}', () => {
  test('ends that session at once', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const phone = await signIn(userId)
    const web = await signIn(userId, 'web')
    const { body } = await web.get('/auth/sessions')
    const id = body.data.find(({ client }: { client: string }) => client === 'mobile').id
    expect(await web.delete(`/auth/sessions/${id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await phone.get('/auth/me')).status).toBe(401)
    expect((await phone.refresh()).body.error.code).toBe('SESSION_REVOKED')
    expect((await web.delete(`/auth/sessions/${id}`)).status).toBe(404)
    expect((await auditOf(app, 'auth.end-session')).at(-1)).toMatchObject({
      entity_id: id,
      before: { id, client: 'mobile', ip: '127.0.0.1', userAgent: 'app/1.0' },
    })
  })

  test('another user’s session, or an unknown one, is 404', async () => {
    const theirs = await institute.member({ role: 'student' })
    const mine = await signIn((await institute.member({ role: 'student' })).userId)
    for (const id of [theirs.sessionId, newId()]) {
      expect(await mine.delete(`/auth/sessions/${id}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'NOT_FOUND' } },
      })
    }
    expect((await theirs.get('/auth/me')).status).toBe(200)
  })
})

describe('a platform admin who impersonates a user', () => {
  test('cannot create or end sessions, and cannot change the password or the profile', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const visitor = await impersonate(app, { userId, tenantId: institute.tenant.id })
    const phone = await signIn(userId)
    const { body } = await phone.get('/auth/sessions')
    const refusals = [
      await visitor.post('/auth/select-tenant', { tenantId: institute.tenant.id }),
      await visitor.post('/auth/logout-all'),
      await visitor.delete(`/auth/sessions/${body.data[0].id}`),
      await visitor.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: 'another phrase' }),
      await visitor.patch('/me', { fullName: 'Somebody Else' }),
    ]
    for (const reply of refusals) {
      expect(reply).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN', details: { reason: 'impersonated' } } },
      })
    }
    expect((await visitor.get('/auth/me')).status).toBe(200)
    expect((await visitor.post('/auth/logout')).status).toBe(200)
    expect((await phone.get('/auth/me')).status).toBe(200)
  })
})
