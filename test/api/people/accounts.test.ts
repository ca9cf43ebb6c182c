import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Permission, SystemRoleKey } from '#kernel/rights/permissions.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { auditOf } from '#kit/records.ts'
import { newApiKey } from '../examples/integrations.ts'
import { newPhone } from '../examples/people.ts'

/**
 * "`userId` of a student, guardian or staff record: it is set or cleared by members.manage for the whole institute, or by
 * an accepted invitation; never one's own account by oneself", else 403 PERMISSION_ESCALATION.
 */

let app: TestApp
let institute: TestInstitute
beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const KINDS = [
  ['student', '/students', 'students.write'],
  ['guardian', '/guardians', 'guardians.write'],
  ['staff', '/staff', 'staff.write'],
] as const satisfies [SystemRoleKey | 'staff', string, Permission][]

const person = (path: string, more: object = {}) => ({
  firstName: 'Ruth',
  lastName: 'Levi',
  ...(path === '/guardians' ? { phone: newPhone() } : { branchId: institute.branchId }),
  ...more,
})
const add = async (path: string, as: Client = institute.owner): Promise<string> =>
  (await as.post(path, person(path))).body.id
const account = () => institute.member({ permissions: [] })
const userIdOf = async (path: string, id: string) => (await institute.owner.get(`${path}/${id}`)).body.userId

const escalation = { status: 403, body: { error: { code: 'PERMISSION_ESCALATION' } } }

