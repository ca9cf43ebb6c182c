import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import type { Permission, SystemRoleKey } from '#kernel/rights/permissions.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { loadExamples, pathOf, sendExample, worldOf, type Example } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { auditOf } from '#kit/records.ts'
import { emailOf, impersonate, PASSWORD } from '#kit/sign-in.ts'
import { newApiKey } from '../examples/integrations.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: NO_LIMITS })
})
afterAll(() => app.close())

const LONG = 'a green gate by the sea'

const begin = (client: Client, roleId: string, body: object = {}): Promise<Reply> =>
  client.post(`/roles/${roleId}/preview`, body)

/** A client that looks as the role. */
const lookAs = async (client: Client, roleId: string, body: object = {}, on: TestApp = app): Promise<Client> => {
  const reply = await begin(client, roleId, body)
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 })
  return on.as(reply.body.accessToken)
}

const newRole = async ({ owner }: TestInstitute, permissions: Permission[], name = 'Evenings') => {
  const { status, body } = await owner.post('/roles', { name, permissions })
  expect(status).toBe(201)
  return body as { id: string; name: string; version: number }
}

const refused = (reason: string) => ({ status: 403, body: { error: { code: 'FORBIDDEN', details: { reason } } } })
const OVER = { status: 401, body: { error: { code: 'UNAUTHORIZED' } } }

describe('POST /roles/{id}/preview', () => {
  test('answers a token for a quarter of an hour, by which one is nobody but the role', async () => {
    const institute = await makeInstitute(app)
    const role = await newRole(institute, ['students.write', 'groups.read'])
    const { status, body } = await begin(institute.owner, role.id)
    expect(status).toBe(200)
    const expiresAt = new Date(app.clock.millis() + 900_000).toISOString()
    expect(body).toEqual({ accessToken: expect.any(String), expiresAt })
    const own = (await institute.owner.get('/auth/me')).body
    expect(own.preview).toBeNull()
    const me = (await app.as(body.accessToken).get('/auth/me')).body
    expect(me).toEqual({
      ...own,
      permissions: ['students.read', 'students.write', 'groups.read'],
      limits: [],
      memberships: [{ ...own.memberships[0], roles: [{ roleId: role.id, roleName: 'Evenings', roleKey: null }] }],
      preview: { roleId: role.id, roleKey: null, roleName: 'Evenings', branchId: null, endsAt: expiresAt },
      deviceKey: null,
    })
    expect((await institute.owner.get('/auth/me')).body).toEqual(own)
  })

  test('stands in the history of the institute, and so does its end by whoever looked', async () => {
    const institute = await makeInstitute(app)
    const role = await newRole(institute, ['students.read'])
    const { body } = await begin(institute.owner, role.id, { branchId: institute.branchId })
    const [entry] = await auditOf(app, institute, 'roles.preview')
    const { branchId, ownerUserId } = institute
    const who = { actor_type: 'user', actor_user_id: ownerUserId, entity_type: 'role', entity_id: role.id }
    expect(entry).toMatchObject({
      ...who,
      before: { name: 'Evenings' },
      metadata: { branchId, expiresAt: body.expiresAt },
    })
    const looking = app.as(body.accessToken)
    expect(await looking.delete(`/roles/${institute.roles.teacher}/preview`)).toMatchObject({ status: 404 })
    expect(await institute.owner.delete(`/roles/${role.id}/preview`)).toMatchObject({ status: 404 })
    expect(await looking.delete(`/roles/${role.id}/preview`)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await auditOf(app, institute, 'roles.end-preview')).toMatchObject([who])
    expect(await looking.get('/students')).toMatchObject(OVER)
    expect((await institute.owner.get('/students')).status).toBe(200)
  })

  test('shows one branch where the role would be given for that, and of a role of teachers no group', async () => {
    const institute = await makeInstitute(app)
    const { owner } = institute
    const { body: north } = await owner.post('/branches', { name: 'North' })
    const names = async (client: Client) =>
      (await client.get('/students')).body.data.map(({ firstName }: { firstName: string }) => firstName).toSorted()
    for (const [firstName, branchId] of [
      ['Lina', institute.branchId],
      ['Omar', north.id],
    ])
      await owner.post('/students', { branchId, firstName, lastName: 'Khoury' })
    const { front_desk: desk, teacher } = institute.roles
    expect(await names(await lookAs(owner, desk))).toEqual(['Lina', 'Omar'])
    expect(await names(await lookAs(owner, desk, { branchId: north.id }))).toEqual(['Omar'])
    expect(await names(await lookAs(owner, desk, { branchId: null }))).toEqual(['Lina', 'Omar'])
    // The owner teaches: it is the role that is looked at, and not they.
    const staff = { branchId: institute.branchId, firstName: 'Rania', lastName: 'Saleh', userId: institute.ownerUserId }
    expect((await owner.post('/staff', staff)).status).toBeLessThan(500)
    const looking = await lookAs(owner, teacher)
    expect(await names(looking)).toEqual([])
    expect((await looking.get('/me/teaching/today')).body).toMatchObject({ staffId: null, sessions: [] })
  })

  test('is for whoever manages roles, of a role that they could give', async () => {
    const institute = await makeInstitute(app)
    const { roles, owner } = institute
    const keeper = await institute.member({ permissions: ['roles.manage', 'students.read'] })
    const less = await newRole(institute, ['students.read'], 'Less')
    const more = await newRole(institute, ['students.write'], 'More')
    expect((await begin(keeper, less.id)).status).toBe(200)
    expect(await begin(keeper, more.id)).toMatchObject({
      status: 403,
      body: { error: { code: 'PERMISSION_ESCALATION', details: { permissions: ['students.write'] } } },
    })
    expect(await begin(await institute.member({ role: 'admin' }), less.id)).toMatchObject(refused('permission_missing'))
    // It may do more than its list says.
    const everything = await institute.member({ permissions: (await owner.get('/auth/me')).body.permissions })
    expect(await begin(everything, roles.owner)).toMatchObject({
      status: 403,
      body: { error: { code: 'PERMISSION_ESCALATION' } },
    })
    expect((await begin(everything, roles.admin)).status).toBe(200)
    expect((await begin(owner, roles.owner)).status).toBe(200)
  })

  test('is refused for what is not there, for what a role cannot be, and to programs', async () => {
    const institute = await makeInstitute(app)
    const { owner, roles } = institute
    const other = await makeInstitute(app)
    expect((await begin(owner, other.roles.teacher)).status).toBe(404)
    expect((await begin(owner, roles.teacher, { branchId: other.branchId })).status).toBe(404)
    expect((await begin(owner, roles.owner, { branchId: institute.branchId })).status).toBe(422)
    expect((await begin(owner, roles.teacher, { branchId: 'north' })).status).toBe(422)
    const { key } = await newApiKey(institute, { permissions: ['roles.manage'] })
    expect(await begin(app.as(key), roles.teacher)).toMatchObject(refused('user_only'))
    const visit = await impersonate(app, { userId: institute.ownerUserId, tenantId: institute.tenant.id })
    expect(await begin(visit, roles.teacher)).toMatchObject(refused('impersonated'))
    expect(await begin(await platformAdmin(app), roles.teacher)).toMatchObject(refused('tenant_not_selected'))
    expect(await begin(await lookAs(owner, roles.owner), roles.teacher)).toMatchObject(refused('previewing'))
  })
})

