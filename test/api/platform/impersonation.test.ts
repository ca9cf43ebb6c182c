import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { makePlatformAdmin, platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { auditOf } from '#kit/records.ts'

let app: TestApp
let admin: TestPlatformAdmin
beforeAll(async () => {
  app = await startApp()
  admin = await platformAdmin(app)
})
afterAll(() => app.close())

const reason = 'They asked for help with a bill.'
const impersonate = ({ tenant }: TestInstitute, as: Client = admin) =>
  as.post(`/platform/tenants/${tenant.id}/impersonate`, { reason })
const impersonated = { status: 403, body: { error: { code: 'FORBIDDEN', details: { reason: 'impersonated' } } } }

describe('POST /platform/tenants/{id}/impersonate', () => {
  test('answers a token of the oldest active owner, which works for 10 minutes', async () => {
    const institute = await makeInstitute(app)
    app.clock.advance(1)
    await institute.member({ role: 'owner' })
    const reply = await impersonate(institute)
    const { body: members } = await institute.owner.get('/members?limit=100')
    const first = members.data.find(({ userId }: { userId: string }) => userId === institute.ownerUserId)
    expect(reply).toMatchObject({ status: 200 })
    expect(reply.body).toEqual({
      accessToken: expect.any(String),
      expiresAt: new Date(app.clock.millis() + 600_000).toISOString(),
      tenantId: institute.tenant.id,
      membershipId: first.membershipId,
    })
    const token = app.as(reply.body.accessToken)
    expect((await token.get('/auth/me')).body).toMatchObject({
      user: { id: institute.ownerUserId },
      activeTenantId: institute.tenant.id,
      impersonatedBy: admin.userId,
      isPlatformAdmin: false,
    })
    expect((await institute.owner.get('/auth/me')).body.impersonatedBy).toBeNull()
    app.clock.advance(599)
    expect((await token.get('/branches')).status).toBe(200)
    app.clock.advance(1)
    expect((await token.get('/branches')).status).toBe(401)
  })

  test('works for 10 minutes also where other tokens live 1 minute, or a day', async () => {
    for (const accessTokenSeconds of [60, 86_400]) {
      const other = await startApp({ config: { accessTokenSeconds } })
      const institute = await makeInstitute(other)
      const { body } = await impersonate(institute, await platformAdmin(other))
      const token = other.as(body.accessToken)
      expect((await token.get('/branches')).status).toBe(200)
      other.clock.advance(599)
      expect((await token.get('/branches')).status).toBe(200)
      other.clock.advance(1)
      expect((await token.get('/branches')).status).toBe(401)
      await other.close()
    }
  })

  test('tells the institute’s audit log who did it, why, and what they did then', async () => {
    const institute = await makeInstitute(app)
    const { body } = await impersonate(institute)
    const [entry] = await auditOf(app, institute, 'platform-tenants.impersonate')
    expect(entry).toMatchObject({
      actor_type: 'platform_admin',
      actor_user_id: admin.userId,
      entity_id: body.membershipId,
      metadata: { reason, expiresAt: body.expiresAt },
    })
    await app.as(body.accessToken).post('/branches', { name: 'Made by the platform' })
    const { body: log } = await institute.owner.get('/audit?action=branches.create')
    expect(log.data).toMatchObject([{ actorUserId: institute.ownerUserId, metadata: { impersonatedBy: admin.userId } }])
    expect(JSON.stringify(log)).not.toContain(body.accessToken)
  })

  test('makes no keys, no members and no sessions, and leaves the owner’s account', async () => {
    const institute = await makeInstitute(app)
    const [member, disabled] = [
      await institute.member({ role: 'teacher' }),
      await institute.member({ role: 'teacher' }),
    ]
    await institute.owner.patch(`/members/${disabled.membershipId}`, { status: 'disabled' })
    const { body } = await impersonate(institute)
    const token = app.as(body.accessToken)
    const { owner, teacher } = institute.roles
    const replies = [
      await token.post('/api-keys', { name: 'Key', permissions: ['students.read'] }),
      await token.post('/members', { email: 'new@example.org', roleId: teacher }),
      await token.patch(`/members/${disabled.membershipId}`, { status: 'active' }),
      await token.put(`/members/${member.membershipId}/roles`, { roles: [{ roleId: owner }] }),
      await token.post('/auth/select-tenant', { tenantId: institute.tenant.id }),
      await token.post('/auth/logout-all'),
      await token.post('/auth/change-password', { currentPassword: 'correct horse', newPassword: 'another horse' }),
      await token.patch('/me', { fullName: 'Somebody else' }),
    ]
    for (const reply of replies) expect(reply).toMatchObject(impersonated)
    // It is none of the owner's devices.
    expect((await institute.owner.get('/auth/sessions')).body.data).toHaveLength(1)
    expect((await token.get(`/platform/tenants/${institute.tenant.id}`)).status).toBe(403)
  })

  test('ends with a logout, when the owner ends all sessions, and when the platform admin is disabled', async () => {
    const institute = await makeInstitute(app)
    const helper = await makePlatformAdmin(app)
    const ends: ((token: Client) => Promise<{ status: number }>)[] = [
      (token) => token.post('/auth/logout'),
      () => admin.patch(`/platform/users/${helper.userId}`, { status: 'disabled' }),
    ]
    for (const end of ends) {
      const token = app.as((await impersonate(institute, helper)).body.accessToken)
      expect((await token.get('/branches')).status).toBe(200)
      expect((await end(token)).status).toBe(200)
      expect((await token.get('/branches')).status).toBe(401)
    }
    const token = app.as((await impersonate(institute)).body.accessToken)
    await institute.owner.post('/auth/logout-all')
    expect((await token.get('/branches')).status).toBe(401)
  })

  test('is refused where there is no active owner, and gets no further than the owner in a locked institute', async () => {
    const institute = await makeInstitute(app)
    await admin.post(`/platform/tenants/${institute.tenant.id}/lock`, { reason: 'Unpaid' })
    const { body } = await impersonate(institute)
    expect((await app.as(body.accessToken).get('/branches')).status).toBe(402)
    expect((await app.as(body.accessToken).get('/feature-flags')).status).toBe(200)
    await admin.patch(`/platform/users/${institute.ownerUserId}`, { status: 'disabled' })
    expect((await app.as(body.accessToken).get('/feature-flags')).status).toBe(403)
    expect(await impersonate(institute)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
  })
})