describe.each(KINDS)('the account behind a %s', (_, path, permission) => {
  test('is set and cleared by who manages the members of the whole institute', async () => {
    const { userId } = await account()
    const manager = await institute.member({ permissions: [permission, 'members.manage'] })
    const { status, body } = await manager.post(path, person(path, { userId }))
    expect(status).toBe(201)
    expect(await userIdOf(path, body.id)).toBe(userId)
    expect((await manager.patch(`${path}/${body.id}`, { userId: null })).body.userId).toBeNull()
    expect((await manager.patch(`${path}/${body.id}`, { userId })).body.userId).toBe(userId)
    const [entry] = await auditOf(app, institute, `${path.slice(1)}.update`)
    expect(entry).toMatchObject({ before: { userId }, after: { userId: null } })
  })

  test('is not set, changed or cleared by who may only write the record', async () => {
    const [old, other] = [await account(), await account()]
    const id = await add(path)
    const hung = await add(path)
    await institute.owner.patch(`${path}/${hung}`, { userId: old.userId })
    const ofBranch = { branchId: institute.branchId }
    const writers = [
      await institute.member({ permissions: [permission], ...ofBranch }),
      await institute.member({ permissions: [permission] }),
      await institute.member({ permissions: [permission, 'members.manage'], ...ofBranch }),
      await institute.member({ permissions: [permission, 'members.read'] }),
    ]
    for (const writer of writers) {
      // The branch of a guardian is that of who added them.
      const [free, taken] = path === '/guardians' ? [await add(path, writer), hung] : [id, hung]
      for (const userId of [writer.userId, other.userId]) {
        expect(await writer.post(path, person(path, { userId }))).toMatchObject(escalation)
        expect(await writer.patch(`${path}/${free}`, { userId })).toMatchObject(escalation)
      }
      expect(await userIdOf(path, free)).toBeNull()
      const reply = await writer.patch(`${path}/${taken}`, { userId: null })
      expect([403, 404]).toContain(reply.status)
      expect(await userIdOf(path, taken)).toBe(old.userId)
    }
  })

  test('stays when it is sent as it is', async () => {
    const { userId } = await account()
    const id = await add(path)
    const writer = await institute.member({ permissions: [permission] })
    expect((await writer.patch(`${path}/${id}`, { userId: null, firstName: 'Rut' })).status).toBe(200)
    await institute.owner.patch(`${path}/${id}`, { userId })
    expect((await writer.patch(`${path}/${id}`, { userId, firstName: 'Ruth' })).body.userId).toBe(userId)
    expect((await writer.post(path, person(path, { userId: null }))).status).toBe(201)
  })

  test('is nobody’s own by themself, also over an API key', async () => {
    const { owner, ownerUserId: userId } = institute
    const id = await add(path)
    const other = await institute.member({ role: 'owner' })
    expect(await owner.post(path, person(path, { userId }))).toMatchObject(escalation)
    expect(await owner.patch(`${path}/${id}`, { userId })).toMatchObject(escalation)
    const { key } = await newApiKey(institute, { permissions: [permission, 'members.manage'] })
    const byKey = app.as(key)
    const send = (body: object, n: number) =>
      byKey.send('PATCH', `${path}/${id}`, { body, headers: { 'idempotency-key': `${id}-${n}` } })
    expect(await send({ userId }, 1)).toMatchObject(escalation)
    expect((await other.patch(`${path}/${id}`, { userId })).status).toBe(200)
    expect(await owner.patch(`${path}/${id}`, { userId: null })).toMatchObject(escalation)
    expect(await send({ userId: (await account()).userId }, 2)).toMatchObject(escalation)
    expect(await userIdOf(path, id)).toBe(userId)
    expect((await other.patch(`${path}/${id}`, { userId: null })).status).toBe(200)
    expect((await send({ userId: (await account()).userId }, 3)).status).toBe(200)
  })

  test('is neither set nor cleared by an impersonated session', async () => {
    const { userId } = await account()
    const [id, hung] = [await add(path), await add(path)]
    await institute.owner.patch(`${path}/${hung}`, { userId: (await account()).userId })
    const admin = await platformAdmin(app)
    const { body } = await admin.post(`/platform/tenants/${institute.tenant.id}/impersonate`, { reason: 'Help' })
    const token = app.as(body.accessToken)
    const impersonated = { status: 403, body: { error: { details: { reason: 'impersonated' } } } }
    expect(await token.post(path, person(path, { userId }))).toMatchObject(impersonated)
    expect(await token.patch(`${path}/${id}`, { userId })).toMatchObject(impersonated)
    expect(await token.patch(`${path}/${hung}`, { userId: null })).toMatchObject(impersonated)
    expect((await token.patch(`${path}/${hung}`, { firstName: 'Rut' })).status).toBe(200)
  })

  test('stands behind one such record, and is a member’s', async () => {
    const { userId } = await account()
    const [id, other] = [await add(path), await add(path)]
    const { owner } = institute
    expect((await owner.patch(`${path}/${id}`, { userId })).status).toBe(200)
    expect((await owner.patch(`${path}/${other}`, { userId })).status).toBe(409)
    expect((await owner.post(path, person(path, { userId }))).status).toBe(409)
    const { ownerUserId: stranger } = await makeInstitute(app)
    expect((await owner.patch(`${path}/${other}`, { userId: stranger })).status).toBe(404)
    expect((await owner.post(path, person(path, { userId: stranger }))).status).toBe(404)
  })

  test('is told when it is taken away: cleared, replaced, or with its record', async () => {
    const member = await account()
    const inbox = async (of: TestMember) => {
      await app.drain()
      return (await of.get('/me/notifications')).body.data
    }
    const { owner } = institute
    const id = await add(path)
    await owner.patch(`${path}/${id}`, { userId: member.userId })
    expect(await inbox(member)).toEqual([])
    await owner.patch(`${path}/${id}`, { userId: null })
    expect(await inbox(member)).toMatchObject([{ templateKey: 'account.unlinked', payload: { recordId: id } }])
    await owner.patch(`${path}/${id}`, { userId: member.userId })
    const next = await account()
    await owner.patch(`${path}/${id}`, { userId: next.userId })
    expect(await inbox(member)).toHaveLength(2)
    expect(await inbox(next)).toEqual([])
    expect((await owner.delete(`${path}/${id}`)).status).toBe(200)
    expect(await inbox(next)).toMatchObject([{ title: 'Your account is no longer linked to Ruth Levi' }])
  })
})

