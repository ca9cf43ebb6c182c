import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, emailOf, mailedToken, PASSWORD } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute

const NEW = 'another phrase'

const login = (userId: string, password = PASSWORD) =>
  app.post('/auth/login', { email: emailOf(userId), password, client: 'mobile' })
const signIn = async (userId: string) => {
  const { body } = await login(userId)
  return { ...app.as(body.accessToken), refreshToken: body.refreshToken as string }
}
const forgot = async (email: string) => {
  const reply = await app.post('/auth/forgot-password', { email })
  await app.drain()
  return reply
}
const reset = (token: string, newPassword = NEW) => app.post('/auth/reset-password', { token, newPassword })
const linkFor = async (userId: string) => {
  await forgot(emailOf(userId))
  return mailedToken(app, emailOf(userId), 'reset-password')
}

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe('POST /auth/change-password', () => {
  test('sets the new password and revokes all other sessions', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const here = await signIn(userId)
    const there = await signIn(userId)
    const reply = await here.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW })
    expect(reply).toMatchObject({ status: 200, body: { ok: true } })
    expect((await here.get('/auth/me')).status).toBe(200)
    expect((await app.post('/auth/refresh', { refreshToken: here.refreshToken })).status).toBe(200)
    expect((await there.get('/auth/me')).status).toBe(401)
    expect((await login(userId)).status).toBe(401)
    expect((await login(userId, NEW)).status).toBe(200)
    const entry = (await auditOf(app, 'auth.change-password')).at(-1)
    expect(entry).toMatchObject({ tenant_id: institute.tenant.id, actor_user_id: userId, entity_id: userId })
    expect(JSON.stringify(entry)).not.toContain(NEW)
  })

  test('a wrong current password is 401 INVALID_CREDENTIALS; five close this to the session, and to nothing else', async () => {
    const { userId, ...user } = await institute.member({ role: 'student' })
    const guess = () => user.post('/auth/change-password', { currentPassword: 'wrong', newPassword: NEW })
    for (let time = 0; time < 5; time += 1) {
      expect(await guess()).toMatchObject({ status: 401, body: { error: { code: 'INVALID_CREDENTIALS' } } })
    }
    expect(await guess()).toMatchObject({ status: 423, body: { error: { code: 'ACCOUNT_LOCKED' } } })
    expect((await user.get('/auth/me')).status).toBe(200)
    const elsewhere = await signIn(userId)
    const change = { currentPassword: PASSWORD, newPassword: NEW }
    expect(await user.post('/auth/change-password', change)).toMatchObject({ status: 423 })
    expect(await elsewhere.post('/auth/change-password', change)).toMatchObject({ status: 200 })
  })

  test.each([
    ['newPassword', { currentPassword: PASSWORD, newPassword: '123456789' }],
    ['currentPassword', { currentPassword: '', newPassword: NEW }],
  ])('%s of a wrong length is 422', async (field, body) => {
    const reply = await institute.owner.post('/auth/change-password', body)
    expect(reply).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: [field] }] } } } })
  })

  test('of two concurrent changes of the same password, one succeeds', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const devices = [await signIn(userId), await signIn(userId)]
    const replies = await Promise.all(
      devices.map((device, index) =>
        device.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: `${NEW} ${index}` }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(1)
  })

  test('invalidates a link that was mailed before', async () => {
    const { userId, ...user } = await institute.member({ role: 'student' })
    const token = await linkFor(userId)
    await user.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW })
    expect((await reset(token, 'what a thief wants')).body.error.code).toBe('TOKEN_INVALID')
  })
})

describe('POST /auth/forgot-password', () => {
  test('is Ok whether or not the email exists, and sends a mail only if there is an account', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const known = await forgot(emailOf(userId).toUpperCase())
    const mails = app.mails.length
    const unknown = await forgot('nobody@example.org')
    expect(known).toMatchObject({ status: 200, body: { ok: true } })
    expect(unknown).toMatchObject({ status: 200, body: { ok: true } })
    expect(app.mails).toHaveLength(mails)
    expect(app.mails.findLast(({ to }) => to === emailOf(userId))).toMatchObject({ to: emailOf(userId), locale: 'en' })
    expect((await app.post('/auth/forgot-password', { email: 'x' })).status).toBe(422)
  })

  test('does the same work in both cases before the reply', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const jobs = async () => (await app.app.database.read.selectFrom('job').select('kind').execute()).length
    const before = await jobs()
    await app.post('/auth/forgot-password', { email: emailOf(userId) })
    const between = await jobs()
    await app.post('/auth/forgot-password', { email: 'nobody@example.org' })
    expect(between - before).toBe(1)
    expect((await jobs()) - between).toBe(1)
    expect(
      await app.app.database.read.selectFrom('email_token').select('kind').where('user_id', '=', userId).execute(),
    ).toEqual([])
    await app.drain()
  })

  test('the link is {base}/reset-password?token=… in the language of the user', async () => {
    const { userId, ...user } = await institute.member({ role: 'student' })
    await user.patch('/me', { locale: 'ar' })
    const token = await linkFor(userId)
    const mail = app.mails.findLast(({ to }) => to === emailOf(userId))
    expect(mail).toMatchObject({ locale: 'ar', subject: 'اختيار كلمة مرور جديدة' })
    expect(mail?.text).toContain(`http://localhost:${app.app.config.port}/reset-password?token=${token}`)
    expect(mail?.html).toContain('<html lang="ar" dir="rtl">')
  })

  test('a disabled user gets no mail', async () => {
    const { userId } = await institute.member({ role: 'student' })
    await app.app.database.write((db) =>
      db.updateTable('user').set({ status: 'disabled' }).where('id', '=', userId).execute(),
    )
    const mails = app.mails.length
    expect((await forgot(emailOf(userId))).status).toBe(200)
    expect(app.mails).toHaveLength(mails)
  })

  test('one address gets at most ten mails an hour, and the reply is Ok all the same', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const mails = app.mails.length
    for (let time = 0; time < 12; time += 1) expect((await forgot(emailOf(userId))).status).toBe(200)
    expect(app.mails).toHaveLength(mails + 10)
    app.clock.advance(3600)
    await forgot(emailOf(userId))
    expect(app.mails).toHaveLength(mails + 11)
  })
})

