import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { makePlatformAdmin } from '#kit/platform-admin.ts'
import { auditOf, emailOf, impersonate, PASSWORD } from '#kit/sign-in.ts'

let app: TestApp
let first: TestInstitute
let second: TestInstitute

const setMembership = (tenantId: string, userId: string, status: 'invited' | 'active' | 'disabled') =>
  app.app.database.write((db) =>
    db
      .insertInto('membership')
      .values({
        id: newId(),
        tenant_id: tenantId,
        user_id: userId,
        status,
        joined_at: null,
        created_at: app.clock.now(),
        updated_at: app.clock.now(),
      } as never)
      .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet({ status }))
      .execute(),
  )

/** Signed in by the API, a member of both institutes. */
const memberOfBoth = async () => {
  const { userId } = await first.member({ permissions: ['students.write', 'mcp.access'] })
  await setMembership(second.tenant.id, userId, 'active')
  const { body } = await app.post('/auth/login', { email: emailOf(userId), password: PASSWORD, client: 'mobile' })
  return { ...app.as(body.accessToken), userId, refreshToken: body.refreshToken as string }
}

beforeAll(async () => {
  app = await startApp()
  first = await makeInstitute(app)
  second = await makeInstitute(app)
})
afterAll(() => app.close())

describe('POST /auth/select-tenant', () => {
  test('answers as login, the access token bound to that institute', async () => {
    const user = await memberOfBoth()
    const reply = await user.post('/auth/select-tenant', { tenantId: first.tenant.id })
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      accessToken: expect.any(String),
      user: expect.objectContaining({ id: user.userId }),
      memberships: [
        expect.objectContaining({ tenantId: first.tenant.id, status: 'active' }),
        expect.objectContaining({ tenantId: second.tenant.id, status: 'active', roles: [] }),
      ],
      activeTenantId: first.tenant.id,
    })
    const bound = app.as(reply.body.accessToken)
    expect((await bound.get('/branches')).body).toMatchObject([{ tenantId: first.tenant.id }])
    const other = await bound.post('/auth/select-tenant', { tenantId: second.tenant.id })
    expect((await app.as(other.body.accessToken).get('/branches')).body).toMatchObject([{ tenantId: second.tenant.id }])
    expect((await auditOf(app, 'auth.select-tenant')).at(-1)).toMatchObject({
      tenant_id: second.tenant.id,
      before: { tenantId: first.tenant.id },
      after: { tenantId: second.tenant.id },
    })
  })

  test('the refresh token gives access tokens for the selected institute from then on', async () => {
    const user = await memberOfBoth()
    await user.post('/auth/select-tenant', { tenantId: second.tenant.id })
    const { body } = await app.post('/auth/refresh', { refreshToken: user.refreshToken })
    expect((await app.as(body.accessToken).get('/auth/me')).body.activeTenantId).toBe(second.tenant.id)
  })

  test('null leaves the institute: a platform admin who is a member manages the platform again', async () => {
    const admin = await makePlatformAdmin(app)
    await setMembership(first.tenant.id, admin.userId, 'active')
    expect((await admin.get('/auth/me')).body).toMatchObject({ activeTenantId: null, isPlatformAdmin: true })
    const inside = app.as((await admin.post('/auth/select-tenant', { tenantId: first.tenant.id })).body.accessToken)
    expect((await inside.get('/auth/me')).body).toMatchObject({
      activeTenantId: first.tenant.id,
      isPlatformAdmin: true,
    })
    expect((await inside.get('/platform/tenants')).status).toBe(403)
    const { status, body } = await inside.post('/auth/select-tenant', { tenantId: null })
    expect({ status, activeTenantId: body.activeTenantId }).toEqual({ status: 200, activeTenantId: null })
    expect((await app.as(body.accessToken).get('/platform/tenants')).status).toBe(200)
    expect((await auditOf(app, 'auth.select-tenant')).at(-1)).toMatchObject({
      tenant_id: null,
      before: { tenantId: first.tenant.id },
      after: { tenantId: null },
    })
  })

  test('an institute that does not exist, or in which the user is no member, is 404 TENANT_NOT_FOUND', async () => {
    const user = await memberOfBoth()
    const stranger = await makeInstitute(app)
    for (const tenantId of [newId(), stranger.tenant.id]) {
      expect(await user.post('/auth/select-tenant', { tenantId })).toMatchObject({
        status: 404,
        body: { error: { code: 'TENANT_NOT_FOUND' } },
      })
    }
    expect((await user.post('/auth/select-tenant', { tenantId: 'x' })).status).toBe(422)
  })

  test.each(['invited', 'disabled'] as const)('a membership that is %s is 403 MEMBERSHIP_INACTIVE', async (status) => {
    const user = await memberOfBoth()
    await setMembership(second.tenant.id, user.userId, status)
    expect(await user.post('/auth/select-tenant', { tenantId: second.tenant.id })).toMatchObject({
      status: 403,
      body: { error: { code: 'MEMBERSHIP_INACTIVE' } },
    })
  })

  test('an archived institute is 403 TENANT_SUSPENDED, and not among the memberships', async () => {
    const user = await memberOfBoth()
    const archived = await makeInstitute(app)
    await setMembership(archived.tenant.id, user.userId, 'active')
    await app.app.database.write((db) =>
      db.updateTable('tenant').set({ status: 'archived' }).where('id', '=', archived.tenant.id).execute(),
    )
    expect(await user.post('/auth/select-tenant', { tenantId: archived.tenant.id })).toMatchObject({
      status: 403,
      body: { error: { code: 'TENANT_SUSPENDED' } },
    })
    expect((await user.get('/auth/me')).body.memberships).toHaveLength(2)
  })
})

