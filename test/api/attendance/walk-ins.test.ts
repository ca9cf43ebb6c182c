import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { LONG_TOKENS } from '#kit/take-attendance.ts'
import { create, newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: LONG_TOKENS })
})
afterAll(() => app.close())

interface Lesson {
  teacher: Client
  desk: Client
  groupId: string
  sessionId: string
  /** On its list. */
  pupilId: string
  /** Of the same branch, in another group. */
  strangerId: string
}

const newLesson = async (): Promise<Lesson> => {
  institute = await makeInstitute(app)
  owner = institute.owner
  const teacher = await institute.member({ role: 'teacher' })
  const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
  const groupId = await newGroup(institute, { teacherStaffId, name: 'Algebra 1' })
  return {
    teacher,
    desk: await institute.member({ role: 'front_desk' }),
    groupId,
    pupilId: await newPupil(institute, groupId),
    strangerId: await newPupil(institute, await newGroup(institute), { firstName: 'Noor', lastName: 'Haddad' }),
    sessionId: await newSession(institute, groupId),
  }
}

const found = async (client: Client, sessionId: string, q: string) => {
  const { status, body } = await client.get(`/sessions/${sessionId}/walk-ins/candidates?q=${encodeURIComponent(q)}`)
  expect(status).toBe(200)
  return body.students
}

const waiting = async (client: Client, query = '') => (await client.get(`/walk-ins${query}`)).body.data

