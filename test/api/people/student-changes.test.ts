import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

const names = { firstName: 'Dana', lastName: 'Levi' }

const add = async (more: Record<string, unknown> = {}, to: TestInstitute = institute) => {
  const { status, body } = await to.owner.post('/students', { branchId: to.branchId, ...names, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

describe('PATCH /students/{id}', () => {
  test('changes the given fields, null clears, and student.updated carries old and new values of what changed', async () => {
    const fresh = await makeInstitute(app)
    const { id } = await add({ email: 'a@example.org' }, fresh)
    const before = (await fresh.owner.get(`/students/${id}`)).body
    app.clock.advance(60)
    const { status, body } = await fresh.owner.patch(`/students/${id}`, {
      firstName: 'Dana',
      lastName: 'Cohen',
      email: null,
      phone: '0501112233',
      nationalId: '123456782',
      birthDate: '2012-02-29',
      gender: 'female',
      address: { city: 'Haifa' },
      tags: [' choir ', 'bus', 'choir', 'Ávila'],
      notes: 'Comes by bus',
      studentNumber: 'S-999999',
      status: 'active',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      lastName: 'Cohen',
      fullName: 'Dana Cohen',
      email: null,
      phone: '+972501112233',
      nationalId: '123456782',
      birthDate: '2012-02-29',
      gender: 'female',
      address: { city: 'Haifa' },
      tags: ['Ávila', 'bus', 'choir'],
      notes: 'Comes by bus',
      version: 2,
      updatedAt: app.clock.now(),
    })
    expect(await eventsOf(app, fresh, 'student.updated')).toEqual([
      {
        studentId: id,
        changes: {
          lastName: ['Levi', 'Cohen'],
          email: ['a@example.org', null],
          phone: [null, '+972501112233'],
          nationalId: [null, '123456782'],
          birthDate: [null, '2012-02-29'],
          gender: [null, 'female'],
          address: [null, { city: 'Haifa' }],
          tags: [[], ['Ávila', 'bus', 'choir']],
          notes: [null, 'Comes by bus'],
        },
      },
    ])
    expect(await auditOf(app, fresh, 'students.update')).toMatchObject([{ entity_id: id, before, after: body }])
    const cleared = await fresh.owner.patch(`/students/${id}`, { tags: null, address: null, gender: null, notes: '' })
    expect(cleared.body).toMatchObject({ tags: [], address: null, gender: null, notes: null, phone: '+972501112233' })
  })

  test('when nothing changes, the version stays and no event is recorded', async () => {
    const fresh = await makeInstitute(app)
    const { id } = await add({ phone: '0501112233' }, fresh)
    await fresh.owner.patch(`/students/${id}`, { tags: ['b', 'a'], address: { city: 'Haifa', line1: 'Hill 1' } })
    const before = (await fresh.owner.get(`/students/${id}`)).body
    const sent = (await eventsOf(app, fresh)).length
    app.clock.advance(60)
    const same = {
      phone: '050 111 2233',
      tags: ['a', 'b', 'a'],
      address: { line1: 'Hill 1', city: 'Haifa' },
      version: 2,
    }
    expect((await fresh.owner.patch(`/students/${id}`, same)).body).toEqual(before)
    expect((await eventsOf(app, fresh)).length).toBe(sent)
    expect((await auditOf(app, fresh, 'students.update')).length).toBe(2)
  })

  test('a version that no longer matches is 409 VERSION_CONFLICT with both; without a version the last write wins', async () => {
    const { id } = await add()
    await owner.patch(`/students/${id}`, { notes: 'first' })
    const late = await owner.patch(`/students/${id}`, { notes: 'late', version: 1 })
    expect(late).toMatchObject({
      status: 409,
      body: { error: { code: 'VERSION_CONFLICT', details: { expected: 1, current: 2 } } },
    })
    expect((await owner.patch(`/students/${id}`, { notes: 'last' })).body).toMatchObject({ notes: 'last', version: 3 })
  })

  test('of many concurrent changes of one version, one succeeds', async () => {
    const { id } = await add()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => owner.patch(`/students/${id}`, { notes: `note ${index}`, version: 1 })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
    expect((await owner.get(`/students/${id}`)).body.version).toBe(2)
  })

  test.each([
    ['birthDate', '2026-03-04'],
    ['birthDate', '2011-02-29'],
    ['gender', 'unknown'],
    ['nationalId', '1'.repeat(51)],
    ['tags', Array.from({ length: 51 }, (_, index) => `tag ${index}`)],
    ['firstName', null],
    ['branchId', null],
    ['phone', 'no number'],
    ['version', 0],
  ])('%s %j is 422', async (field, value) => {
    const { id } = await add()
    const { status, body } = await owner.patch(`/students/${id}`, { [field]: value })
    expect(status).toBe(422)
    expect(body.error.details.issues[0].path[0]).toBe(field)
  })

  test('a birth date must not be in the future in the institute’s time zone', async () => {
    const late = await startApp({ now: '2026-03-02T22:30:00.000Z' })
    const fresh = await makeInstitute(late, { timezone: 'Asia/Jerusalem' })
    const { id } = await add({}, fresh)
    expect((await fresh.owner.patch(`/students/${id}`, { birthDate: '2026-03-03' })).status).toBe(200)
    expect((await fresh.owner.patch(`/students/${id}`, { birthDate: '2026-03-04' })).status).toBe(422)
    await late.close()
  })

  test('tags have 1 to 50 characters; an empty one is 422', async () => {
    const { id } = await add()
    expect((await owner.patch(`/students/${id}`, { tags: [' '] })).status).toBe(422)
    expect((await owner.patch(`/students/${id}`, { tags: ['x'.repeat(51)] })).status).toBe(422)
    expect((await owner.patch(`/students/${id}`, { tags: ['x'.repeat(50)] })).status).toBe(200)
  })

  test('a student can move only to another branch of the institute', async () => {
    const { id } = await add()
    const { body: branch } = await owner.post('/branches', { name: 'South' })
    expect((await owner.patch(`/students/${id}`, { branchId: branch.id })).body.branchId).toBe(branch.id)
    const foreign = await makeInstitute(app)
    expect((await owner.patch(`/students/${id}`, { branchId: foreign.branchId })).status).toBe(404)
  })
})

describe('POST /students/{id}/status', () => {
  const ROUTES = {
    lead: [],
    active: ['active'],
    paused: ['active', 'paused'],
    graduated: ['active', 'graduated'],
    withdrawn: ['withdrawn'],
  }
  const ALLOWED: Record<string, string[]> = {
    lead: ['active', 'withdrawn'],
    active: ['paused', 'graduated', 'withdrawn'],
    paused: ['active', 'withdrawn'],
    withdrawn: ['active'],
    graduated: ['active'],
  }

  test.each(Object.entries(ROUTES))(
    'a student who is %s moves as the rules say, anything else is 409',
    async (from, route) => {
      for (const to of Object.keys(ALLOWED)) {
        const { id } = await add()
        for (const status of route) await owner.post(`/students/${id}/status`, { status })
        const reply = await owner.post(`/students/${id}/status`, { status: to })
        if (ALLOWED[from]?.includes(to)) {
          expect(reply).toMatchObject({ status: 200, body: { id, status: to } })
        } else {
          expect(reply).toMatchObject({
            status: 409,
            body: { error: { code: 'CONFLICT', details: { status: from, allowed: ALLOWED[from] } } },
          })
        }
      }
    },
  )

  test('returns the detail with the next version; student.status_changed and the audit log record it', async () => {
    const fresh = await makeInstitute(app)
    const { id } = await add({}, fresh)
    const before = (await fresh.owner.get(`/students/${id}`)).body
    app.clock.advance(60)
    const { body } = await fresh.owner.post(`/students/${id}/status`, { status: 'withdrawn', reason: 'Moved away' })
    expect(body).toEqual({
      ...before,
      status: 'withdrawn',
      leftOn: app.clock.now().slice(0, 10),
      version: 2,
      updatedAt: app.clock.now(),
    })
    expect(await eventsOf(app, fresh, 'student.status_changed')).toEqual([
      { studentId: id, previousStatus: 'lead', status: 'withdrawn' },
    ])
    expect(await auditOf(app, fresh, 'students.change-status')).toMatchObject([
      { entity_id: id, before, after: body, metadata: { reason: 'Moved away' } },
    ])
  })

  test('an unknown status, or a reason over 500 characters, is 422', async () => {
    const { id } = await add()
    expect((await owner.post(`/students/${id}/status`, { status: 'expelled' })).status).toBe(422)
    const reason = 'x'.repeat(501)
    expect((await owner.post(`/students/${id}/status`, { status: 'active', reason })).status).toBe(422)
  })

  test('of many concurrent identical moves one succeeds, with one event', async () => {
    const fresh = await makeInstitute(app)
    const { id } = await add({}, fresh)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => fresh.owner.post(`/students/${id}/status`, { status: 'active' })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
    expect((await eventsOf(app, fresh, 'student.status_changed')).length).toBe(1)
  })
})
