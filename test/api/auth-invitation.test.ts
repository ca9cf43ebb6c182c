import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe('POST /invitations/accept', () => {
  test('makes the account of somebody new, with an address that counts as verified, and signs nobody in', async () => {
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
    expect(app.mails.findLast(({ to }) => to === email)?.text).toMatch(/http:\/\/localhost:0\/invitation\?token=/)
    const entry = (await auditOf(app, 'invitations.accept')).at(-1)
    expect(entry).toMatchObject({ tenant_id: institute.tenant.id, entity_id: reply.body.membershipId })
    expect(JSON.stringify(entry)).not.toContain(NEW.password)
  })

  test('somebody new needs a password and a name: 422, and the invitation stays good', async () => {
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

  test('someone who has an account keeps their password and name', async () => {
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

  test('an account that somebody registered without owning the address passes to whoever was invited', async () => {
    const email = freshEmail()
    const squatter = await app.post('/auth/register', { email, password: 'the squatter’s', fullName: 'Squatter' })
    await accept(await invite(email), NEW)
    expect((await app.as(squatter.body.accessToken).get('/auth/me')).status).toBe(401)
    expect((await login(email, 'the squatter’s')).status).toBe(401)
    expect((await login(email, NEW.password)).body.user.emailVerified).toBe(true)
  })

  test('whoever registered the address themself leaves the password out and keeps theirs', async () => {
    const email = freshEmail()
    const { body } = await app.post('/auth/register', { email, password: NEW.password, fullName: 'Own Name' })
    expect((await accept(await invite(email))).status).toBe(200)
    expect((await app.as(body.accessToken).get('/auth/me')).status).toBe(200)
    expect((await login(email, NEW.password)).body.user).toMatchObject({ fullName: 'Own Name', emailVerified: true })
  })

  test('of many at once one wins', async () => {
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