describe('whoever marks a lesson', () => {
  test('finds by name or whole phone who is not on its list, and hears a name and a number', async () => {
    const { teacher, sessionId, strangerId, pupilId } = await newLesson()
    await newParent(institute, strangerId, { firstName: 'Hala', phone: '+972501112233' })
    const { studentNumber } = (await owner.get(`/students/${strangerId}`)).body
    const hit = { studentId: strangerId, fullName: 'Noor Haddad', studentNumber }
    expect(await found(teacher, sessionId, 'had noo')).toEqual([hit])
    expect(await found(teacher, sessionId, '050-111-2233')).toEqual([hit])
    // A part of a phone names nobody, and who is on the list is marked there.
    expect(await found(teacher, sessionId, '050-1112')).toEqual([])
    const { lastName } = (await owner.get(`/students/${pupilId}`)).body
    expect(
      (await found(teacher, sessionId, lastName)).map((one: { studentId: string }) => one.studentId),
    ).not.toContain(pupilId)
  })

  test('adds them, marked at once: they are in that lesson, on no other list, and not enrolled', async () => {
    const { teacher, sessionId, strangerId, groupId, pupilId } = await newLesson()
    const added = await teacher.post(`/sessions/${sessionId}/walk-ins`, { studentId: strangerId })
    expect(added.status).toBe(200)
    expect(added.body).toMatchObject({ sessionId, status: 'held', version: 2 })
    expect(added.body.entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ studentId: strangerId, firstName: 'Noor', status: 'present', isWalkIn: true }),
        expect.objectContaining({ studentId: pupilId, status: null, isWalkIn: false }),
      ]),
    )
    const { data } = (await owner.get(`/students/${strangerId}/enrollments`)).body
    expect(data.map((one: { groupId: string }) => one.groupId)).not.toContain(groupId)
    const next = await newSession(institute, groupId, {
      scheduledStart: '2026-03-02T17:00:00.000Z',
      scheduledEnd: '2026-03-02T18:00:00.000Z',
    })
    const { entries } = (await teacher.get(`/sessions/${next}/attendance`)).body
    expect(entries.map((one: { studentId: string }) => one.studentId)).toEqual([pupilId])
    // From then on they are marked like the others.
    const late = [{ studentId: strangerId, status: 'late', minutesLate: 5 }]
    const marked = await teacher.put(`/sessions/${sessionId}/attendance`, { entries: late })
    expect(marked.body.entries).toContainEqual(
      expect.objectContaining({ studentId: strangerId, status: 'late', isWalkIn: true }),
    )
  })

  test('adds somebody who comes late with the minutes; it is told like every lateness', async () => {
    const { teacher, sessionId, strangerId } = await newLesson()
    const walkIn = { studentId: strangerId, status: 'late', minutesLate: 10, note: 'With a cousin' }
    const { body } = await teacher.post(`/sessions/${sessionId}/walk-ins`, walkIn)
    expect(body.entries).toContainEqual(expect.objectContaining({ ...walkIn, isWalkIn: true }))
    expect(await eventsOf(app, institute, 'student.absent')).toMatchObject([{ studentId: strangerId, status: 'late' }])
  })

  test('is refused who is on the list, or was added before', async () => {
    const { teacher, sessionId, strangerId, pupilId } = await newLesson()
    const add = (studentId: string) => teacher.post(`/sessions/${sessionId}/walk-ins`, { studentId })
    for (const studentId of [pupilId, strangerId]) {
      if (studentId === strangerId) await add(strangerId)
      const { status, body } = await add(studentId)
      expect([status, body.error.details.reason]).toEqual([409, 'already_on_roster'])
    }
  })

  test('reaches nobody of another branch, and nobody who has left', async () => {
    const { teacher, sessionId, strangerId } = await newLesson()
    const branchId = await create(institute, '/branches', { name: 'Haifa' })
    const elsewhere = await newPupil(institute, await newGroup({ owner, branchId }), {
      branchId,
      firstName: 'Noor',
      lastName: 'Haddad',
    })
    await owner.post(`/students/${strangerId}/status`, { status: 'withdrawn' })
    expect((await owner.get(`/students/${strangerId}`)).body.status).toBe('withdrawn')
    expect(await found(teacher, sessionId, 'Noor Haddad')).toEqual([])
    for (const studentId of [elsewhere, strangerId, '01890a5d-ac96-774b-bcce-b302099a8057']) {
      expect((await teacher.post(`/sessions/${sessionId}/walk-ins`, { studentId })).status).toBe(404)
    }
  })

  test('adds nobody to a lesson that is cancelled or of another day, nor to one that others give', async () => {
    const { teacher, sessionId, strangerId: studentId, groupId } = await newLesson()
    const ahead = await newSession(institute, groupId, {
      scheduledStart: '2026-03-04T14:00:00.000Z',
      scheduledEnd: '2026-03-04T15:00:00.000Z',
    })
    const tooEarly = await teacher.post(`/sessions/${ahead}/walk-ins`, { studentId })
    expect([tooEarly.status, tooEarly.body.error.details.reason]).toEqual([422, 'session_ahead'])
    await owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Flu' })
    const cancelled = await teacher.post(`/sessions/${sessionId}/walk-ins`, { studentId })
    expect([cancelled.status, cancelled.body.error.details.reason]).toEqual([409, 'session_cancelled'])
    const ofOthers = await newSession(institute)
    expect((await teacher.post(`/sessions/${ofOthers}/walk-ins`, { studentId })).status).toBe(404)
    expect((await teacher.get(`/sessions/${ofOthers}/walk-ins/candidates?q=Noor`)).status).toBe(404)
  })
})