describe('it ends', () => {
  test('a quarter of an hour after it began, whatever other tokens live for, and is not renewed', async () => {
    for (const accessTokenSeconds of [60, 86_400]) {
      const other = await startApp({ config: { accessTokenSeconds } })
      const institute = await makeInstitute(other)
      const looking = await lookAs(institute.owner, institute.roles.front_desk, {}, other)
      other.clock.advance(899)
      expect((await looking.get('/students')).status).toBe(200)
      other.clock.advance(1)
      expect(await looking.get('/students')).toMatchObject(OVER)
      await other.close()
    }
  })

  const ENDS: Record<string, (own: Client, userId: string) => Promise<Reply>> = {
    'signs out': (own) => own.post('/auth/logout'),
    'signs out everywhere': (own) => own.post('/auth/logout-all'),
    'has no account any more': async (_, userId) =>
      (await platformAdmin(app)).patch(`/platform/users/${userId}`, { status: 'disabled' }),
  }
  test.each(Object.entries(ENDS))('once whoever looks %s', async (_, end) => {
    const institute = await makeInstitute(app)
    await institute.member({ role: 'owner' })
    const { body } = await app.post('/auth/login', {
      email: emailOf(institute.ownerUserId),
      password: PASSWORD,
      client: 'mobile',
    })
    const own = app.as(body.accessToken)
    const looking = await lookAs(own, institute.roles.front_desk)
    const beside = await lookAs(institute.owner, institute.roles.front_desk)
    expect((await looking.get('/students')).status).toBe(200)
    expect((await end(own, institute.ownerUserId)).status).toBe(200)
    expect((await looking.get('/students')).status).toBeGreaterThanOrEqual(401)
    // Signing out in one place leaves what was begun in another.
    expect((await beside.get('/students')).status === 200).toBe(end === ENDS['signs out'])
  })

  test('with the session from which it was begun, when another one chose a new password', async () => {
    const institute = await makeInstitute(app)
    const { ownerUserId, roles } = institute
    const { body } = await app.post('/auth/login', {
      email: emailOf(ownerUserId),
      password: PASSWORD,
      client: 'mobile',
    })
    const looking = await lookAs(app.as(body.accessToken), roles.front_desk)
    await institute.owner.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: LONG })
    expect(await looking.get('/students')).toMatchObject(OVER)
  })

  test('once the role is changed or deleted, and the next request says so', async () => {
    const institute = await makeInstitute(app)
    const { owner } = institute
    for (const change of [
      (id: string) => owner.patch(`/roles/${id}`, { permissions: ['students.read', 'groups.read'] }),
      (id: string) => owner.patch(`/roles/${id}`, { name: 'Mornings' }),
      (id: string) => owner.delete(`/roles/${id}`),
    ]) {
      const role = await newRole(institute, ['students.read'], `Role ${Math.random()}`)
      const looking = await lookAs(owner, role.id)
      expect((await looking.get('/students')).status).toBe(200)
      expect((await change(role.id)).status).toBe(200)
      expect(await looking.get('/students')).toMatchObject(refused('preview_ended'))
      expect(await looking.get('/auth/me')).toMatchObject(refused('preview_ended'))
    }
  })

  test('once whoever looks could not give the role any more', async () => {
    const institute = await makeInstitute(app)
    const { owner } = institute
    const role = await newRole(institute, ['students.read'])
    for (const permissions of [['students.read'], ['roles.manage']] as const) {
      const keeper = await institute.member({ permissions: ['roles.manage', 'students.read'] })
      const looking = await lookAs(keeper, role.id)
      const { id } = await newRole(institute, [...permissions], `Left ${permissions[0]}`)
      await owner.put(`/members/${keeper.membershipId}/roles`, { roles: [{ roleId: id }] })
      expect(await looking.get('/students')).toMatchObject(refused('preview_ended'))
    }
    const keeper = await institute.member({ permissions: ['roles.manage', 'students.read'] })
    const looking = await lookAs(keeper, role.id)
    await owner.patch(`/members/${keeper.membershipId}`, { status: 'disabled' })
    expect(await looking.get('/students')).toMatchObject(refused('preview_ended'))
  })

  test('when the role is changed in the instant in which it begins, or shows the role as it is then', async () => {
    const institute = await makeInstitute(app)
    const { owner } = institute
    for (let turn = 0; turn < 8; turn += 1) {
      const role = await newRole(institute, ['students.read'], `Turn ${turn}`)
      const [begun, changed] = await Promise.all([
        begin(owner, role.id),
        owner.patch(`/roles/${role.id}`, { permissions: ['groups.read'] }),
      ])
      expect(changed.status).toBe(200)
      expect(begun.status).toBe(200)
      const looking = app.as(begun.body.accessToken)
      const [students, groups] = [await looking.get('/students'), await looking.get('/groups')]
      const isOver = (reply: Reply) => reply.body.error?.details.reason === 'preview_ended'
      expect([students.status, isOver(groups) || groups.status === 200]).toEqual([403, true])
      expect(isOver(students)).toBe(isOver(groups))
    }
  })
})

