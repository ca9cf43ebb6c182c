import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

type Member = { membershipId: string; email: string; status: string; roles: { roleId: string }[] }

const members = async (of = institute): Promise<Member[]> => (await of.owner.get('/members?limit=100')).body.data
const memberOf = async (membershipId: string, of = institute): Promise<Member | undefined> =>
  (await members(of)).find((member) => member.membershipId === membershipId)

const newOwner = (of: TestInstitute): Promise<TestMember> => of.member({ role: 'owner' })

/** Turns an owner's session into an impersonation session. */
const impersonated = async (of: TestInstitute): Promise<TestMember> => {
  const owner = await newOwner(of)
  await app.app.database.write((db) =>
    db
      .updateTable('auth_session')
      .set({ impersonator_id: newId() } as never)
      .where('id', '=', owner.sessionId)
      .execute(),
  )
  return owner
}

describe('GET /members', () => {
  test('is a page of members, newest first, with their roles and branches', async () => {
    const fresh = await makeInstitute(app)
    const { body: branch } = await fresh.owner.post('/branches', { name: 'North' })
    const { membershipId, userId, roleId } = await fresh.member({ role: 'front_desk', branchId: branch.id })
    const { status, body } = await fresh.owner.get('/members')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          membershipId,
          userId,
          email: `user-${userId}@example.org`,
          fullName: 'Test User',
          status: 'active',
          joinedAt: app.clock.now(),
          createdAt: app.clock.now(),
          hasSecondFactor: false,
          roles: [{ roleId, roleName: 'Front desk', roleKey: 'front_desk', branchId: branch.id }],
        },
        expect.objectContaining({ userId: fresh.ownerUserId }),
      ],
      nextCursor: null,
    })
    const { body: first } = await fresh.owner.get('/members?limit=1')
    const { body: second } = await fresh.owner.get(`/members?limit=1&cursor=${first.nextCursor}`)
    expect([first.data[0].userId, second.data[0].userId]).toEqual([userId, fresh.ownerUserId])
    expect(second.nextCursor).toBeNull()
  })

  test('of those who work here, or of the families alone', async () => {
    const fresh = await makeInstitute(app)
    const guardian = await fresh.member({ role: 'guardian' })
    const both = await fresh.member({ role: 'teacher' })
    await fresh.owner.put(`/members/${both.membershipId}/roles`, {
      roles: [{ roleId: fresh.roles.teacher }, { roleId: fresh.roles.guardian }],
    })
    const own = await fresh.member({ permissions: ['leads.read'] })
    const idsOf = async (isFamily: boolean): Promise<string[]> =>
      (await fresh.owner.get(`/members?isFamily=${isFamily}`)).body.data.map(({ userId }: TestMember) => userId)
    expect(await idsOf(true)).toEqual([guardian.userId])
    expect((await idsOf(false)).toSorted()).toEqual([fresh.ownerUserId, both.userId, own.userId].toSorted())
  })

  test('needs members.read; members.manage implies it', async () => {
    expect((await (await institute.member({ permissions: ['members.read'] })).get('/members')).status).toBe(200)
    expect((await (await institute.member({ permissions: ['members.manage'] })).get('/members')).status).toBe(200)
    expect((await (await institute.member({ role: 'branch_manager' })).get('/members')).status).toBe(200)
    const inBranch = await institute.member({ role: 'branch_manager', branchId: institute.branchId })
    expect((await inBranch.get('/members')).status).toBe(403)
  })
})

describe('PATCH /members/{id}', () => {
  test('disables and activates; a disabled member is refused from the next request on', async () => {
    const { membershipId, ...member } = await institute.member({ role: 'front_desk' })
    const disabled = await institute.owner.patch(`/members/${membershipId}`, { status: 'disabled' })
    expect(disabled).toMatchObject({ status: 200, body: { membershipId, status: 'disabled' } })
    expect((await member.get('/branches')).body.error.code).toBe('MEMBERSHIP_INACTIVE')
    const active = await institute.owner.patch(`/members/${membershipId}`, { status: 'active' })
    expect(active.body).toMatchObject({ status: 'active' })
    expect((await member.get('/branches')).status).toBe(200)
    expect((await auditOf(app, institute, 'members.update')).at(-1)).toMatchObject({
      entity_type: 'membership',
      entity_id: membershipId,
      before: disabled.body,
      after: active.body,
    })
  })

  test('takes active and disabled only', async () => {
    const { membershipId } = await institute.member({ role: 'front_desk' })
    expect((await institute.owner.patch(`/members/${membershipId}`, { status: 'invited' })).status).toBe(422)
    expect((await institute.owner.patch(`/members/${membershipId}`, {})).status).toBe(422)
  })

  test('members cannot disable themselves: 409', async () => {
    const fresh = await makeInstitute(app)
    await newOwner(fresh)
    const [self] = (await members(fresh)).toReversed()
    const { status, body } = await fresh.owner.patch(`/members/${self?.membershipId}`, { status: 'disabled' })
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await fresh.owner.patch(`/members/${self?.membershipId}`, { status: 'active' })).status).toBe(200)
  })
})