describe('a lesson that is added after its beginning', () => {
  /** A lesson of this morning, which somebody adds at noon. */
  const added = async (enrolledAt: string) => {
    app.clock.set('2026-03-02T08:00:00.000Z')
    const { teacher, desk, groupId } = await newLesson()
    app.clock.set(enrolledAt)
    const studentId = await create(institute, '/students', {
      branchId: institute.branchId,
      firstName: 'Adam',
      lastName: 'Saleh',
    })
    await create(institute, '/enrollments', { studentId, groupId })
    app.clock.set('2026-03-02T10:00:00.000Z')
    const times = { scheduledStart: '2026-03-02T08:30:00.000Z', scheduledEnd: '2026-03-02T09:30:00.000Z' }
    const sessionId = await create(institute, `/groups/${groupId}/sessions`, times)
    const roster = async () =>
      (await owner.get(`/sessions/${sessionId}/attendance`)).body.entries.map(
        (one: { studentId: string }) => one.studentId,
      )
    return { teacher, desk, groupId, studentId, sessionId, roster }
  }

  test('of who was enrolled after its beginning, the teacher marks them as a guest, and the desk puts their beginning before it', async () => {
    const { teacher, desk, groupId, studentId, sessionId, roster } = await added('2026-03-02T09:45:00.000Z')
    expect(await roster()).not.toContain(studentId)
    expect(await found(teacher, sessionId, 'Adam Saleh')).toMatchObject([{ studentId }])
    const guest = await teacher.post(`/sessions/${sessionId}/walk-ins`, { studentId })
    expect([guest.status, await roster()]).toEqual([200, expect.arrayContaining([studentId])])
    // Whoever is in the group already waits for nobody’s decision.
    expect(await waiting(owner)).toEqual([])
    await owner.delete(`/sessions/${sessionId}/attendance/${studentId}`)
    const enrolledAt = '2026-03-02T08:30:00.000Z'
    const again = await desk.post('/enrollments', { studentId, groupId, enrolledAt })
    expect([again.status, again.body.error.details.reason]).toEqual([409, 'already_enrolled'])
    const { data } = (await desk.get(`/enrollments?studentId=${studentId}&groupId=${groupId}&status=active`)).body
    expect((await desk.patch(`/enrollments/${data[0].id}`, { enrolledAt })).status).toBe(200)
    expect(await roster()).toContain(studentId)
  })
})

describe('the desk', () => {
  const walkedIn = async (): Promise<Lesson> => {
    const lesson = await newLesson()
    await lesson.teacher.post(`/sessions/${lesson.sessionId}/walk-ins`, { studentId: lesson.strangerId })
    return lesson
  }

  test('sees who came without being enrolled, and enrols them from that lesson on by one request', async () => {
    const { desk, sessionId, strangerId, groupId } = await walkedIn()
    const expected = { sessionId, groupId, groupName: 'Algebra 1', studentId: strangerId, studentName: 'Noor Haddad' }
    expect(await waiting(desk)).toMatchObject([{ ...expected, status: 'present', addedAt: app.clock.now() }])
    expect(await waiting(desk, `?groupId=${groupId}&branchId=${institute.branchId}`)).toHaveLength(1)
    expect(await waiting(desk, `?groupId=${await newGroup(institute)}`)).toEqual([])
    expect((await desk.get('/dashboard/attention')).body.walkIns).toBe(1)
    const [{ scheduledStart }] = await waiting(desk)
    const since = { studentId: strangerId, groupId, enrolledAt: scheduledStart }
    // The lesson is today, and its hour is still to come.
    const enrolled = await desk.post('/enrollments', since)
    expect(enrolled.status).toBe(201)
    expect(await waiting(desk)).toEqual([])
    expect((await desk.get('/dashboard/attention')).body.walkIns).toBe(0)
  })

  test('leaves them as they are: the entry stays, and nobody asks again', async () => {
    const { desk, teacher, sessionId, strangerId } = await walkedIn()
    const settle = () => desk.post(`/sessions/${sessionId}/walk-ins/${strangerId}/settle`)
    expect(await settle()).toMatchObject({ status: 200, body: { ok: true } })
    expect(await waiting(desk)).toEqual([])
    const { entries } = (await teacher.get(`/sessions/${sessionId}/attendance`)).body
    expect(entries).toContainEqual(
      expect.objectContaining({ studentId: strangerId, status: 'present', isWalkIn: false }),
    )
    expect((await auditOf(app, institute, 'attendance.settle-walk-in')).at(-1)).toMatchObject({
      metadata: { studentId: strangerId, enrolled: false },
    })
    expect((await settle()).status).toBe(404)
  })

  test('has nobody to decide on whose entry was taken back', async () => {
    const { desk, teacher, sessionId, strangerId } = await walkedIn()
    expect((await teacher.delete(`/sessions/${sessionId}/attendance/${strangerId}`)).status).toBe(200)
    expect(await waiting(desk)).toEqual([])
  })
})

test('two who add the same child at once add it once', async () => {
  const { teacher, sessionId, strangerId: studentId } = await newLesson()
  const replies = await Promise.all(
    [teacher, owner].map((client) => client.post(`/sessions/${sessionId}/walk-ins`, { studentId })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await waiting(owner)).toHaveLength(1)
})