test('it is none of the devices of whoever looks, and ends with theirs', async () => {
  const institute = await makeInstitute(app)
  const member = await institute.member({ permissions: ['roles.manage', 'members.manage', 'students.read'] })
  const role = await newRole(institute, ['students.read'])
  const looking = await lookAs(member, role.id)
  expect((await member.get('/auth/sessions')).body.data).toHaveLength(1)
  const listed = await institute.owner.get(`/members/sessions?membershipId=${member.membershipId}`)
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([member.sessionId])
  expect((await institute.owner.delete(`/members/${member.membershipId}/sessions`)).status).toBe(200)
  const [entry] = await auditOf(app, institute, 'members.end-sessions')
  expect(entry?.metadata).toMatchObject({ endedSessions: 1 })
  expect(await looking.get('/students')).toMatchObject(OVER)
})

test('a paper that is printed meanwhile is a copy, and the original is still there for whom it is', async () => {
  const institute = await makeInstitute(app)
  const { owner, branchId, roles } = institute
  const { body: student } = await owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' })
  const lines = [{ description: 'November', unitAmountMinor: 45_000 }]
  const { body: invoice } = await owner.post('/invoices', { studentId: student.id, dueDate: '2030-01-31', lines })
  await owner.post(`/invoices/${invoice.id}/issue`, {})
  const paid = { amountMinor: 45_000, currency: 'ILS', method: 'cash' }
  expect((await owner.post(`/invoices/${invoice.id}/payments`, paid)).status).toBe(201)
  const [receipt] = (await owner.get('/receipts')).body.data
  const looking = await lookAs(owner, roles.front_desk)
  expect((await looking.get(`/receipts/${receipt.id}/pdf`)).status).toBe(200)
  expect(await auditOf(app, institute, 'receipts.pdf')).toEqual([])
  expect((await owner.get(`/receipts/${receipt.id}/pdf`)).status).toBe(200)
  expect(await auditOf(app, institute, 'receipts.pdf')).toHaveLength(1)
})

