import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newCourse, newEnrollment, newGroup } from '../examples/academics.ts'
import { newStaff, newStudent } from '../examples/people.ts'

let app: TestApp
let institute: TestInstitute
let world: World

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  world = { app, institute, owner: institute.owner, branchId: institute.branchId, serial: 1 }
})
afterAll(() => app.close())

const idsOf = async (path: string, as = institute.owner) =>
  (await as.get(path)).body.data.map(({ id }: { id: string }) => id)

describe('groups', () => {
  test('fee, currency and capacity default to the course’s', async () => {
    const courseId = await newCourse(world, { defaultFeeMinor: 30_000, currency: 'EUR', defaultCapacity: 12 })
    const { status, body } = await institute.owner.post('/groups', {
      courseId,
      branchId: institute.branchId,
      name: 'Evening',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      courseId,
      courseName: 'English',
      branchId: institute.branchId,
      name: 'Evening',
      teacherStaffId: null,
      room: null,
      capacity: 12,
      feeMinor: 30_000,
      currency: 'EUR',
      status: 'active',
      startsOn: null,
      endsOn: null,
      enrolledCount: 0,
      version: 1,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    const own = await newGroup(world, { courseId, feeMinor: null, capacity: 3 })
    expect((await institute.owner.get(`/groups/${own}`)).body).toMatchObject({
      feeMinor: null,
      capacity: 3,
      currency: 'EUR',
    })
  })

  test('a course, a branch or a teacher that is not there is 404; dates out of order are 422', async () => {
    const missing = '0198c0de-0000-7000-8000-000000000000'
    const courseId = await newCourse(world)
    const body = { courseId, branchId: institute.branchId, name: 'x' }
    for (const wrong of [{ courseId: missing }, { branchId: missing }, { teacherStaffId: missing }]) {
      expect((await institute.owner.post('/groups', { ...body, ...wrong })).status).toBe(404)
    }
    const dates = { startsOn: '2026-05-01', endsOn: '2026-04-30' }
    expect((await institute.owner.post('/groups', { ...body, ...dates })).body.error.details.issues[0].path).toEqual([
      'endsOn',
    ])
    const id = await newGroup(world, { startsOn: '2026-05-01' })
    expect((await institute.owner.patch(`/groups/${id}`, { endsOn: '2026-04-30' })).status).toBe(422)
  })

  test('PATCH with a version that no longer matches is 409 VERSION_CONFLICT', async () => {
    const id = await newGroup(world)
    expect((await institute.owner.patch(`/groups/${id}`, { room: '5', version: 1 })).body).toMatchObject({
      room: '5',
      version: 2,
    })
    const stale = await institute.owner.patch(`/groups/${id}`, { room: '6', version: 1 })
    expect(stale).toMatchObject({
      status: 409,
      body: { error: { code: 'VERSION_CONFLICT', details: { expected: 1, current: 2 } } },
    })
    expect((await institute.owner.patch(`/groups/${id}`, { room: '7' })).body.version).toBe(3)
  })

  test('the list filters by course, branch, teacher, status and words of the name', async () => {
    const teacherStaffId = await newStaff(world)
    const courseId = await newCourse(world)
    const id = await newGroup(world, { teacherStaffId, courseId, name: 'عربي للمبتدئين', status: 'planned' })
    await newGroup(world)
    for (const filter of [
      `courseId=${courseId}`,
      `teacherStaffId=${teacherStaffId}`,
      'status=planned',
      `q=${encodeURIComponent('للمُبتدئين')}`,
    ]) {
      expect(await idsOf(`/groups?${filter}`), filter).toEqual([id])
    }
    expect(await idsOf(`/groups?branchId=${institute.branchId}&courseId=${courseId}`)).toEqual([id])
  })

  test('DELETE is 409 with enrollments, else Ok', async () => {
    const groupId = await newGroup(world)
    await institute.owner.post('/enrollments', { studentId: await newStudent(world), groupId })
    expect((await institute.owner.delete(`/groups/${groupId}`)).status).toBe(409)
    const empty = await newGroup(world)
    expect((await institute.owner.delete(`/groups/${empty}`)).body).toEqual({ ok: true })
  })

  test('a teacher sees only their own groups and students', async () => {
    const teacher = await institute.member({ role: 'teacher' })
    const teacherStaffId = await newStaff(world, { userId: teacher.userId })
    const own = await newGroup(world, { teacherStaffId })
    const other = await newGroup(world)
    const mine = await newStudent(world)
    const theirs = await newStudent(world)
    await institute.owner.post('/enrollments', { studentId: mine, groupId: own })
    await institute.owner.post('/enrollments', { studentId: theirs, groupId: other })
    expect(await idsOf('/groups', teacher)).toEqual([own])
    expect((await teacher.get(`/groups/${other}`)).status).toBe(404)
    expect(await idsOf('/students', teacher)).toEqual([mine])
    expect((await teacher.get(`/students/${theirs}`)).status).toBe(404)
  })
})

describe('enrollments', () => {
  test('an omitted price is the group’s fee; enrollment.created carries it', async () => {
    const { eventsOf } = await import('#kit/records.ts')
    const groupId = await newGroup(world)
    const studentId = await newStudent(world)
    const { status, body } = await institute.owner.post('/enrollments', { studentId, groupId })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      studentId,
      groupId,
      status: 'active',
      priceMinor: 45_000,
      currency: 'ILS',
      enrolledAt: app.clock.now(),
      droppedAt: null,
      endedAt: null,
    })
    expect((await eventsOf(app, institute, 'enrollment.created')).at(-1)).toEqual({
      enrollmentId: body.id,
      studentId,
      groupId,
      priceMinor: 45_000,
      currency: 'ILS',
      status: 'active',
    })
    const own = { studentId: await newStudent(world), groupId, priceMinor: 0, currency: 'USD' }
    expect((await institute.owner.post('/enrollments', own)).body).toMatchObject({ priceMinor: 0, currency: 'USD' })
    const roster = await institute.owner.get(`/groups/${groupId}/enrollments?status=active`)
    expect(roster.body.data).toHaveLength(2)
    expect(roster.body.data[1]).toMatchObject({
      id: body.id,
      studentId,
      studentNumber: expect.stringMatching(/^S-\d{6}$/),
    })
    expect(await idsOf(`/students/${studentId}/enrollments`)).toEqual([body.id])
    expect(await idsOf(`/enrollments?studentId=${studentId}&groupId=${groupId}&status=active`)).toEqual([body.id])
    expect((await institute.owner.get(`/enrollments/${body.id}`)).body).toEqual(body)
    expect((await institute.owner.get(`/groups/${groupId}`)).body.enrolledCount).toBe(2)
  })

  test('price and currency may each be given alone: the other one is the group’s', async () => {
    const groupId = await newGroup(world, { feeMinor: 30_000, currency: 'EUR' })
    const freeId = await newGroup(world, { feeMinor: null, currency: 'EUR' })
    for (const [given, expected, own] of [
      [{ groupId, priceMinor: 100 }, { priceMinor: 100, currency: 'EUR' }, true],
      [{ groupId, currency: 'USD' }, { priceMinor: 30_000, currency: 'USD' }, true],
      [{ groupId, currency: 'EUR' }, { priceMinor: 30_000, currency: 'EUR' }, false],
      [{ groupId: freeId, currency: 'USD' }, { priceMinor: 0, currency: 'USD' }, true],
    ] as const) {
      const { status, body } = await institute.owner.post('/enrollments', {
        studentId: await newStudent(world),
        ...given,
      })
      expect({ status, body }, JSON.stringify(given)).toMatchObject({ status: 201, body: expected })
      const { price_overridden } = await app.app.database.read
        .selectFrom('enrollment')
        .select('price_overridden')
        .where('id', '=', body.id)
        .executeTakeFirstOrThrow()
      expect(price_overridden, JSON.stringify(given)).toBe(own)
    }
  })

  test('a second active enrollment in the same group is 409, also when many come at once', async () => {
    const body = { studentId: await newStudent(world), groupId: await newGroup(world) }
    const replies = await Promise.all(Array.from({ length: 8 }, () => institute.owner.post('/enrollments', body)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  })

  test('over capacity is 409 with {capacity, enrolled}; of many who want the last place one gets it', async () => {
    const groupId = await newGroup(world, { capacity: 2 })
    await institute.owner.post('/enrollments', { studentId: await newStudent(world), groupId })
    const students = await Promise.all(Array.from({ length: 6 }, () => newStudent(world)))
    const replies = await Promise.all(
      students.map((studentId) => institute.owner.post('/enrollments', { studentId, groupId })),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.find(({ status }) => status === 409)?.body.error.details).toEqual({
      reason: 'group_full',
      capacity: 2,
      enrolled: 2,
    })
  })

  test('enrolling needs a student who may learn and a group that is planned or active: else 409', async () => {
    const withdrawn = await newStudent(world)
    await institute.owner.post(`/students/${withdrawn}/status`, { status: 'withdrawn' })
    const groupId = await newGroup(world)
    expect((await institute.owner.post('/enrollments', { studentId: withdrawn, groupId })).status).toBe(409)
    const over = await newGroup(world, { status: 'completed' })
    expect(
      (await institute.owner.post('/enrollments', { studentId: await newStudent(world), groupId: over })).status,
    ).toBe(409)
  })

  test('drop and complete end an active enrollment once; enrollment.dropped carries the reason', async () => {
    const { eventsOf } = await import('#kit/records.ts')
    const id = await newEnrollment(world)
    const dropped = await institute.owner.post(`/enrollments/${id}/drop`, { reason: 'Moved away' })
    expect(dropped.body).toMatchObject({ status: 'dropped', droppedAt: app.clock.now() })
    expect((await eventsOf(app, institute, 'enrollment.dropped')).at(-1)).toEqual({
      enrollmentId: id,
      studentId: dropped.body.studentId,
      groupId: dropped.body.groupId,
      reason: 'Moved away',
    })
    expect((await institute.owner.post(`/enrollments/${id}/drop`)).status).toBe(409)
    expect((await institute.owner.post(`/enrollments/${id}/complete`)).status).toBe(409)
    const { studentId, groupId } = dropped.body
    expect((await institute.owner.post('/enrollments', { studentId, groupId })).status).toBe(201)
    const other = await newEnrollment(world)
    expect((await institute.owner.post(`/enrollments/${other}/complete`)).body.status).toBe('completed')
  })

  test('withdrawing or graduating drops the active enrollments with their events, in the same change', async () => {
    const { eventsOf } = await import('#kit/records.ts')
    const studentId = await newStudent(world)
    await institute.owner.post(`/students/${studentId}/status`, { status: 'active' })
    for (let index = 0; index < 2; index += 1) {
      await institute.owner.post('/enrollments', { studentId, groupId: await newGroup(world) })
    }
    await institute.owner.post(`/students/${studentId}/status`, { status: 'graduated' })
    const { body } = await institute.owner.get(`/students/${studentId}/enrollments`)
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['dropped', 'dropped'])
    const events = await eventsOf(app, institute, 'enrollment.dropped')
    expect(events.filter((event) => event.studentId === studentId)).toHaveLength(2)
  })

  test('GET /students?groupId= finds who is enrolled', async () => {
    const groupId = await newGroup(world)
    const studentId = await newStudent(world)
    const { body } = await institute.owner.post('/enrollments', { studentId, groupId })
    expect(await idsOf(`/students?groupId=${groupId}`)).toEqual([studentId])
    await institute.owner.post(`/enrollments/${body.id}/drop`)
    expect(await idsOf(`/students?groupId=${groupId}`)).toEqual([])
  })
})
