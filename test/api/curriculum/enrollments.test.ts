import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newGrant, newLearner, newPublished, newVideoCourse } from '../examples/curriculum.ts'
import { newGroup, newPupil, newStaff } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

const give = (courseId: string, body: unknown, client: Client = owner) =>
  client.post(`/courses/${courseId}/enrollments`, body)
const drop = (id: string, query = '') => owner.delete(`/course-enrollments/${id}${query}`)
const eventsAbout = async (type: string, id: string) =>
  (await eventsOf(app, institute, type)).filter((data) => data.courseEnrollmentId === id)
const listed = async (client: Client, courseId: string, query = '') =>
  (await client.get(`/courses/${courseId}/enrollments${query}`)).body.data

describe('POST /courses/{courseId}/enrollments', () => {
  test('gives a student the course at its fee, with its event', async () => {
    const courseId = await newVideoCourse(institute, { defaultFeeMinor: 20_000, currency: 'USD' })
    const studentId = await newLearner(institute)
    const now = app.clock.now()
    const { status, body } = await give(courseId, { studentId })
    expect([status, body]).toEqual([
      201,
      {
        id: uuid,
        courseId,
        studentId,
        status: 'active',
        grantedAt: now,
        endedAt: null,
        priceMinor: 20_000,
        currency: 'USD',
        grantedByUserId: institute.ownerUserId,
        createdAt: now,
        updatedAt: now,
      },
    ])
    const event = { courseEnrollmentId: body.id, courseId, studentId, status: 'active' }
    expect(await eventsAbout('course_enrollment.created', body.id)).toEqual([
      { ...event, priceMinor: 20_000, currency: 'USD' },
    ])
    expect((await auditOf(app, institute, 'course-enrollments.create')).at(-1)).toMatchObject({
      entity_type: 'course_enrollment',
      entity_id: body.id,
      after: body,
    })
    // A new fee of the course changes nothing.
    await owner.patch(`/courses/${courseId}`, { defaultFeeMinor: 1 })
    const named = { studentNumber: expect.stringMatching(/^S-\d{6}$/), firstName: 'Lina', lastName: 'Saleh' }
    expect(await listed(owner, courseId)).toEqual([{ ...body, ...named }])
  })

  test.each([
    [{ priceMinor: 15_000 }, 15_000, 'ILS'],
    [{ priceMinor: 0 }, 0, 'ILS'],
    [{ priceMinor: 50, currency: 'EUR' }, 50, 'EUR'],
    [{ currency: 'EUR' }, 20_000, 'EUR'],
  ])('with %j it costs %s %s', async (given, priceMinor, currency) => {
    const studentId = await newLearner(institute)
    const { body } = await give(await newVideoCourse(institute), { studentId, ...given })
    expect(body).toMatchObject({ priceMinor, currency })
  })

  test('of a course without a fee has no price', async () => {
    const courseId = await newVideoCourse(institute, { defaultFeeMinor: null })
    const { body } = await give(courseId, { studentId: await newLearner(institute) })
    expect(body).toMatchObject({ priceMinor: null, currency: null })
    expect(await eventsAbout('course_enrollment.created', body.id)).toMatchObject([
      { priceMinor: null, currency: null },
    ])
  })

  test('a second time answers the first with 201, and emits nothing', async () => {
    const courseId = await newVideoCourse(institute)
    const studentId = await newLearner(institute)
    const first = await give(courseId, { studentId, priceMinor: 100 })
    app.clock.advance(60)
    const again = await give(courseId, { studentId, priceMinor: 200 })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await eventsAbout('course_enrollment.created', first.body.id)).toHaveLength(1)
  })

  test('twice at once gives it once', async () => {
    const courseId = await newVideoCourse(institute)
    const studentId = await newLearner(institute)
    const replies = await Promise.all([1, 2, 3].map(() => give(courseId, { studentId })))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(await eventsAbout('course_enrollment.created', replies[0]?.body.id)).toHaveLength(1)
  })

  test.each([
    [{}],
    [{ studentId: 'x' }],
    [{ priceMinor: -1 }],
    [{ priceMinor: 1.5 }],
    [{ priceMinor: '1' }],
    [{ currency: 'GBP' }],
  ])('%j is 422', async (given) => {
    const studentId = 'studentId' in given || Object.keys(given).length === 0 ? {} : { studentId: unknown }
    expect((await give(await newVideoCourse(institute), { ...studentId, ...given })).status).toBe(422)
  })

  test('for an unknown student or course is 404', async () => {
    expect((await give(await newVideoCourse(institute), { studentId: unknown })).status).toBe(404)
    expect((await give(unknown, { studentId: await newLearner(institute) })).status).toBe(404)
  })
})