const maker = await loadExamples()
const { app: probe } = await startApp()
const endpoints = [...probe.endpoints]
await probe.close()

/** The reply without what differs from request to request; of a file, of what kind it is. */
const seen = ({ status, headers, body }: Reply) => {
  const type = headers.get('content-type')
  if (!type?.startsWith('application/json')) return { status, type }
  const { error, ...rest } = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : { value: body }
  return { status, ...rest, ...(error && { error: { code: error.code, details: error.details } }) }
}

const isOwnOrLasting = ({ access, lasting, previewedToo }: Endpoint): boolean =>
  !previewedToo && (access === 'user' || lasting)

describe('every operation', () => {
  const ROLES: readonly SystemRoleKey[] = [
    'admin',
    'branch_manager',
    'teacher',
    'front_desk',
    'accountant',
    'student',
    'guardian',
  ]

  test.each(
    endpoints
      .filter(({ access, method }) => access !== 'anyone' && method !== 'GET')
      .map((one) => [one.id, one] as const),
  )('%s changes nothing', async (id, endpoint) => {
    const institute = await makeInstitute(app, { features: { mcp: true, advanced_reports: true } })
    const looking = await lookAs(institute.owner, institute.roles.owner)
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => [name, institute.roles.owner]),
    )
    const example: Example = { params }
    const reply = await looking.send(endpoint.method, pathOf(endpoint, example), { body: {} })
    if (id === 'roles.end-preview') expect(reply.status).toBe(200)
    else expect(reply, JSON.stringify(reply.body)).toMatchObject(refused('previewing'))
  })

  describe('is read as a new member of the role reads it', () => {
    let institute: TestInstitute
    const asked: [Endpoint, Example][] = []
    beforeAll(async () => {
      institute = await makeInstitute(app, { features: { advanced_reports: true } })
      const world = worldOf(app, institute)
      for (const endpoint of endpoints) {
        const { access, method, path } = endpoint
        if (method !== 'GET' || access === 'anyone' || access === 'platform' || path.startsWith('/platform')) continue
        const example = await maker(endpoint).make(world)
        if (example.as === undefined) asked.push([endpoint, example])
      }
    }, 120_000)

    test('with more than a hundred of them', () => expect(asked.length).toBeGreaterThan(100))

    for (const role of ROLES) {
      for (const isForBranch of [false, true]) {
        test(`${role}${isForBranch ? ' of one branch' : ''}`, async () => {
          const { branchId } = institute
          const member = await institute.member({ role, ...(isForBranch && { branchId }) })
          const owner = await institute.member({ role: 'owner' })
          const looking = await lookAs(owner, institute.roles[role], isForBranch ? { branchId } : {})
          for (const [endpoint, example] of asked) {
            const reply = await sendExample(endpoint, example, looking)
            const theirs = await sendExample(endpoint, example, member)
            if (endpoint.id === 'auth.me') continue
            const expected = isOwnOrLasting(endpoint) ? seen(reply) : seen(theirs)
            expect([endpoint.id, seen(reply)]).toEqual([endpoint.id, expected])
            if (isOwnOrLasting(endpoint)) expect(reply).toMatchObject(refused('previewing'))
          }
        }, 60_000)
      }
    }
  })
})
