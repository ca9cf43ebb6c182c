import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { makeReference } from '#kit/reference.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

const names = { firstName: 'Dana', lastName: 'Levi' }

const add = async (more: Record<string, unknown> = {}, to: TestInstitute = institute) => {
  const { status, body } = await to.owner.post('/students', { branchId: to.branchId, ...names, ...more })
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

describe('POST /students', () => {
  test('returns exactly these fields of a lead, and records student.created', async () => {
    const fresh = await makeInstitute(app)
    const { body } = await fresh.owner.post('/students', {
      branchId: fresh.branchId,
      firstName: ' Dana ',
      lastName: 'Levi',
      email: 'Dana@Example.org',
      phone: '050-123 4567',
      status: 'active',
      tenantId: institute.tenant.id,
    })
    expect(body).toEqual({
      id: expect.any(String),
      branchId: fresh.branchId,
      studentNumber: 'S-000001',
      firstName: 'Dana',
      lastName: 'Levi',
      fullName: 'Dana Levi',
      status: 'lead',
      createdAt: app.clock.now(),
    })
    const { id, branchId } = body
    expect(await eventsOf(app, fresh, 'student.created')).toEqual([
      { studentId: id, branchId, studentNumber: 'S-000001', firstName: 'Dana', lastName: 'Levi', status: 'lead' },
    ])
    const detail = (await fresh.owner.get(`/students/${id}`)).body
    expect(detail).toEqual({
      ...body,
      email: 'Dana@Example.org',
      phone: '+972501234567',
      nationalId: null,
      birthDate: null,
      gender: null,
      address: null,
      tags: [],
      notes: null,
      userId: null,
      pausedFrom: null,
      pausedTo: null,
      leftOn: null,
      leavingAs: null,
      erasedAt: null,
      version: 1,
      updatedAt: app.clock.now(),
    })
    expect(await auditOf(app, fresh, 'students.create')).toMatchObject([
      { entity_type: 'student', entity_id: id, before: null, after: detail },
    ])
  })

  test('takes all that PATCH takes, and keeps it', async () => {
    const said = {
      nationalId: '123456782',
      birthDate: '2012-02-29',
      gender: 'female',
      address: { line1: 'Herzl 1', city: 'Haifa', country: 'IL' },
      tags: ['bus', 'Choir'],
      notes: 'Allergic to nuts.\nComes by bus.',
    }
    const { id } = await add({ ...said, tags: ['Choir', 'bus', 'bus'] })
    const detail = (await owner.get(`/students/${id}`)).body
    expect(detail).toMatchObject({ ...said, version: 1 })
    expect(ids(await owner.get('/students?tag=Choir'))).toContain(id)
    expect((await auditOf(app, institute, 'students.create')).at(-1)).toMatchObject({ entity_id: id, after: detail })
    const unsaid = Object.fromEntries(Object.keys(said).map((field) => [field, null]))
    const { id: bare } = await add(unsaid)
    expect((await owner.get(`/students/${bare}`)).body).toMatchObject({ ...unsaid, tags: [] })
  })

  test('a birth date that has not come yet in the institute’s timezone is 422', async () => {
    const { status, body } = await owner.post('/students', {
      branchId: institute.branchId,
      ...names,
      birthDate: '2099-01-01',
    })
    expect(status).toBe(422)
    expect(body.error.details.issues).toMatchObject([{ path: ['birthDate'] }])
  })

  test('empty strings mean no email and no phone; invalid ones are 422 at their field', async () => {
    const { id } = await add({ email: ' ', phone: '' })
    expect((await owner.get(`/students/${id}`)).body).toMatchObject({ email: null, phone: null })
    const post = (more: object) => owner.post('/students', { branchId: institute.branchId, ...names, ...more })
    for (const [field, value] of [
      ['email', 'not an address'],
      ['phone', 'call me'],
      ['firstName', ' '],
      ['lastName', 'x'.repeat(101)],
      ['studentNumber', 'S-12345'],
      ['studentNumber', 'S-٠٠٠٠٠١'],
      ['branchId', 'main'],
      ['firstName', 'a\u0000b'],
    ] as const) {
      const { status, body } = await post({ [field]: value })
      expect(status, `${field} ${value}`).toBe(422)
      expect(body.error.code).toBe('VALIDATION_ERROR')
      for (const { path } of body.error.details.issues) expect(path).toEqual([field])
    }
  })

  test.each(['=cmd|x', '+1', '@y', 'Zoë'.normalize('NFD'), '👩‍👩‍👧', 'O’Brien "x"; --'])(
    'the name %j comes back as it was written',
    async (firstName) => {
      expect(await add({ firstName })).toMatchObject({ firstName, fullName: `${firstName} Levi` })
    },
  )

  test('numbers count up from S-000001 and skip taken ones', async () => {
    const fresh = await makeInstitute(app)
    for (const studentNumber of ['S-000002', 'S-000003', 'S-000004', 'S-000006']) await add({ studentNumber }, fresh)
    const given = [await add({}, fresh), await add({}, fresh), await add({}, fresh)]
    expect(given.map(({ studentNumber }) => studentNumber)).toEqual(['S-000001', 'S-000005', 'S-000007'])
  })

  test('a given number must be free, within the institute: 409', async () => {
    const studentNumber = 'S-700000'
    await add({ studentNumber })
    const again = await owner.post('/students', { branchId: institute.branchId, ...names, studentNumber })
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    await add({ studentNumber }, await makeInstitute(app))
  })

  test('forty concurrent creates get forty consecutive numbers', async () => {
    const fresh = await makeInstitute(app)
    const made = await Promise.all(Array.from({ length: 40 }, () => add({}, fresh)))
    const expected = Array.from({ length: 40 }, (_, index) => `S-${String(index + 1).padStart(6, '0')}`)
    expect(made.map(({ studentNumber }) => studentNumber).toSorted()).toEqual(expected)
  })

  test('of many who choose one number at once, one gets it; a create without a number is not refused', async () => {
    const fresh = await makeInstitute(app)
    const chosen = { branchId: fresh.branchId, ...names, studentNumber: 'S-000003' }
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        fresh.owner.post('/students', index % 2 === 0 ? chosen : { ...chosen, studentNumber: undefined }),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((_, index) => index % 2 === 1)).toEqual(Array(8).fill(201))
    const numbers = replies.flatMap(({ status, body }) => (status === 201 ? [body.studentNumber] : []))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(statuses.filter((status) => status === 409).length).toBe(16 - numbers.length)
    expect(numbers).toContain('S-000003')
  })

  test('after S-999999 there is no number left: 409', async () => {
    const fresh = await makeInstitute(app)
    await add({}, fresh)
    await app.app.database.write((db) =>
      db.updateTable('tenant_counter').set({ value: 999_999 }).where('tenant_id', '=', fresh.tenant.id).execute(),
    )
    const refused = await fresh.owner.post('/students', { branchId: fresh.branchId, ...names })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
  })

  test('an unknown branch is 404, takes no number and records no event', async () => {
    const fresh = await makeInstitute(app)
    const refused = await fresh.owner.post('/students', { branchId: institute.branchId, ...names })
    expect(refused).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    expect(await eventsOf(app, fresh)).toEqual([])
    expect((await add({}, fresh)).studentNumber).toBe('S-000001')
  })
})