describe('POST /auth/reset-password', () => {
  test('sets the password, revokes every session, and confirms the address that the link was sent to', async () => {
    const { userId } = await institute.member({ role: 'student' })
    await app.app.database.write((db) =>
      db.updateTable('user').set({ email_verified: false }).where('id', '=', userId).execute(),
    )
    const device = await signIn(userId)
    expect(await reset(await linkFor(userId))).toMatchObject({ status: 200, body: { ok: true } })
    expect((await device.get('/auth/me')).status).toBe(401)
    expect((await login(userId)).status).toBe(401)
    expect((await login(userId, NEW)).body.user.emailVerified).toBe(true)
    const entry = (await auditOf(app, 'auth.reset-password')).at(-1)
    expect(entry).toMatchObject({ entity_type: 'user', entity_id: userId })
    expect(JSON.stringify(entry)).not.toContain(NEW)
  })

  test('gives an account its first password', async () => {
    const { userId } = await institute.member({ role: 'student' })
    await app.app.database.write((db) =>
      db.updateTable('user').set({ password_hash: null }).where('id', '=', userId).execute(),
    )
    expect((await reset(await linkFor(userId))).status).toBe(200)
    expect((await login(userId, NEW)).status).toBe(200)
  })

  test('a token works once; of many concurrent requests one succeeds', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const token = await linkFor(userId)
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => reset(token, `${NEW} ${index}`)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of replies) if (status !== 200) expect(body.error.code).toBe('TOKEN_INVALID')
    expect(await reset(token)).toMatchObject({ status: 401, body: { error: { code: 'TOKEN_INVALID' } } })
  })

  test('a token lives 1 hour', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const token = await linkFor(userId)
    app.clock.advance(3599)
    expect((await reset(token)).status).toBe(200)
    const late = await linkFor(userId)
    app.clock.advance(3600)
    expect((await reset(late)).body.error.code).toBe('TOKEN_INVALID')
  })

  test('only the newest token works', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const older = await linkFor(userId)
    const newer = await linkFor(userId)
    expect((await reset(older)).body.error.code).toBe('TOKEN_INVALID')
    expect((await reset(newer)).status).toBe(200)
  })

  test('an unknown token, or one for verifying an email, is 401 TOKEN_INVALID', async () => {
    const { userId } = await institute.member({ role: 'student' })
    await app.app.database.write((db) =>
      db.updateTable('user').set({ email_verified: false }).where('id', '=', userId).execute(),
    )
    await app.post('/auth/resend-verification', { email: emailOf(userId) })
    await app.drain()
    expect((await reset('unknown')).body.error.code).toBe('TOKEN_INVALID')
    expect((await reset(mailedToken(app, emailOf(userId), 'verify-email'))).body.error.code).toBe('TOKEN_INVALID')
    expect((await reset('unknown', 'short')).status).toBe(422)
  })

  test('neither the database nor the queue holds the token in clear', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const token = await linkFor(userId)
    const { read } = app.app.database
    const rows = [
      await read.selectFrom('job').selectAll().execute(),
      await read.selectFrom('email_token').selectAll().execute(),
      await read.selectFrom('audit_entry').selectAll().execute(),
    ]
    expect(JSON.stringify(rows)).toContain('mail.send')
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('a sign-in that was checked against the old password during the reset fails', async () => {
    const real = createArgon2Passwords()
    let meanwhile: () => Promise<unknown> = async () => {}
    const slow = await startApp({
      passwords: {
        ...real,
        verify: async (hash, password) => {
          const matches = await real.verify(hash, password)
          await meanwhile()
          return matches
        },
      },
    })
    const { userId } = await (await makeInstitute(slow)).member({ role: 'student' })
    const hash = await real.hash(PASSWORD)
    const set = (change: { password_hash?: string; status?: 'disabled' }) =>
      slow.app.database.write((db) => db.updateTable('user').set(change).where('id', '=', userId).execute())
    const attempt = () => slow.post('/auth/login', { email: emailOf(userId), password: PASSWORD })
    await set({ password_hash: hash })
    meanwhile = () => set({ password_hash: 'plain:changed' })
    expect(await attempt()).toMatchObject({ status: 401, body: { error: { code: 'INVALID_CREDENTIALS' } } })
    await set({ password_hash: hash })
    meanwhile = () => set({ status: 'disabled' })
    expect(await attempt()).toMatchObject({ status: 403, body: { error: { code: 'ACCOUNT_DISABLED' } } })
    await slow.close()
  })
})
