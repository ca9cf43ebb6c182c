import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { makeReference } from '#kit/reference.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

const names = { firstName: 'Amal', lastName: 'Haddad' }

const add = async (more: Record<string, unknown> = {}, to: TestInstitute = institute) => {
  const { status, body } = await to.owner.post('/staff', { branchId: to.branchId, ...names, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const ids = (page: { body: { data: { id: string }[] } }): string[] => page.body.data.map(({ id }) => id)

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

describe('POST /staff', () => {
  test('answers 201 with the record, active by default, audited and without an event', async () => {
    const fresh = await makeInstitute(app)
    const body = await add({ phone: '050-123 4567', email: '', title: ' Teacher ' }, fresh)
    expect(body).toEqual({
      id: expect.any(String),
      branchId: fresh.branchId,
      userId: null,
      ...names,
      fullName: 'Amal Haddad',
      email: null,
      phone: '+972501234567',
      title: 'Teacher',
      isActive: true,
      version: 1,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    expect((await fresh.owner.get(`/staff/${body.id}`)).body).toEqual(body)
    expect(await auditOf(app, fresh, 'staff.create')).toMatchObject([
      { entity_type: 'staff', entity_id: body.id, after: body },
    ])
    expect(await eventsOf(app, fresh)).toEqual([])
    const { userId } = await fresh.member({ role: 'teacher' })
    expect(await add({ isActive: false, userId, email: 'amal@example.org' }, fresh)).toMatchObject({
      isActive: false,
      userId,
      email: 'amal@example.org',
    })
  })

  test.each([
    ['firstName', undefined],
    ['lastName', 'x'.repeat(101)],
    ['branchId', undefined],
    ['email', 'nowhere'],
    ['phone', 'call me'],
    ['title', 'x'.repeat(151)],
    ['userId', 'me'],
    ['isActive', 'yes'],
  ])('%s %j is 422', async (field, value) => {
    const { status, body } = await owner.post('/staff', { branchId: institute.branchId, ...names, [field]: value })
    expect(status).toBe(422)
    expect(body.error.details.issues[0].path).toEqual([field])
  })

  test('the branch must be of this institute, and userId one of its members, else 404', async () => {
    const other = await makeInstitute(app)
    for (const more of [{ branchId: other.branchId }, { userId: other.ownerUserId }, { userId: other.branchId }]) {
      const refused = await owner.post('/staff', { branchId: institute.branchId, ...names, ...more })
      expect(refused).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    }
  })

  test('a user is linked to one staff record only: 409', async () => {
    const { userId } = await institute.member({ role: 'teacher' })
    const { id } = await add({ userId })
    const again = await owner.post('/staff', { branchId: institute.branchId, ...names, userId })
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    const other = await add()
    expect((await owner.patch(`/staff/${other.id}`, { userId })).status).toBe(409)
    await owner.patch(`/staff/${id}`, { userId: null })
    expect((await owner.patch(`/staff/${other.id}`, { userId })).body.userId).toBe(userId)
  })
})

describe('GET /staff', () => {
  test('is a page, newest first, filtered by q, branch and isActive', async () => {
    const fresh = await makeInstitute(app)
    const { body: north } = await fresh.owner.post('/branches', { name: 'North' })
    const amal = await add({}, fresh)
    const yosef = await add({ firstName: 'יוֹסֵף', branchId: north.id, isActive: false, phone: '0501112233' }, fresh)
    const list = async (query: string) => ids(await fresh.owner.get(`/staff?${query}`))
    expect((await fresh.owner.get('/staff')).body).toEqual({ data: [yosef, amal], nextCursor: null })
    expect(await list(`branchId=${north.id}`)).toEqual([yosef.id])
    expect(await list('isActive=true')).toEqual([amal.id])
    expect(await list('isActive=false')).toEqual([yosef.id])
    expect(await list('q=יוסף')).toEqual([yosef.id])
    expect(await list('q=050-111')).toEqual([yosef.id])
    expect(await list('q=haddad&isActive=true')).toEqual([amal.id])
    const first = await fresh.owner.get('/staff?limit=1')
    expect(await list(`limit=1&cursor=${first.body.nextCursor}`)).toEqual([amal.id])
  })
})

describe('PATCH /staff/{id}', () => {
  test('changes the given fields and null clears; the version rises only when something changed', async () => {
    const fresh = await makeInstitute(app)
    const { body: north } = await fresh.owner.post('/branches', { name: 'North' })
    const before = await add({ email: 'a@example.org', title: 'Teacher', phone: '0501112233' }, fresh)
    app.clock.advance(60)
    const given = { branchId: north.id, lastName: 'Nasser', email: null, title: '', phone: null, isActive: false }
    const { status, body } = await fresh.owner.patch(`/staff/${before.id}`, given)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      ...given,
      fullName: 'Amal Nasser',
      title: null,
      version: 2,
      updatedAt: app.clock.now(),
    })
    expect(await auditOf(app, fresh, 'staff.update')).toMatchObject([{ entity_id: before.id, before, after: body }])
    app.clock.advance(60)
    expect((await fresh.owner.patch(`/staff/${before.id}`, given)).body).toEqual(body)
    expect(ids(await fresh.owner.get('/staff?q=nasser'))).toEqual([before.id])
  })

  test('a version that no longer matches is 409 VERSION_CONFLICT with both', async () => {
    const { id } = await add()
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => owner.patch(`/staff/${id}`, { title: `Title ${index}`, version: 1 })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(409)])
    expect(replies.find(({ status }) => status === 409)?.body.error).toMatchObject({
      code: 'VERSION_CONFLICT',
      details: { expected: 1, current: 2 },
    })
    expect((await owner.patch(`/staff/${id}`, { title: 'Last' })).body).toMatchObject({ title: 'Last', version: 3 })
  })

  test('a new branch or user of another institute is 404', async () => {
    const other = await makeInstitute(app)
    const { id } = await add()
    expect((await owner.patch(`/staff/${id}`, { branchId: other.branchId })).status).toBe(404)
    expect((await owner.patch(`/staff/${id}`, { userId: other.ownerUserId })).status).toBe(404)
    expect((await owner.patch(`/staff/${id}`, { branchId: null })).status).toBe(422)
  })
})

describe('DELETE /staff/{id}', () => {
  test('answers Ok and is audited', async () => {
    const fresh = await makeInstitute(app)
    const before = await add({}, fresh)
    expect(await fresh.owner.delete(`/staff/${before.id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await fresh.owner.get(`/staff/${before.id}`)).status).toBe(404)
    expect((await fresh.owner.delete(`/staff/${before.id}`)).status).toBe(404)
    expect(await auditOf(app, fresh, 'staff.delete')).toMatchObject([{ entity_id: before.id, before, after: null }])
  })

  test('is 409 while another record refers to the person', async () => {
    const { id } = await add()
    await makeReference(app, institute, 'staff', id)
    expect(await owner.delete(`/staff/${id}`)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
  })
})

test('a role for one branch reaches only that branch’s staff', async () => {
  const { body: north } = await owner.post('/branches', { name: 'North' })
  const manager = await institute.member({ role: 'branch_manager', branchId: north.id })
  const theirs = await manager.post('/staff', { branchId: north.id, ...names })
  expect(theirs.status).toBe(201)
  const main = await add()
  expect(ids(await manager.get('/staff'))).toEqual([theirs.body.id])
  expect((await manager.post('/staff', { branchId: institute.branchId, ...names })).status).toBe(404)
  for (const reply of [
    await manager.get(`/staff/${main.id}`),
    await manager.patch(`/staff/${main.id}`, { title: 'x' }),
    await manager.patch(`/staff/${theirs.body.id}`, { branchId: institute.branchId }),
    await manager.delete(`/staff/${main.id}`),
  ]) {
    expect(reply).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
  }
})

test('staff.write implies staff.read, and staff.read does not write', async () => {
  const { id } = await add()
  const writer = await institute.member({ permissions: ['staff.write'] })
  expect((await writer.get(`/staff/${id}`)).status).toBe(200)
  const reader = await institute.member({ permissions: ['staff.read'] })
  expect((await reader.get('/staff')).status).toBe(200)
  expect((await reader.delete(`/staff/${id}`)).status).toBe(403)
})