describe('DELETE /students/{id}', () => {
  test('answers Ok and leaves the record in the audit log', async () => {
    const fresh = await makeInstitute(app)
    const { id } = await add({}, fresh)
    await fresh.owner.patch(`/students/${id}`, { tags: ['bus'] })
    const before = (await fresh.owner.get(`/students/${id}`)).body
    expect(await fresh.owner.delete(`/students/${id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await fresh.owner.get(`/students/${id}`)).status).toBe(404)
    expect((await fresh.owner.delete(`/students/${id}`)).status).toBe(404)
    expect(await auditOf(app, fresh, 'students.delete')).toMatchObject([{ entity_id: id, before, after: null }])
    expect((await add({}, fresh)).studentNumber).toBe('S-000002')
  })

  test('is 409 while another record belongs to the student', async () => {
    const { id } = await add()
    await makeReference(app, institute, 'student', id)
    const refused = await owner.delete(`/students/${id}`)
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect((await owner.get(`/students/${id}`)).status).toBe(200)
  })
})

describe('a role for one branch', () => {
  test('adds, sees and changes only that branch’s students', async () => {
    const fresh = await makeInstitute(app)
    const { body: north } = await fresh.owner.post('/branches', { name: 'North' })
    const clerk = await fresh.member({ role: 'front_desk', branchId: north.id })
    const theirs = await clerk.post('/students', { branchId: north.id, ...names })
    expect(theirs.status).toBe(201)
    const main = await add({}, fresh)
    await fresh.owner.patch(`/students/${main.id}`, { tags: ['bus'] })
    expect(ids(await clerk.get('/students'))).toEqual([theirs.body.id])
    expect(ids(await clerk.get('/students?tag=bus'))).toEqual([])
    expect(ids(await clerk.get(`/students?branchId=${fresh.branchId}`))).toEqual([])
    expect((await clerk.post('/students', { branchId: fresh.branchId, ...names })).status).toBe(404)
    for (const reply of [
      await clerk.get(`/students/${main.id}`),
      await clerk.patch(`/students/${main.id}`, { notes: 'x' }),
      await clerk.patch(`/students/${theirs.body.id}`, { branchId: fresh.branchId }),
      await clerk.post(`/students/${main.id}/status`, { status: 'active' }),
      await clerk.delete(`/students/${main.id}`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    }
  })

  test('students.write implies students.read, and students.read does not write', async () => {
    const { id } = await add()
    const writer = await institute.member({ permissions: ['students.write'] })
    expect((await writer.get(`/students/${id}`)).status).toBe(200)
    const reader = await institute.member({ permissions: ['students.read'] })
    expect((await reader.get('/students')).status).toBe(200)
    expect((await reader.patch(`/students/${id}`, { notes: 'x' })).status).toBe(403)
  })
})