describe('DELETE /members/{id}', () => {
  test('ends their access at once; they can be invited again', async () => {
    const { membershipId, userId, roleId, ...member } = await institute.member({ role: 'front_desk' })
    const before = await memberOf(membershipId)
    expect(await institute.owner.delete(`/members/${membershipId}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await member.get('/branches')).status).toBe(403)
    expect(await memberOf(membershipId)).toBeUndefined()
    expect((await institute.owner.delete(`/members/${membershipId}`)).status).toBe(404)
    expect((await auditOf(app, institute, 'members.delete')).at(-1)).toMatchObject({
      entity_id: membershipId,
      before,
      after: null,
    })
    const again = await institute.owner.post('/members', { email: `user-${userId}@example.org`, roleId })
    expect(again.status).toBe(201)
  })

  test('members cannot delete themselves: 409', async () => {
    const { membershipId, ...manager } = await institute.member({ role: 'admin' })
    const { status, body } = await manager.delete(`/members/${membershipId}`)
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
  })
})

describe('PUT /members/{id}/roles', () => {
  test('replaces the roles, without duplicates, for the institute or for branches, from the next request on', async () => {
    const { membershipId, ...member } = await institute.member({ role: 'student' })
    const { body: branch } = await institute.owner.post('/branches', { name: 'Roles' })
    const { accountant, front_desk: frontDesk } = institute.roles
    const { status, body } = await institute.owner.put(`/members/${membershipId}/roles`, {
      roles: [
        { roleId: accountant },
        { roleId: frontDesk, branchId: branch.id },
        { roleId: frontDesk, branchId: institute.branchId },
        { roleId: accountant, branchId: null },
      ],
    })
    expect(status).toBe(200)
    expect(body.roles).toHaveLength(3)
    expect(body.roles).toEqual(
      expect.arrayContaining([
        { roleId: accountant, roleName: 'Accountant', roleKey: 'accountant', branchId: null },
        { roleId: frontDesk, roleName: 'Front desk', roleKey: 'front_desk', branchId: branch.id },
        { roleId: frontDesk, roleName: 'Front desk', roleKey: 'front_desk', branchId: institute.branchId },
      ]),
    )
    expect((await member.get('/students')).status).toBe(200)
    const less = await institute.owner.put(`/members/${membershipId}/roles`, {
      roles: [{ roleId: frontDesk, branchId: branch.id }],
    })
    expect(less.body.roles).toMatchObject([{ roleId: frontDesk, branchId: branch.id }])
    const entries = await auditOf(app, institute, 'members.replace-roles')
    expect(entries.at(-1)).toMatchObject({ entity_id: membershipId, before: body, after: less.body })
  })

  test('the current roles, sent in another order, do not change the membership', async () => {
    const { membershipId } = await institute.member({ role: 'student' })
    const roles = [{ roleId: institute.roles.accountant }, { roleId: institute.roles.front_desk }]
    const put = (wanted: unknown[]) => institute.owner.put(`/members/${membershipId}/roles`, { roles: wanted })
    const rows = () =>
      Promise.all([
        app.app.database.read.selectFrom('membership').selectAll().where('id', '=', membershipId).execute(),
        app.app.database.read
          .selectFrom('role_assignment')
          .selectAll()
          .where('membership_id', '=', membershipId)
          .orderBy('id')
          .execute(),
      ])
    const { body } = await put(roles)
    const before = await rows()
    app.clock.advance(1)
    expect(await put(roles.toReversed())).toMatchObject({ status: 200, body })
    expect(await rows()).toEqual(before)
  })

  test('asks for at least one role', async () => {
    const { membershipId } = await institute.member({ role: 'student' })
    const { status, body } = await institute.owner.put(`/members/${membershipId}/roles`, { roles: [] })
    expect(status).toBe(422)
    expect(body.error.details.issues).toEqual([{ path: ['roles'], message: 'Must name at least one role.' }])
  })

  test('an unknown role or branch, or one of another institute, is 404', async () => {
    const { membershipId } = await institute.member({ role: 'student' })
    const other = await makeInstitute(app)
    const put = (roles: unknown[]) => institute.owner.put(`/members/${membershipId}/roles`, { roles })
    const { student } = institute.roles
    expect((await put([{ roleId: newId() }])).status).toBe(404)
    expect((await put([{ roleId: other.roles.student }])).status).toBe(404)
    expect((await put([{ roleId: student, branchId: other.branchId }])).status).toBe(404)
    expect((await put([{ roleId: student }])).status).toBe(200)
  })

  test('of many concurrent requests the result is one of the requested sets', async () => {
    const { membershipId } = await institute.member({ role: 'student' })
    const { accountant, front_desk: frontDesk } = institute.roles
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        institute.owner.put(`/members/${membershipId}/roles`, {
          roles: [{ roleId: n % 2 === 0 ? accountant : frontDesk }],
        }),
      ),
    )
    expect(replies.map((reply) => reply.status)).toEqual(Array<number>(10).fill(200))
    expect((await memberOf(membershipId))?.roles).toHaveLength(1)
  })
})

describe('nobody can grant permissions that they do not hold: 403 PERMISSION_ESCALATION', () => {
  const escalation = { status: 403, body: { error: { code: 'PERMISSION_ESCALATION' } } }

  test('an admin, who lacks roles.manage, cannot make or invite an owner', async () => {
    const admin = await institute.member({ role: 'admin' })
    const { membershipId } = await institute.member({ role: 'student' })
    const { owner, admin: adminRole, teacher } = institute.roles
    const put = (roleId: string) => admin.put(`/members/${membershipId}/roles`, { roles: [{ roleId }] })
    expect(await put(owner)).toMatchObject(escalation)
    expect(await put(adminRole)).toMatchObject({ status: 200 })
    const invite = (email: string, roleId: string) => admin.post('/members', { email, roleId })
    expect(await invite('second-owner@example.org', owner)).toMatchObject(escalation)
    expect(await invite('new-teacher@example.org', teacher)).toMatchObject({ status: 201 })
  })

  test('holding every permission does not make an owner', async () => {
    const { body: all } = await institute.owner.get(`/roles/${institute.roles.owner}`)
    const almost = await institute.member({ permissions: all.permissions })
    const { membershipId } = await institute.member({ role: 'student' })
    const body = { roles: [{ roleId: institute.roles.owner }] }
    expect(await almost.put(`/members/${membershipId}/roles`, body)).toMatchObject(escalation)
    expect(await institute.owner.put(`/members/${membershipId}/roles`, body)).toMatchObject({ status: 200 })
  })

  test('for one branch, holding it at that branch suffices', async () => {
    const { membershipId, roleId, ...manager } = await institute.member({ permissions: ['members.manage'] })
    const { body: branch } = await institute.owner.post('/branches', { name: 'Handed out' })
    const frontDesk = institute.roles.front_desk
    await institute.owner.put(`/members/${membershipId}/roles`, {
      roles: [{ roleId }, { roleId: frontDesk, branchId: branch.id }],
    })
    const member = await institute.member({ role: 'student' })
    const put = (branchId?: string) =>
      manager.put(`/members/${member.membershipId}/roles`, { roles: [{ roleId: frontDesk, branchId }] })
    expect(await put()).toMatchObject(escalation)
    expect(await put(institute.branchId)).toMatchObject(escalation)
    expect(await put(branch.id)).toMatchObject({ status: 200 })
    const invite = (branchId?: string) =>
      manager.post('/members', { email: 'desk@example.org', roleId: frontDesk, branchId })
    expect(await invite()).toMatchObject(escalation)
    expect(await invite(branch.id)).toMatchObject({ status: 201 })
  })

  test('roles that a member keeps need not be granted again', async () => {
    const admin = await institute.member({ role: 'admin' })
    const { membershipId } = await newOwner(institute)
    const { owner, teacher } = institute.roles
    const { status, body } = await admin.put(`/members/${membershipId}/roles`, {
      roles: [{ roleId: owner }, { roleId: teacher }],
    })
    expect(status).toBe(200)
    expect(body.roles).toHaveLength(2)
  })

  test('the owner’s role applies only to the whole institute: 422 with a branch', async () => {
    const { membershipId } = await institute.member({ role: 'student' })
    const roleId = institute.roles.owner
    const { branchId } = institute
    const put = await institute.owner.put(`/members/${membershipId}/roles`, { roles: [{ roleId, branchId }] })
    expect(put.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path: ['roles'] }] } })
    const invited = await institute.owner.post('/members', { email: 'o@example.org', roleId, branchId })
    expect(invited.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: ['branchId'] }] },
    })
  })
})

describe('the last active owner', () => {
  const conflict = { status: 409, body: { error: { code: 'CONFLICT' } } }

  test('cannot be disabled, deleted or deprived of the role: 409', async () => {
    const fresh = await makeInstitute(app)
    const admin = await fresh.member({ role: 'admin' })
    const [owner] = (await members(fresh)).toReversed()
    const path = `/members/${owner?.membershipId}`
    expect(await admin.patch(path, { status: 'disabled' })).toMatchObject(conflict)
    expect(await admin.delete(path)).toMatchObject(conflict)
    const other = { roles: [{ roleId: fresh.roles.teacher }] }
    expect(await admin.put(`${path}/roles`, other)).toMatchObject(conflict)
    expect(await fresh.owner.put(`${path}/roles`, other)).toMatchObject(conflict)

    const second = await newOwner(fresh)
    expect(await fresh.owner.patch(`/members/${second.membershipId}`, { status: 'disabled' })).toMatchObject({
      status: 200,
    })
    // A disabled owner does not count.
    expect(await admin.delete(path)).toMatchObject(conflict)
    await fresh.owner.patch(`/members/${second.membershipId}`, { status: 'active' })
    expect(await admin.delete(path)).toMatchObject({ status: 200 })
  })

  test.each([1, 2, 3])('two concurrent requests that remove the last two owners do not both succeed (%i)', async () => {
    const fresh = await makeInstitute(app)
    const second = await newOwner(fresh)
    const [first] = (await members(fresh)).toReversed()
    const admins = await Promise.all([1, 2, 3].map(() => fresh.member({ role: 'admin' })))
    const other = { roles: [{ roleId: fresh.roles.teacher }] }
    const replies = await Promise.all([
      admins[0]?.patch(`/members/${first?.membershipId}`, { status: 'disabled' }),
      admins[1]?.delete(`/members/${second.membershipId}`),
      admins[2]?.put(`/members/${second.membershipId}/roles`, other),
      fresh.owner.patch(`/members/${second.membershipId}`, { status: 'disabled' }),
      second.delete(`/members/${first?.membershipId}`),
    ])
    expect(replies.filter((reply) => reply?.status === 200).length).toBeGreaterThan(0)
    const { database } = app.app
    const left = await database.read
      .selectFrom('membership')
      .innerJoin('role_assignment', 'role_assignment.membership_id', 'membership.id')
      .select('membership.id')
      .where('membership.tenant_id', '=', fresh.tenant.id)
      .where('membership.status', '=', 'active')
      .where('role_assignment.role_id', '=', fresh.roles.owner)
      .execute()
    expect(left).toHaveLength(1)
  })
})

describe('an impersonated session', () => {
  test('cannot invite anybody, or send an invitation again: 403', async () => {
    const session = await impersonated(institute)
    const roleId = institute.roles.teacher
    expect((await session.get('/members')).status).toBe(200)
    const refused = { status: 403, body: { error: { code: 'FORBIDDEN', details: { reason: 'impersonated' } } } }
    expect(await session.post('/members', { email: 'no@example.org', roleId })).toMatchObject(refused)
    await institute.owner.post('/members', { email: 'waits@example.org', roleId })
    const waits = (await members()).find((member) => member.email === 'waits@example.org')
    expect(await session.post(`/members/${waits?.membershipId}/resend-invitation`)).toMatchObject(refused)
    expect((await eventsOf(app, institute, 'member.invited')).map((data) => data.email)).not.toContain('no@example.org')
  })
})
