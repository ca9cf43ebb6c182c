import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, emailOf, mailedToken, PASSWORD } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute
let made = 0

const NEW = { password: 'a phrase of my own', fullName: 'Huda Nasser' }
const freshEmail = () => {
  made += 1
  return `invited-${made}@example.org`
}
const invite = async (email: string, by: TestInstitute = institute) => {
  const { status, body } = await by.owner.post('/members', { email, roleId: by.roles.front_desk })
  expect(status, JSON.stringify(body)).toBe(201)
  await app.drain()
  return mailedToken(app, email, 'invitation')
}
const accept = (token: string, more: Record<string, unknown> = {}) =>
  app.post('/invitations/accept', { token, ...more })
const login = (email: string, password: string) => app.post('/auth/login', { email, password })

beforeAll(async () => {
  app = await startApp({ config: { registration: true } })
})
// Access tokens live 15 minutes, and one of these tests moves the clock by a week.
beforeEach(async () => {
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe('POST /invitations/accept', () => {
  test('creates the account of a new person with a verified address, and does not sign them in', async () => {
    const email = freshEmail()
    const reply = await accept(await invite(email), NEW)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      tenantId: institute.tenant.id,
      membershipId: expect.any(String),
      userId: expect.any(String),
    })
    expect(reply.headers.get('set-cookie')).toBeNull()
    const { body } = await login(email, NEW.password)
    expect(body).toMatchObject({
      user: { id: reply.body.userId, fullName: 'Huda Nasser', emailVerified: true },
      activeTenantId: institute.tenant.id,
      memberships: [{ membershipId: reply.body.membershipId, status: 'active', roles: [{ roleKey: 'front_desk' }] }],
    })
    expect(app.mails.findLast(({ to }) => to === email)?.text).toContain(
      `http://localhost:${app.app.config.port}/invitation?token=`,
    )
    const entry = (await auditOf(app, 'invitations.accept')).at(-1)
    expect(entry).toMatchObject({ tenant_id: institute.tenant.id, entity_id: reply.body.membershipId })
    expect(JSON.stringify(entry)).not.toContain(NEW.password)
  })

  test('the account of a new person speaks the language of the page on which they accept; one with a password keeps its own', async () => {
    const email = freshEmail()
    const token = await invite(email)
    await accept(token, { ...NEW, locale: 'he' })
    expect((await login(email, NEW.password)).body.user.locale).toBe('he')
    const other = await makeInstitute(app)
    expect((await accept(await invite(email, other), { locale: 'ar' })).status).toBe(200)
    expect((await login(email, NEW.password)).body.user.locale).toBe('he')
  })

  test('a new person needs a password and a name: 422, and the invitation stays valid', async () => {
    const token = await invite(freshEmail())
    for (const [field, body] of [
      ['password', { fullName: NEW.fullName }],
      ['fullName', { password: NEW.password }],
      ['password', { ...NEW, password: 'too short' }],
    ] as const) {
      expect(await accept(token, body)).toMatchObject({
        status: 422,
        body: { error: { details: { issues: [{ path: [field] }] } } },
      })
    }
    expect((await accept(token, NEW)).status).toBe(200)
  })

  test('a person with an account keeps their password and name', async () => {
    const elsewhere = await makeInstitute(app)
    const { userId } = await elsewhere.member({ role: 'teacher' })
    const email = emailOf(userId)
    expect((await accept(await invite(email), NEW)).body.userId).toBe(userId)
    expect((await login(email, NEW.password)).status).toBe(401)
    const { body } = await login(email, PASSWORD)
    expect(body.user.fullName).toBe('Test User')
    expect(body.memberships).toHaveLength(2)
    const third = await makeInstitute(app)
    expect((await accept(await invite(email, third))).status).toBe(200)
  })

  test('an account that got its password by a reset link before acceptance needs only a name', async () => {
    const email = freshEmail()
    const token = await invite(email)
    await app.post('/auth/forgot-password', { email })
    await app.drain()
    const reset = mailedToken(app, email, 'reset-password')
    await app.post('/auth/reset-password', { token: reset, newPassword: NEW.password })
    const { status, body } = await accept(token)
    expect({ status, fields: body.error.details.issues.map(({ path }: { path: string[] }) => path) }).toEqual({
      status: 422,
      fields: [['fullName']],
    })
    expect((await accept(token, { fullName: 'Huda', password: 'not taken up' })).status).toBe(200)
    expect((await login(email, NEW.password)).body.user.fullName).toBe('Huda')
  })

  test('of many concurrent acceptances one succeeds', async () => {
    const token = await invite(freshEmail())
    const replies = await Promise.all(Array.from({ length: 8 }, () => accept(token, NEW)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of replies) if (status !== 200) expect(body.error.code).toBe('INVITATION_INVALID')
  })

  test('a disabled user is 403 ACCOUNT_DISABLED', async () => {
    const elsewhere = await makeInstitute(app)
    const { userId } = await elsewhere.member({ role: 'teacher' })
    const token = await invite(emailOf(userId))
    await app.app.database.write((db) =>
      db.updateTable('user').set({ status: 'disabled' }).where('id', '=', userId).execute(),
    )
    expect(await accept(token)).toMatchObject({ status: 403, body: { error: { code: 'ACCOUNT_DISABLED' } } })
  })

  test('an unknown, used or expired token is 400 INVITATION_INVALID', async () => {
    const used = await invite(freshEmail())
    await accept(used, NEW)
    const expired = await invite(freshEmail())
    expect(await accept(used, NEW)).toMatchObject({ status: 400, body: { error: { code: 'INVITATION_INVALID' } } })
    expect((await accept('unknown', NEW)).body.error.code).toBe('INVITATION_INVALID')
    expect((await accept('', NEW)).status).toBe(422)
    app.clock.advance(7 * 24 * 3600)
    expect((await accept(expired, NEW)).body.error.code).toBe('INVITATION_INVALID')
  })
})

describe('an account whose address nobody ever confirmed', () => {
  const STRANGER = { password: 'the password of a stranger', fullName: 'Stranger' }
  /** Registers another person's address, and leaves everything that a stranger can leave in such an account. */
  const squat = async () => {
    const email = freshEmail()
    const { status, body } = await app.post('/auth/register', { email, ...STRANGER, client: 'mobile' })
    expect(status).toBe(201)
    const session = app.as(body.accessToken)
    expect((await session.patch('/me', { phone: '+972501234567' })).status).toBe(200)
    return { email, session, refreshToken: body.refreshToken as string }
  }
  const missing = { status: 422, body: { error: { details: { issues: [{ path: ['password'] }] } } } }

  test('cannot accept without a password: 422, nothing changes and the invitation stays valid', async () => {
    const { email, session } = await squat()
    const token = await invite(email)
    expect(await accept(token)).toMatchObject(missing)
    expect(await accept(token, { fullName: NEW.fullName })).toMatchObject(missing)
    expect((await session.get('/auth/me')).body).toMatchObject({
      user: { fullName: 'Stranger', emailVerified: false },
      memberships: [{ status: 'invited' }],
    })
    expect((await accept(token, NEW)).status).toBe(200)
  })

  test('then belongs to the invited person alone: the old password, sessions, name, phone and mailed links end', async () => {
    const { email, session, refreshToken } = await squat()
    await app.post('/auth/forgot-password', { email })
    await app.drain()
    const reset = mailedToken(app, email, 'reset-password')
    const verify = mailedToken(app, email, 'verify-email')
    for (let time = 0; time < 4; time += 1) await login(email, 'a guess')
    const token = await invite(email)
    expect((await accept(token, NEW)).status).toBe(200)

    expect((await session.get('/auth/me')).status).toBe(401)
    expect((await app.post('/auth/refresh', { refreshToken })).status).toBe(401)
    expect((await app.post('/auth/verify-email', { token: verify })).body.error.code).toBe('TOKEN_INVALID')
    const again = await app.post('/auth/reset-password', { token: reset, newPassword: 'a third password' })
    expect(again.body.error.code).toBe('TOKEN_INVALID')
    expect((await login(email, STRANGER.password)).status).toBe(401)
    const { status, body } = await login(email, NEW.password)
    expect({ status, user: body.user }).toMatchObject({
      status: 200,
      user: { fullName: NEW.fullName, emailVerified: true },
    })
    expect((await app.as(body.accessToken).get('/me')).body.phone).toBeNull()
  })

  test('keeps its name when no name is sent', async () => {
    const { email } = await squat()
    expect((await accept(await invite(email), { password: NEW.password })).status).toBe(200)
    expect((await login(email, NEW.password)).body.user.fullName).toBe('Stranger')
  })

  test('that two institutes invited gets the password of the acceptance that came first, concurrent or not', async () => {
    const { email } = await squat()
    const tokens = [await invite(email), await invite(email, await makeInstitute(app))]
    const replies = await Promise.all(
      tokens.map((token, n) => accept(token, { password: `the password number ${n}`, fullName: `Name ${n}` })),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const logins = [await login(email, 'the password number 0'), await login(email, 'the password number 1')]
    expect(logins.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const first = logins.findIndex(({ status }) => status === 200)
    expect(logins[first]?.body).toMatchObject({
      user: { fullName: `Name ${first}` },
      memberships: [{ status: 'active' }, { status: 'active' }],
    })
  })

  test('leaves no session to a stranger who signs in or refreshes at the same moment', async () => {
    const { email, refreshToken } = await squat()
    const token = await invite(email)
    const [accepted, ...strangers] = await Promise.all([
      accept(token, NEW),
      app.post('/auth/login', { email, password: STRANGER.password, client: 'mobile' }),
      app.post('/auth/refresh', { refreshToken }),
    ])
    expect(accepted.status).toBe(200)
    for (const { status, body } of strangers) {
      if (status === 200) expect((await app.as(body.accessToken).get('/auth/me')).status).toBe(401)
      if (status === 200) expect((await app.post('/auth/refresh', body)).status).toBe(401)
    }
  })

  test('of a platform admin follows the same rules', async () => {
    const { email, session } = await squat()
    await app.app.database.write((db) =>
      db.updateTable('user').set({ is_platform_admin: true }).where('email_key', '=', email).execute(),
    )
    const token = await invite(email)
    expect(await accept(token)).toMatchObject(missing)
    expect((await accept(token, NEW)).status).toBe(200)
    expect((await session.get('/auth/me')).status).toBe(401)
  })

  test('reveals nothing without the token: an unknown token is 400, whatever else is sent', async () => {
    for (const more of [{}, NEW]) expect((await accept('unknown', more)).body.error.code).toBe('INVITATION_INVALID')
  })
})