describe('POST /groups/{id}/course-enrollments', () => {
  const giveGroup = (groupId: string, body: unknown, client: Client = owner) =>
    client.post(`/groups/${groupId}/course-enrollments`, body)

  test('gives the course to everybody who is in the group now, and to nobody twice', async () => {
    const groupId = await newGroup(institute)
    const [one, two, gone] = [
      await newPupil(institute, groupId),
      await newPupil(institute, groupId),
      await newPupil(institute, groupId),
    ]
    const { data } = (await owner.get(`/groups/${groupId}/enrollments`)).body
    const left = data.find(({ studentId }: { studentId: string }) => studentId === gone)
    expect((await owner.post(`/enrollments/${left.id}/drop`, {})).status).toBe(200)
    const courseId = await newVideoCourse(institute)
    const first = await newGrant(institute, courseId, one, { priceMinor: 100 })
    const { status, body } = await giveGroup(groupId, { courseId, priceMinor: 300 })
    expect([status, body]).toMatchObject([
      200,
      { granted: [{ courseId, studentId: two, status: 'active', priceMinor: 300 }], had: [one], unreached: 0 },
    ])
    expect(body.granted).toHaveLength(1)
    expect(await eventsAbout('course_enrollment.created', body.granted[0].id)).toHaveLength(1)
    expect(await eventsAbout('course_enrollment.created', first)).toHaveLength(1)
    // Whoever lost it has it again; whoever joins later has it when somebody gives it.
    await drop(first)
    const later = await newPupil(institute, groupId)
    const again = (await giveGroup(groupId, { courseId })).body
    expect(again.granted.map(({ studentId }: { studentId: string }) => studentId).toSorted()).toEqual(
      [one, later].toSorted(),
    )
    expect(again.had).toEqual([two])
    expect((await giveGroup(await newGroup(institute), { courseId })).body).toEqual({
      granted: [],
      had: [],
      unreached: 0,
    })
  })

  test('at once for two groups that share students gives each the course once', async () => {
    const [groupA, groupB] = [await newGroup(institute), await newGroup(institute)]
    const shared = [await newPupil(institute, groupA), await newPupil(institute, groupA)]
    for (const studentId of shared) await owner.post('/enrollments', { studentId, groupId: groupB })
    const courseId = await newVideoCourse(institute)
    const replies = await Promise.all([groupA, groupB, groupA].map((groupId) => giveGroup(groupId, { courseId })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(replies.flatMap(({ body }) => body.granted)).toHaveLength(2)
    expect(await listed(owner, courseId)).toHaveLength(2)
  })

  test('leaves out whom the caller does not reach, and is 404 for a group or a course that is not there', async () => {
    const north = (await owner.post('/branches', { name: `North ${Math.random()}` })).body.id
    const groupId = await newGroup(institute)
    const [here, there] = [await newPupil(institute, groupId), await newPupil(institute, groupId, { branchId: north })]
    const courseId = await newVideoCourse(institute)
    const manager = await institute.member({ role: 'branch_manager', branchId: institute.branchId })
    expect((await giveGroup(groupId, { courseId }, manager)).body).toMatchObject({
      granted: [{ studentId: here }],
      had: [],
      unreached: 1,
    })
    expect((await giveGroup(groupId, { courseId })).body).toMatchObject({
      granted: [{ studentId: there }],
      had: [here],
      unreached: 0,
    })
    const elsewhere = await newGroup({ owner, branchId: north })
    expect((await giveGroup(elsewhere, { courseId }, manager)).status).toBe(404)
    expect((await giveGroup(groupId, { courseId: unknown })).status).toBe(404)
    expect((await giveGroup(unknown, { courseId })).status).toBe(404)
    expect((await giveGroup(groupId, { courseId: 'x' })).status).toBe(422)
    const accountant = await institute.member({ role: 'accountant' })
    expect((await giveGroup(groupId, { courseId }, accountant)).body.error.code).toBe('FORBIDDEN')
  })
})

describe('DELETE /course-enrollments/{id}', () => {
  test('answers 204 without a body and emits once, also when asked twice', async () => {
    const courseId = await newVideoCourse(institute)
    const studentId = await newLearner(institute)
    const id = await newGrant(institute, courseId, studentId)
    const first = await drop(id, '?reason=Moved%20away')
    expect([first.status, first.body]).toEqual([204, undefined])
    const endedAt = app.clock.now()
    app.clock.advance(60)
    expect((await drop(id, '?reason=Again')).status).toBe(204)
    expect(await eventsAbout('course_enrollment.dropped', id)).toEqual([
      { courseEnrollmentId: id, courseId, studentId, reason: 'Moved away' },
    ])
    expect(await listed(owner, courseId)).toMatchObject([{ id, status: 'dropped', endedAt, updatedAt: endedAt }])
  })

  test('needs no reason; one that is empty or too long is 422', async () => {
    const id = await newGrant(institute, await newVideoCourse(institute))
    expect((await drop(id, '?reason=')).status).toBe(422)
    expect((await drop(id, `?reason=${'x'.repeat(501)}`)).status).toBe(422)
    expect((await drop(id)).status).toBe(204)
    expect(await eventsAbout('course_enrollment.dropped', id)).toMatchObject([{ reason: null }])
    expect((await drop(unknown)).status).toBe(404)
  })

  test('twice at once emits once', async () => {
    const id = await newGrant(institute, await newVideoCourse(institute))
    const replies = await Promise.all([1, 2, 3].map(() => drop(id)))
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(await eventsAbout('course_enrollment.dropped', id)).toHaveLength(1)
  })

  test('and a grant after it is active again, at the price of now, and emits', async () => {
    const courseId = await newVideoCourse(institute)
    const studentId = await newLearner(institute)
    const id = await newGrant(institute, courseId, studentId, { priceMinor: 100 })
    const { createdAt } = (await listed(owner, courseId))[0]
    await drop(id)
    app.clock.advance(60)
    const again = await give(courseId, { studentId })
    expect(again.status).toBe(201)
    expect(again.body).toMatchObject({ id, status: 'active', endedAt: null, priceMinor: 20_000, createdAt })
    expect(again.body.grantedAt).toBe(app.clock.now())
    expect(await eventsAbout('course_enrollment.created', id)).toMatchObject([
      { priceMinor: 100 },
      { status: 'active', priceMinor: 20_000, currency: 'ILS' },
    ])
  })
})

describe('GET /courses/{courseId}/enrollments', () => {
  test('pages through the newest first, and narrows by status', async () => {
    const courseId = await newVideoCourse(institute)
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) {
      app.clock.advance(1)
      ids.push(await newGrant(institute, courseId))
    }
    await drop(ids[1] as string)
    const first = (await owner.get(`/courses/${courseId}/enrollments?limit=2`)).body
    const second = (await owner.get(`/courses/${courseId}/enrollments?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(ids.toReversed())
    expect(second.nextCursor).toBeNull()
    const idsOf = async (status: string) =>
      (await listed(owner, courseId, `?status=${status}`)).map(({ id }: { id: string }) => id)
    expect(await idsOf('active')).toEqual([ids[2], ids[0]])
    expect(await idsOf('dropped')).toEqual([ids[1]])
    expect(await idsOf('completed')).toEqual([])
    expect((await owner.get(`/courses/${courseId}/enrollments?status=gone`)).status).toBe(422)
    expect((await owner.get(`/courses/${unknown}/enrollments`)).status).toBe(404)
  })
})

describe('records that a grant keeps', () => {
  test('neither its course nor its student is deleted (409)', async () => {
    const courseId = await newVideoCourse(institute)
    const studentId = await newLearner(institute)
    await drop(await newGrant(institute, courseId, studentId))
    expect((await owner.delete(`/courses/${courseId}`)).body.error.code).toBe('CONFLICT')
    expect((await owner.delete(`/students/${studentId}`)).body.error.code).toBe('CONFLICT')
  })
})

describe('what each sees and does', () => {
  /** A course that a student of each of two branches was given. */
  const twoBranches = async () => {
    const north = (await owner.post('/branches', { name: `North ${app.clock.now()} ${Math.random()}` })).body.id
    const { courseId } = await newPublished(institute)
    const here = await newLearner(institute)
    const there = await newLearner({ owner, branchId: north })
    const [grantHere, grantThere] = [
      await newGrant(institute, courseId, here),
      await newGrant(institute, courseId, there),
    ]
    return { north, courseId, here, there, grantHere, grantThere }
  }
  const studentsIn = (rows: { studentId: string }[]) => rows.map(({ studentId }) => studentId).toSorted()

  test('a manager of one branch: the grants and progress of its students', async () => {
    const { courseId, here, there, grantThere, grantHere } = await twoBranches()
    const manager = await institute.member({ role: 'branch_manager', branchId: institute.branchId })
    expect(studentsIn(await listed(manager, courseId))).toEqual([here])
    const progress = (await manager.get(`/courses/${courseId}/progress`)).body.data
    expect(studentsIn(progress)).toEqual([here])
    expect((await give(courseId, { studentId: there }, manager)).status).toBe(404)
    expect((await manager.delete(`/course-enrollments/${grantThere}`)).status).toBe(404)
    expect((await manager.delete(`/course-enrollments/${grantHere}`)).status).toBe(204)
    expect((await give(courseId, { studentId: here }, manager)).status).toBe(201)
  })

  test('a teacher: the progress of the students of their groups, in the courses of their groups', async () => {
    const member = await institute.member({ role: 'teacher' })
    const teacherStaffId = await newStaff(institute, { userId: member.userId })
    const groupId = await newGroup(institute, { teacherStaffId })
    const { courseId } = (await owner.get(`/groups/${groupId}`)).body
    const pupil = await newPupil(institute, groupId)
    await newGrant(institute, courseId, pupil)
    await newGrant(institute, courseId)
    const { status, body } = await member.get(`/courses/${courseId}/progress`)
    expect([status, studentsIn(body.data)]).toEqual([200, [pupil]])
    const { courseId: other } = await newPublished(institute)
    await newGrant(institute, other, pupil)
    expect((await member.get(`/courses/${other}/progress`)).status).toBe(404)
    expect((await member.get(`/courses/${courseId}/enrollments`)).body.error.code).toBe('FORBIDDEN')
    expect((await give(courseId, { studentId: pupil }, member)).body.error.code).toBe('FORBIDDEN')
  })

  test('the front desk gives courses, an accountant does not', async () => {
    const { courseId, here } = await twoBranches()
    const desk = await institute.member({ role: 'front_desk' })
    expect((await give(courseId, { studentId: here }, desk)).status).toBe(201)
    const accountant = await institute.member({ role: 'accountant' })
    expect((await give(courseId, { studentId: here }, accountant)).body.error.code).toBe('FORBIDDEN')
  })

  test.each(['student', 'guardian'] as const)('a %s: nothing of it', async (role) => {
    const { courseId, here, grantHere } = await twoBranches()
    const member = await institute.member({ role })
    for (const path of ['curriculum', 'curriculum/summary', 'enrollments', 'progress']) {
      expect((await member.get(`/courses/${courseId}/${path}`)).body.error.code, path).toBe('FORBIDDEN')
    }
    expect((await give(courseId, { studentId: here }, member)).body.error.code).toBe('FORBIDDEN')
    expect((await member.delete(`/course-enrollments/${grantHere}`)).body.error.code).toBe('FORBIDDEN')
  })
})