describe('GET /auth/me', () => {
  test('answers user, memberships, the active institute and the permissions there with what they imply', async () => {
    const user = await memberOfBoth()
    const { body } = await user.post('/auth/select-tenant', { tenantId: first.tenant.id })
    const me = await app.as(body.accessToken).get('/auth/me')
    expect(me.status).toBe(200)
    expect(me.body).toEqual({
      user: body.user,
      memberships: body.memberships,
      activeTenantId: first.tenant.id,
      permissions: ['students.read', 'students.write', 'mcp.access'],
      limits: [],
      impersonatedBy: null,
      preview: null,
      needsSecondFactor: false,
      isPlatformAdmin: false,
      deviceKey: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect((await first.owner.get('/auth/me')).body.permissions).toHaveLength(37)
  })

  test('says for which branches a permission is held that is not held for the whole institute', async () => {
    const { branchId } = first
    const manager = await first.member({ permissions: ['groups.write'], branchId })
    expect((await manager.get('/auth/me')).body.limits).toEqual([
      { permission: 'groups.read', branchIds: [branchId] },
      { permission: 'groups.write', branchIds: [branchId] },
    ])
    const teacher = await first.member({ role: 'teacher' })
    const { permissions, limits } = (await teacher.get('/auth/me')).body
    expect(permissions).toContain('attendance.mark')
    expect(limits).toContainEqual({ permission: 'attendance.mark', branchIds: [] })
  })

  test('without an institute there are no permissions', async () => {
    const user = await memberOfBoth()
    expect((await user.get('/auth/me')).body).toMatchObject({
      activeTenantId: null,
      permissions: [],
      limits: [],
      deviceKey: null,
    })
  })

  test('the key for what is kept on the device is one for each person in each institute, after each sign-in', async () => {
    const user = await memberOfBoth()
    const keyIn = async ({ tenant }: TestInstitute) => {
      const login = await app.post('/auth/login', { email: emailOf(user.userId), password: PASSWORD })
      const { body } = await app.as(login.body.accessToken).post('/auth/select-tenant', { tenantId: tenant.id })
      return (await app.as(body.accessToken).get('/auth/me')).body.deviceKey
    }
    const key = await keyIn(first)
    expect(await keyIn(first)).toBe(key)
    const others = [await keyIn(second), (await first.owner.get('/auth/me')).body.deviceKey]
    expect(new Set([key, ...others]).size).toBe(3)
    const support = await impersonate(app, { userId: first.ownerUserId, tenantId: first.tenant.id })
    expect((await support.get('/auth/me')).body.deviceKey).toBeNull()
  })

  test('an institute whose membership was disabled meanwhile is no longer the active one', async () => {
    const user = await memberOfBoth()
    const { body } = await user.post('/auth/select-tenant', { tenantId: first.tenant.id })
    const bound = app.as(body.accessToken)
    await setMembership(first.tenant.id, user.userId, 'disabled')
    expect((await bound.get('/branches')).body.error.code).toBe('MEMBERSHIP_INACTIVE')
    expect((await bound.get('/auth/me')).body).toMatchObject({ activeTenantId: null, permissions: [] })
  })

  test('a disabled user is 403 ACCOUNT_DISABLED on the next request', async () => {
    const user = await memberOfBoth()
    await app.app.database.write((db) =>
      db.updateTable('user').set({ status: 'disabled' }).where('id', '=', user.userId).execute(),
    )
    for (const path of ['/auth/me', '/me', '/auth/sessions']) {
      expect(await user.get(path)).toMatchObject({ status: 403, body: { error: { code: 'ACCOUNT_DISABLED' } } })
    }
  })
})
