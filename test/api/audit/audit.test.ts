import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { forAudit } from '#runtime/change/redact.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newSetup } from '#kit/setup.ts'
import { emailOf, PASSWORD } from '#kit/sign-in.ts'
import { newEnrollment } from '../examples/academics.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const newBranch = async (name: string) => {
  app.clock.advance(1)
  return (await institute.owner.post('/branches', { name })).body
}

const entries = async (query = '') => (await institute.owner.get(`/audit${query}`)).body.data
const actions = async (query: string): Promise<string[]> =>
  (await entries(query)).map((entry: { action: string }) => entry.action)

describe('GET /audit', () => {
  test('is a page of entries, newest first, with who, when, from where and what', async () => {
    const branch = await newBranch('North')
    const { headers, status, body } = await institute.owner.send('PATCH', `/branches/${branch.id}`, {
      body: { code: 'N' },
    })
    expect(status).toBe(200)
    const [entry] = await entries()
    expect(entry).toEqual({
      id: expect.any(String),
      tenantId: institute.tenant.id,
      actorUserId: institute.ownerUserId,
      actorType: 'user',
      actorName: (await institute.owner.get('/me')).body.fullName,
      channel: 'web',
      action: 'branches.update',
      entityType: 'branch',
      entityId: branch.id,
      studentName: null,
      groupName: null,
      before: branch,
      after: body,
      metadata: null,
      requestId: headers.get('x-request-id'),
      ip: '127.0.0.1',
      createdAt: app.clock.now(),
    })
  })

  test('names the student and the group that a record is of, also where it tells of a change alone', async () => {
    const enrollmentId = await newEnrollment(worldOf(app, institute))
    await institute.owner.post(`/enrollments/${enrollmentId}/drop`, {})
    const whose = { entityType: 'enrollment', studentName: 'Dana Levi', groupName: 'English A' }
    expect(await entries(`?entityId=${enrollmentId}`)).toMatchObject([
      { action: 'enrollments.drop', ...whose },
      { action: 'enrollments.create', ...whose },
    ])
  })

  test('runs through pages', async () => {
    for (const name of ['A', 'B', 'C']) await newBranch(name)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await institute.owner.get(`/audit?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map((entry: { after: { name: string } }) => entry.after.name))
      cursor = body.nextCursor
    }
    // The first entry is about the institute's own branch.
    expect(seen.slice(0, 3)).toEqual(['C', 'B', 'A'])
    expect(seen).toHaveLength(4)
  })

  test('is narrowed by action, entityType, entityId and actorUserId, alone and together', async () => {
    const branch = await newBranch('North')
    const manager = await institute.member({ permissions: ['branches.manage'] })
    await manager.patch(`/branches/${branch.id}`, { code: 'N' })
    await institute.owner.post('/roles', { name: 'R', permissions: [] })
    expect(await actions('?action=branches.update')).toEqual(['branches.update'])
    expect(await actions('?entityType=role')).toEqual(['roles.create'])
    expect(await actions(`?entityId=${branch.id}`)).toEqual(['branches.update', 'branches.create'])
    expect(await actions(`?actorUserId=${manager.userId}`)).toEqual(['branches.update'])
    expect(await actions(`?entityId=${branch.id}&actorUserId=${institute.ownerUserId}`)).toEqual(['branches.create'])
    expect(await entries('?action=nothing.of.the.kind')).toEqual([])
    expect(await entries(`?entityId=${newId()}`)).toEqual([])
  })

  test('whoever signs in is named as the one who did it, and found by it', async () => {
    const { userId } = await institute.member({ permissions: [] })
    const body = { email: emailOf(userId), password: PASSWORD, client: 'web' }
    expect((await app.post('/auth/login', body)).status).toBe(200)
    const actorName = (await entries(`?actorUserId=${userId}`))[0]?.actorName
    expect(actorName).toEqual(expect.any(String))
    expect(await entries(`?actorUserId=${userId}`)).toMatchObject([
      { action: 'auth.login', actorType: 'public', actorUserId: userId, entityId: userId, actorName },
    ])
  })

  test('is narrowed by from and to, both included', async () => {
    const [first, second, third] = [await newBranch('1'), await newBranch('2'), await newBranch('3')]
    const names = async (query: string) =>
      (await entries(`?action=branches.create&${query}`)).map((entry: { after: { name: string } }) => entry.after.name)
    expect(await names(`from=${second.createdAt}`)).toEqual(['3', '2'])
    expect(await names(`from=${first.createdAt}&to=${second.createdAt}`)).toEqual(['2', '1'])
    expect(await names(`from=${third.createdAt}&to=${first.createdAt}`)).toEqual([])
  })

  test('refuses filters that are no ids or instants: 422', async () => {
    for (const query of ['entityId=x', 'actorUserId=x', 'from=yesterday', 'to=2026-03-01']) {
      expect((await institute.owner.get(`/audit?${query}`)).status).toBe(422)
    }
  })

  test('shows this institute’s entries alone', async () => {
    const other = await makeInstitute(app)
    const { body: branch } = await other.owner.post('/branches', { name: 'Theirs' })
    expect(await entries(`?entityId=${branch.id}`)).toEqual([])
    expect(await entries(`?actorUserId=${other.ownerUserId}`)).toEqual([])
  })

  test('needs audit.read for the whole institute', async () => {
    expect((await (await institute.member({ permissions: ['audit.read'] })).get('/audit')).status).toBe(200)
    const manager = await institute.member({ role: 'branch_manager' })
    expect((await manager.get('/audit')).body.error.code).toBe('FORBIDDEN')
    const inBranch = await institute.member({ role: 'admin', branchId: institute.branchId })
    expect((await inBranch.get('/audit')).body.error.code).toBe('FORBIDDEN')
  })

  test('a refused change leaves no entry', async () => {
    const before = await entries()
    expect((await institute.owner.delete(`/branches/${institute.branchId}`)).status).toBe(409)
    expect(await entries()).toEqual(before)
  })
})

describe('the audit log', () => {
  test('is append-only in the database itself', async () => {
    await newBranch('North')
    const { database } = app.app
    const before = await entries()
    await expect(
      database.write((db) =>
        db
          .updateTable('audit_entry')
          .set({ action: 'nothing' } as never)
          .execute(),
      ),
    ).rejects.toThrow('append-only')
    await expect(
      database.write((db) => db.deleteFrom('audit_entry').where('tenant_id', '=', institute.tenant.id).execute()),
    ).rejects.toThrow('append-only')
    // The erasure of a person empties what an entry tells, says so in it, and changes nothing else.
    for (const change of [{ after: {} }, { after: {}, metadata: { erased: true }, action: 'nothing' }]) {
      await expect(
        database.write((db) =>
          db
            .updateTable('audit_entry')
            .set(change as never)
            .execute(),
        ),
      ).rejects.toThrow('append-only')
    }
    expect(await entries()).toEqual(before)
  })

  test('holds no secret: no password, token, hash or key', async () => {
    const captcha = { provider: 'turnstile', secret: 'a-captcha-secret' }
    await institute.owner.patch('/settings', { registration: { captcha } })
    await institute.owner.post('/members', { email: 'secret@example.org', roleId: institute.roles.teacher })
    await app.drain()
    const token = /token=(\S+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] as string
    const setupToken = app.app.setupToken.ensure()
    const owner = { email: 'noor@example.org', password: 'a password of the owner' }
    const bootstrap = await app.post('/setup/bootstrap', newSetup(setupToken, { owner }))
    expect(bootstrap.status).toBe(201)
    const log = JSON.stringify(await app.app.database.read.selectFrom('audit_entry').selectAll().execute())
    for (const secret of [captcha.secret, token, setupToken, owner.password, bootstrap.body.accessToken]) {
      expect(secret.length).toBeGreaterThan(10)
      expect(log).not.toContain(secret)
    }
    expect(log).toContain('secret@example.org')
  })

  test('drops values that are named like secrets or look like them, at any depth', () => {
    expect(
      forAudit({
        key: 'teacher',
        keyPrefix: 'ims_sk_AB12cd34',
        nested: [{ passwordHash: 'x', signingSecret: 'y', name: 'kept' }],
        created: { key: 'ims_sk_AB12cd34_secretsecretsecret', webhook: 'whsec_abc' },
      }),
    ).toEqual({ key: 'teacher', keyPrefix: 'ims_sk_AB12cd34', nested: [{ name: 'kept' }], created: {} })
  })
})