describe('the account of an owner who teaches too', () => {
  const own = { status: 403, body: { error: { details: { reason: 'own_account_link' } } } }
  const staff = (more: object) => person('/staff', more)

  test('is linked by themself while nobody else manages the members, audited, and taken off again', async () => {
    const { owner, ownerUserId: userId } = institute
    await institute.member({ permissions: ['staff.write', 'members.read'] })
    await institute.member({ permissions: ['members.manage'], branchId: institute.branchId })
    const before = (await owner.get('/auth/me')).body
    const id = await add('/staff')
    expect(await owner.patch(`/staff/${id}`, { userId })).toMatchObject({ status: 200, body: { userId } })
    const [linked] = await auditOf(app, institute, 'staff.update')
    expect(linked).toMatchObject({ actor_user_id: userId, before: { userId: null }, after: { userId } })
    expect((await owner.get('/auth/me')).body).toMatchObject({ permissions: before.permissions })
    expect((await owner.get('/me/teaching/today')).body.staffId).toBe(id)
    expect(await owner.post('/staff', staff({ userId }))).toMatchObject({ status: 409 })
    expect(await owner.patch(`/staff/${id}`, { userId: (await account()).userId })).toMatchObject(own)
    expect((await owner.patch(`/staff/${id}`, { userId: null })).body.userId).toBeNull()
    expect(await owner.post('/staff', staff({ userId }))).toMatchObject({ status: 201, body: { userId } })
  })

  test('is not put in place of another account', async () => {
    const { owner, ownerUserId: userId } = institute
    const id = await add('/staff')
    const { userId: teacher } = await account()
    await owner.patch(`/staff/${id}`, { userId: teacher })
    expect(await owner.patch(`/staff/${id}`, { userId })).toMatchObject(own)
    expect(await userIdOf('/staff', id)).toBe(teacher)
  })

  test('is linked by another as soon as somebody else could, also by a role of the institute’s own', async () => {
    const { owner, ownerUserId: userId } = institute
    const id = await add('/staff')
    const manager = await institute.member({ permissions: ['members.manage', 'staff.write'] })
    expect(await owner.patch(`/staff/${id}`, { userId })).toMatchObject(own)
    expect(await owner.post('/staff', staff({ userId }))).toMatchObject(own)
    expect(await manager.patch(`/staff/${id}`, { userId: manager.userId })).toMatchObject(own)
    expect((await manager.patch(`/staff/${id}`, { userId })).status).toBe(200)
    expect(await owner.patch(`/staff/${id}`, { userId: null })).toMatchObject(own)
    await owner.patch(`/members/${manager.membershipId}`, { status: 'disabled' })
    expect((await owner.patch(`/staff/${id}`, { userId: null })).status).toBe(200)
  })

  test('is not linked by a manager who is no owner, were there nobody else', async () => {
    const { owner, ownerUserId } = institute
    const manager = await institute.member({ permissions: ['members.manage', 'staff.write'] })
    const id = await add('/staff')
    const set = (status: 'active' | 'disabled') =>
      app.app.database.write((db) => db.updateTable('user').set({ status }).where('id', '=', ownerUserId).execute())
    await set('disabled')
    expect(await manager.patch(`/staff/${id}`, { userId: manager.userId })).toMatchObject(own)
    await set('active')
    expect((await owner.get(`/staff/${id}`)).body.userId).toBeNull()
  })

  test('is not linked over an API key or an impersonated session', async () => {
    const { ownerUserId: userId } = institute
    const id = await add('/staff')
    const { key } = await newApiKey(institute, { permissions: ['staff.write', 'members.manage'] })
    const headers = { 'idempotency-key': `${id}-own` }
    expect(await app.as(key).send('PATCH', `/staff/${id}`, { body: { userId }, headers })).toMatchObject(own)
    const admin = await platformAdmin(app)
    const { body } = await admin.post(`/platform/tenants/${institute.tenant.id}/impersonate`, { reason: 'Help' })
    const impersonated = { status: 403, body: { error: { details: { reason: 'impersonated' } } } }
    expect(await app.as(body.accessToken).patch(`/staff/${id}`, { userId })).toMatchObject(impersonated)
    expect(await userIdOf('/staff', id)).toBeNull()
  })

  test.each(['/students', '/guardians'])('is never linked to a record of %s', async (path) => {
    const { owner, ownerUserId: userId } = institute
    const id = await add(path)
    expect(await owner.patch(`${path}/${id}`, { userId })).toMatchObject(own)
    expect(await owner.post(path, person(path, { userId }))).toMatchObject(own)
  })
})
