import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { makePlatformAdmin, platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { addPasskey, assertion, firstStep, setUpCodes } from '#kit/second-factor.ts'
import { auditOf, emailOf, mailedToken, PASSWORD } from '#kit/sign-in.ts'

let app: TestApp
let admin: TestPlatformAdmin
beforeAll(async () => {
  app = await startApp({ config: { registration: true } })
  admin = await platformAdmin(app)
})
afterAll(() => app.close())

const newEmail = () => `person-${newId()}@example.org`
const conflict = { status: 409, body: { error: { code: 'CONFLICT' } } }
const setStatus = (id: string, status: string, as = admin) => as.patch(`/platform/users/${id}`, { status })

describe('POST /platform/users', () => {
  test('makes a platform admin who sets a password by mail', async () => {
    const email = newEmail()
    const reply = await admin.post('/platform/users', { email, fullName: 'Rana Haddad' })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      id: expect.any(String),
      email,
      fullName: 'Rana Haddad',
      locale: 'en',
      status: 'active',
      emailVerified: false,
      isPlatformAdmin: true,
      hasSecondFactor: false,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    await app.drain()
    const token = mailedToken(app, email, 'reset-password')
    await app.post('/auth/reset-password', { token, newPassword: PASSWORD })
    const { body } = await app.post('/auth/login', { email, password: PASSWORD, client: 'mobile' })
    expect(body.activeTenantId).toBeNull()
    expect((await app.as(body.accessToken).get('/platform/tenants')).status).toBe(200)
    expect(await admin.post('/platform/users', { email: email.toUpperCase(), fullName: 'Again' })).toMatchObject(
      conflict,
    )
  })

  test('makes one of somebody who has an account, and leaves their password and name', async () => {
    const { ownerUserId } = await makeInstitute(app)
    const email = emailOf(ownerUserId)
    const { body: made } = await admin.post('/platform/users', { email, fullName: 'Another Name' })
    expect(made).toMatchObject({ id: ownerUserId, fullName: 'Test User', isPlatformAdmin: true })
    await app.drain()
    expect(app.mails.filter(({ to }) => to === email)).toEqual([])
    // A platform admin is bound to no institute, and chooses one to work there as its member.
    const { body } = await app.post('/auth/login', { email, password: PASSWORD, client: 'mobile' })
    expect(body.activeTenantId).toBeNull()
    expect(
      (await auditOf(app, 'platform-users.create')).filter(({ entity_id }) => entity_id === ownerUserId),
    ).toMatchObject([{ actor_user_id: admin.userId, tenant_id: null, after: { isPlatformAdmin: true } }])
  })

  test('gives nothing to a stranger who registered the address before', async () => {
    const email = newEmail()
    const stranger = await app.post('/auth/register', { email, password: 'a stranger’s own', fullName: 'Stranger' })
    expect((await admin.post('/platform/users', { email, fullName: 'Rana Haddad' })).body.fullName).toBe('Rana Haddad')
    expect((await app.as(stranger.body.accessToken).get('/platform/tenants')).status).toBe(401)
    expect((await app.post('/auth/login', { email, password: 'a stranger’s own' })).status).toBe(401)
  })

  test('refuses a disabled account', async () => {
    const { ownerUserId } = await makeInstitute(app)
    await setStatus(ownerUserId, 'disabled')
    const body = { email: emailOf(ownerUserId), fullName: 'Rana Haddad' }
    expect(await admin.post('/platform/users', body)).toMatchObject(conflict)
  })
})

describe('PATCH /platform/users/{id}', () => {
  test('shuts anybody out at once, and lets them in again without their old sessions', async () => {
    const institute = await makeInstitute(app)
    const member = await institute.member({ role: 'teacher' })
    expect(await setStatus(member.userId, 'disabled')).toMatchObject({ status: 200, body: { status: 'disabled' } })
    expect((await member.get('/me')).body.error.code).toBe('ACCOUNT_DISABLED')
    expect((await setStatus(member.userId, 'active')).body).toMatchObject({ status: 'active' })
    expect((await member.get('/me')).status).toBe(401)
    const signedIn = await app.post('/auth/login', { email: emailOf(member.userId), password: PASSWORD })
    expect(signedIn.status).toBe(200)
    await setStatus(institute.ownerUserId, 'disabled')
    const entries = await auditOf(app, 'platform-users.update')
    expect(entries.filter(({ entity_id }) => entity_id === institute.ownerUserId)).toMatchObject([
      {
        before: { status: 'active' },
        after: { status: 'disabled' },
        metadata: { leftWithoutOwner: [institute.tenant.slug] },
      },
    ])
  })

  test('lets nobody disable themself, and two platform admins not each other', async () => {
    expect(await setStatus(admin.userId, 'disabled')).toMatchObject(conflict)
    expect((await setStatus(admin.userId, 'active')).status).toBe(200)
    const [one, other] = [await makePlatformAdmin(app), await makePlatformAdmin(app)]
    const replies = await Promise.all([
      setStatus(one.userId, 'disabled', other),
      setStatus(other.userId, 'disabled', one),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const active = [(await one.get('/platform/tenants')).status, (await other.get('/platform/tenants')).status]
    expect(active.toSorted()).toEqual([200, 403])
  })

  test('an account that is not there is 404, another status 422', async () => {
    expect((await setStatus(newId(), 'disabled')).status).toBe(404)
    expect((await setStatus(admin.userId, 'gone')).status).toBe(422)
  })
})

describe('POST /platform/users/{id}/reset-second-factor', () => {
  let asking: TestPlatformAdmin
  let institute: TestInstitute
  // The tokens of the first ones expire when codes are set up.
  beforeEach(async () => {
    asking = await makePlatformAdmin(app)
    institute = await makeInstitute(app)
  })
  const reset = (id: string, as = asking, password = PASSWORD) =>
    as.post(`/platform/users/${id}/reset-second-factor`, { password })
  const login = (email: string) => app.post('/auth/login', { email, password: PASSWORD })
  const reasonOf = ({ body }: { body: { error: { details?: { reason?: string } } } }) => body.error.details?.reason

  test('lets an owner who lost everything in with the password, mails them, and stands in both logs', async () => {
    const { owner, ownerUserId, tenant } = institute
    const device = await addPasskey(owner)
    const { recoveryCodes } = await setUpCodes(app, owner)
    const ticket = await firstStep(app, emailOf(ownerUserId))
    expect((await asking.get(`/platform/users?id=${ownerUserId}`)).body.data).toMatchObject([{ hasSecondFactor: true }])
    const reply = await reset(ownerUserId)
    expect(reply).toMatchObject({ status: 200, body: { id: ownerUserId, hasSecondFactor: false } })
    expect((await owner.get('/me')).status).toBe(401)
    expect((await app.post('/auth/passkey', await assertion(app, device))).status).toBe(401)
    // A sign-in that had begun has nothing to go on with.
    expect(reasonOf(await app.post('/auth/login/second-factor', { ticket, code: recoveryCodes[0] }))).toBe(
      'no_second_factor',
    )
    expect((await login(emailOf(ownerUserId))).status).toBe(200)
    expect(reasonOf(await reset(ownerUserId))).toBe('no_second_factor')
    await app.drain()
    const mails = app.mails.filter(({ to }) => to === emailOf(ownerUserId))
    expect(mails.map(({ subject }) => subject)).toContain('Your second step was reset')
    const entries = (await auditOf(app, 'platform-users.reset-second-factor')).filter(
      ({ entity_id }) => entity_id === ownerUserId,
    )
    expect(entries.map(({ tenant_id }) => tenant_id).toSorted()).toEqual([null, tenant.id].toSorted())
    expect(entries).toMatchObject([asking, asking].map(({ userId }) => ({ actor_user_id: userId })))
  })

  test('a platform admin is helped by another one, and nobody by themself', async () => {
    const other = await makePlatformAdmin(app)
    await setUpCodes(app, other)
    const { accessToken } = (
      await other.post(`/platform/tenants/${institute.tenant.id}/impersonate`, { reason: 'Asked.' })
    ).body
    expect(reasonOf(await reset(other.userId, other))).toBe('own_second_factor')
    expect((await reset(other.userId)).status).toBe(200)
    expect((await other.get('/platform/tenants')).status).toBe(401)
    expect((await app.as(accessToken).get('/me')).status).toBe(401)
    const { data } = (await asking.get(`/platform/users?id=${other.userId}`)).body
    expect((await login(data[0].email)).status).toBe(200)
  })

  test('a wrong password changes nothing; an institute’s owner, and somebody who is not there, are refused', async () => {
    const member = await institute.member({ role: 'teacher' })
    await addPasskey(member)
    expect((await reset(member.userId, asking, 'not the password')).body.error.code).toBe('INVALID_CREDENTIALS')
    expect(
      (await institute.owner.post(`/platform/users/${member.userId}/reset-second-factor`, { password: PASSWORD }))
        .status,
    ).toBe(403)
    expect((await member.get('/me')).status).toBe(200)
    expect((await reset(newId())).status).toBe(404)
    await asking.patch(`/platform/users/${member.userId}`, { status: 'disabled' })
    expect((await reset(member.userId)).body).toMatchObject({ status: 'disabled', hasSecondFactor: false })
    for (let wrong = 0; wrong < 5; wrong += 1) await reset(member.userId, asking, 'not the password')
    const locked = await reset(member.userId)
    expect([locked.status, reasonOf(locked)]).toEqual([423, 'too_many_wrong_passwords'])
  })
})

test('GET /platform/users finds accounts by id, by address, by status, and the platform admins', async () => {
  const { ownerUserId } = await makeInstitute(app)
  const listed = async (query: string): Promise<{ id: string; status: string; isPlatformAdmin: boolean }[]> =>
    (await admin.get(`/platform/users?limit=100&${query}`)).body.data
  expect(await listed(`email=${emailOf(ownerUserId).toUpperCase()}`)).toMatchObject([{ id: ownerUserId }])
  expect((await listed(`id=${admin.userId}&id=${ownerUserId}&id=${newId()}`)).map(({ id }) => id)).toEqual([
    ownerUserId,
    admin.userId,
  ])
  expect((await listed('')).some(({ id }) => id === ownerUserId)).toBe(true)
  const admins = await listed('isPlatformAdmin=true')
  expect(admins.some(({ id }) => id === admin.userId)).toBe(true)
  expect(admins.every(({ isPlatformAdmin }) => isPlatformAdmin)).toBe(true)
  await setStatus(ownerUserId, 'disabled')
  const disabled = await listed('status=disabled')
  expect(disabled.some(({ id }) => id === ownerUserId)).toBe(true)
  expect(disabled.every(({ status }) => status === 'disabled')).toBe(true)
})
