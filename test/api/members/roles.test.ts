import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_PERMISSIONS, SYSTEM_ROLES } from '#kernel/rights/permissions.ts'
import { roles as roleNames } from '#shared/role-words/en.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'

let app: TestApp
let institute: TestInstitute
let made = 0

const newRole = async (permissions: string[] = ['students.read']) => {
  made += 1
  return (await institute.owner.post('/roles', { name: `Made ${made}`, permissions })).body
}

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe('the registry of permissions', () => {
  test('GET /permissions is one page of every permission, for any user, with or without an institute', async () => {
    const { sessionId, userId, ...member } = await institute.member({ permissions: [] })
    const { status, body } = await member.get('/permissions')
    expect(status).toBe(200)
    expect(body.nextCursor).toBeNull()
    expect(body.data.map((one: { key: string }) => one.key)).toEqual([...ALL_PERMISSIONS])
    expect(body.data[0]).toEqual({ key: 'students.read', description: expect.any(String), group: 'people' })
    const outside = app.as(await app.app.tokens.issue({ userId, sessionId, tenantId: null }))
    expect((await outside.get('/permissions')).status).toBe(200)
  })
})

describe('roles', () => {
  test('an institute starts with the eight system roles, of which the owner’s has every permission', async () => {
    const { body } = await (await makeInstitute(app)).owner.get('/roles')
    expect(body.data).toHaveLength(SYSTEM_ROLES.length)
    for (const { key, permissions } of SYSTEM_ROLES) {
      expect(body.data).toContainEqual(
        expect.objectContaining({
          key,
          name: roleNames[key],
          isSystem: true,
          permissions: [...permissions],
          version: 1,
        }),
      )
    }
  })

  test.each([
    ['ar', 'مالك المعهد', 'معلّم/ة'],
    ['he', 'בעלים', 'מורה'],
  ] as const)(
    'they are named in the language of the institute, %s, and keep their keys',
    async (locale, owner, teacher) => {
      const { body } = await (await makeInstitute(app, { defaultLocale: locale })).owner.get('/roles')
      const names = Object.fromEntries(body.data.map(({ key, name }: { key: string; name: string }) => [key, name]))
      expect(names).toMatchObject({ owner, teacher })
      expect(Object.keys(names).toSorted()).toEqual(SYSTEM_ROLES.map(({ key }) => key).toSorted())
    },
  )

  test('GET /roles runs through pages, newest first', async () => {
    const newest = await newRole()
    const { body: first } = await institute.owner.get('/roles?limit=3')
    expect(first.data[0].id).toBe(newest.id)
    const { body: second } = await institute.owner.get(`/roles?limit=3&cursor=${first.nextCursor}`)
    const ids = [...first.data, ...second.data].map((role: { id: string }) => role.id)
    expect(new Set(ids).size).toBe(6)
  })

  test('members.read permits the list, and nothing else', async () => {
    const reader = await institute.member({ permissions: ['members.read'] })
    expect((await reader.get('/roles')).status).toBe(200)
    expect((await reader.get(`/roles/${institute.roles.teacher}`)).body.error.code).toBe('FORBIDDEN')
    expect((await reader.post('/roles', { name: 'No', permissions: [] })).body.error.code).toBe('FORBIDDEN')
  })

  test('POST answers 201 with the role: no key, version 1, permissions without duplicates', async () => {
    const { status, body } = await institute.owner.post('/roles', {
      name: ' Librarian ',
      description: '',
      permissions: ['students.read', 'files.write', 'students.read'],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      key: null,
      name: 'Librarian',
      description: null,
      isSystem: false,
      asksSecondFactor: false,
      permissions: ['students.read', 'files.write'],
      version: 1,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    expect((await institute.owner.get(`/roles/${body.id}`)).body).toEqual(body)
    const entries = await auditOf(app, institute, 'roles.create')
    expect(entries.at(-1)).toMatchObject({
      entity_type: 'role',
      entity_id: body.id,
      before: null,
      after: body,
      actor_user_id: institute.ownerUserId,
    })
  })

  test('an unknown permission is 422 at its place', async () => {
    const { status, body } = await institute.owner.post('/roles', { name: 'X', permissions: ['students.read', 'all'] })
    expect(status).toBe(422)
    expect(body.error.details.issues).toEqual([
      { path: ['permissions', '1'], message: '"all" is no permission: GET /permissions lists them.' },
    ])
  })

  test('a name is unique within the institute: 409', async () => {
    const role = await newRole()
    const again = await institute.owner.post('/roles', { name: role.name, permissions: [] })
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    const other = await newRole()
    expect((await institute.owner.patch(`/roles/${other.id}`, { name: role.name })).status).toBe(409)
    const elsewhere = await makeInstitute(app)
    expect((await elsewhere.owner.post('/roles', { name: role.name, permissions: [] })).status).toBe(201)
  })

  test('PATCH changes the given fields, and raises the version', async () => {
    const role = await newRole()
    const { status, body } = await institute.owner.patch(`/roles/${role.id}`, {
      description: 'Looks after the books',
      permissions: ['leads.write', 'groups.read'],
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...role,
      description: 'Looks after the books',
      permissions: ['groups.read', 'leads.write'],
      version: 2,
    })
    const cleared = await institute.owner.patch(`/roles/${role.id}`, { description: null })
    expect(cleared.body).toMatchObject({ description: null, permissions: ['groups.read', 'leads.write'], version: 3 })
    const entries = await auditOf(app, institute, 'roles.update')
    expect(entries.at(-1)).toMatchObject({ entity_id: role.id, before: body, after: cleared.body })
  })

  test('a version that no longer matches is 409 VERSION_CONFLICT with both versions', async () => {
    const role = await newRole()
    expect((await institute.owner.patch(`/roles/${role.id}`, { name: `${role.name}!`, version: 1 })).status).toBe(200)
    const late = await institute.owner.patch(`/roles/${role.id}`, { name: 'Late', version: 1 })
    expect(late.status).toBe(409)
    expect(late.body.error).toMatchObject({ code: 'VERSION_CONFLICT', details: { expected: 1, current: 2 } })
  })

  test('of many concurrent changes of the same version, one succeeds', async () => {
    const role = await newRole()
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        institute.owner.patch(`/roles/${role.id}`, { description: `By ${n}`, version: 1 }),
      ),
    )
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array<number>(7).fill(409)])
  })

  test('the owner’s role is immutable: 403 ROLE_IMMUTABLE for any change', async () => {
    const path = `/roles/${institute.roles.owner}`
    for (const reply of [await institute.owner.patch(path, { name: 'Boss' }), await institute.owner.delete(path)]) {
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'ROLE_IMMUTABLE' } } })
    }
  })

  test('the other system roles can be changed but not deleted', async () => {
    const fresh = await makeInstitute(app)
    const teacher = `/roles/${fresh.roles.teacher}`
    const changed = await fresh.owner.patch(teacher, { name: 'Tutor', permissions: ['groups.read', 'files.read'] })
    expect(changed.body).toMatchObject({ key: 'teacher', name: 'Tutor', permissions: ['groups.read', 'files.read'] })
    expect((await fresh.owner.delete(teacher)).body.error.code).toBe('CONFLICT')
  })

  test('students and guardians cannot hold staff permissions: 422', async () => {
    for (const id of [institute.roles.student, institute.roles.guardian]) {
      const { status, body } = await institute.owner.patch(`/roles/${id}`, { permissions: ['files.read'] })
      expect(status).toBe(422)
      expect(body.error.details.issues[0].path).toEqual(['permissions'])
    }
    const renamed = await institute.owner.patch(`/roles/${institute.roles.student}`, { name: 'Pupil', permissions: [] })
    expect(renamed.body).toMatchObject({ name: 'Pupil', permissions: [] })
  })

  test('DELETE is 409 while the role is assigned, else Ok', async () => {
    const role = await newRole()
    const { membershipId } = await institute.member({ role: 'front_desk' })
    await institute.owner.put(`/members/${membershipId}/roles`, { roles: [{ roleId: role.id }] })
    expect((await institute.owner.delete(`/roles/${role.id}`)).body.error.code).toBe('CONFLICT')
    await institute.owner.put(`/members/${membershipId}/roles`, { roles: [{ roleId: institute.roles.front_desk }] })
    expect(await institute.owner.delete(`/roles/${role.id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await institute.owner.get(`/roles/${role.id}`)).status).toBe(404)
    expect((await auditOf(app, institute, 'roles.delete')).at(-1)).toMatchObject({ entity_id: role.id, after: null })
  })

  test('a change of a role takes effect with the next request', async () => {
    const role = await newRole(['members.read'])
    const { membershipId, ...member } = await institute.member({ role: 'student' })
    expect((await member.get('/members')).status).toBe(403)
    await institute.owner.put(`/members/${membershipId}/roles`, { roles: [{ roleId: role.id }] })
    expect((await member.get('/members')).status).toBe(200)
    await institute.owner.patch(`/roles/${role.id}`, { permissions: ['students.read'] })
    expect((await member.get('/members')).status).toBe(403)
  })
})

describe('nobody can grant permissions that they do not hold: 403 PERMISSION_ESCALATION', () => {
  test('by creating a role', async () => {
    const keeper = await institute.member({ permissions: ['roles.manage', 'students.write'] })
    const refused = await keeper.post('/roles', { name: 'More', permissions: ['students.write', 'invoices.write'] })
    expect(refused.status).toBe(403)
    expect(refused.body.error).toMatchObject({
      code: 'PERMISSION_ESCALATION',
      details: { permissions: ['invoices.write'] },
    })
    // students.write implies students.read.
    const { status } = await keeper.post('/roles', { name: 'Less', permissions: ['students.read', 'students.write'] })
    expect(status).toBe(201)
  })

  test('by adding to a role, their own included; permissions that the role has may stay or go', async () => {
    const role = await newRole(['invoices.write', 'students.read'])
    const keeper = await institute.member({ permissions: ['roles.manage', 'groups.read'] })
    const own = await keeper.patch(`/roles/${keeper.roleId}`, { permissions: [...ALL_PERMISSIONS] })
    expect(own.body.error.code).toBe('PERMISSION_ESCALATION')
    const path = `/roles/${role.id}`
    const more = await keeper.patch(path, { permissions: ['invoices.write', 'students.write'] })
    expect(more.body.error).toMatchObject({
      code: 'PERMISSION_ESCALATION',
      details: { permissions: ['students.write'] },
    })
    expect((await keeper.patch(path, { permissions: ['invoices.write', 'groups.read'] })).status).toBe(200)
    expect((await keeper.patch(path, { name: 'Renamed' })).status).toBe(200)
  })

  test('not even when they hold it for one branch', async () => {
    const { membershipId, ...keeper } = await institute.member({ permissions: ['roles.manage'] })
    const students = await newRole(['students.read'])
    const { body: member } = await institute.owner.get('/members')
    const held = member.data.find((one: { membershipId: string }) => one.membershipId === membershipId)
    await institute.owner.put(`/members/${membershipId}/roles`, {
      roles: [{ roleId: held.roles[0].roleId }, { roleId: students.id, branchId: institute.branchId }],
    })
    expect((await keeper.get('/students')).status).toBe(200)
    const refused = await keeper.post('/roles', { name: 'Wider', permissions: ['students.read'] })
    expect(refused.body.error.code).toBe('PERMISSION_ESCALATION')
  })
})
