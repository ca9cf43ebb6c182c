import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { LONG_TOKENS, takeAttendance } from '#kit/take-attendance.ts'
import { newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: LONG_TOKENS })
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
const start = '2026-03-02T14:00:00.000Z'

interface Classroom {
  groupId: string
  sessionId: string
  /** In the order of the roster. */
  pupils: [string, string, string]
}

const newClassroom = async (place = institute): Promise<Classroom> => {
  const groupId = await newGroup(place)
  const charlie = await newPupil(place, groupId, { firstName: 'Charlie', lastName: 'Zohar' })
  const bella = await newPupil(place, groupId, { firstName: 'Bella', lastName: 'adler' })
  const avi = await newPupil(place, groupId, { firstName: 'Avi', lastName: 'Adler' })
  return { groupId, sessionId: await newSession(place, groupId), pupils: [avi, bella, charlie] }
}

const roster = async (sessionId: string) => (await owner.get(`/sessions/${sessionId}/attendance`)).body
const mark = (sessionId: string, entries: unknown[], client = owner) =>
  client.put(`/sessions/${sessionId}/attendance`, { entries })
const all = (pupils: string[], status: string) => pupils.map((studentId) => ({ studentId, status }))
const studentsOf = (body: { entries: { studentId: string }[] }) => body.entries.map(({ studentId }) => studentId)

describe('GET /sessions/{id}/attendance', () => {
  test('lists the roster by name; a student without an entry has status and markedAt null', async () => {
    const { groupId, sessionId, pupils } = await newClassroom()
    const { status, body } = await owner.get(`/sessions/${sessionId}/attendance`)
    expect(status).toBe(200)
    expect(body).toEqual({
      sessionId,
      groupId,
      scheduledStart: start,
      status: 'scheduled',
      cancelReason: null,
      version: 1,
      entries: [
        { studentId: pupils[0], firstName: 'Avi', lastName: 'Adler' },
        { studentId: pupils[1], firstName: 'Bella', lastName: 'adler' },
        { studentId: pupils[2], firstName: 'Charlie', lastName: 'Zohar' },
      ].map((student) => ({
        ...student,
        status: null,
        minutesLate: 0,
        note: null,
        markedAt: null,
        announced: null,
        isWalkIn: false,
      })),
    })
  })

  test('is computed as of scheduledStart: students who enrolled later, or dropped or completed before, are not on it', async () => {
    const { groupId, pupils } = await newClassroom()
    const enrolledAt = app.clock.now()
    const at = (scheduledStart: string) =>
      newSession(institute, groupId, { scheduledStart, scheduledEnd: '2026-03-20T12:00:00.000Z' })
    app.clock.advance(60)
    const { body } = await owner.get(`/groups/${groupId}/enrollments`)
    const enrollmentOf = (studentId: string) =>
      body.data.find((enrollment: { studentId: string }) => enrollment.studentId === studentId).id
    await owner.post(`/enrollments/${enrollmentOf(pupils[0])}/drop`, {})
    await owner.post(`/enrollments/${enrollmentOf(pupils[1])}/complete`)
    const endedAt = app.clock.now()
    app.clock.advance(60)
    const late = await newPupil(institute, groupId, { lastName: 'Zzz' })
    const millisBefore = (instant: string) => new Date(Date.parse(instant) - 1).toISOString()
    expect(studentsOf(await roster(await at(millisBefore(enrolledAt))))).toEqual([])
    expect(studentsOf(await roster(await at(enrolledAt)))).toEqual(pupils)
    expect(studentsOf(await roster(await at(millisBefore(endedAt))))).toEqual(pupils)
    expect(studentsOf(await roster(await at(endedAt)))).toEqual([pupils[2]])
    expect(studentsOf(await roster(await at(app.clock.now())))).toEqual([pupils[2], late])
  })

  test('lists a student who left and came back once, and keeps an entry whose student is no longer on the roster', async () => {
    const { groupId, sessionId, pupils } = await newClassroom()
    await mark(sessionId, all([pupils[0]], 'present'))
    const { body } = await owner.get(`/groups/${groupId}/enrollments`)
    for (const { id, studentId } of body.data) {
      if (studentId === pupils[2]) continue
      app.clock.advance(1)
      await owner.post(`/enrollments/${id}/drop`, {})
    }
    const back = await owner.post('/enrollments', { studentId: pupils[0], groupId })
    expect(back.status).toBe(201)
    expect(studentsOf(await roster(sessionId))).toEqual([pupils[0], pupils[2]])
    await owner.post(`/enrollments/${back.body.id}/drop`, {})
    expect(await roster(sessionId)).toMatchObject({
      entries: [
        { studentId: pupils[0], status: 'present' },
        { studentId: pupils[2], status: null },
      ],
    })
    // The reply's entries can be sent back.
    expect((await mark(sessionId, all([pupils[0], pupils[2]], 'late'))).status).toBe(200)
  })

  test('of an unknown session is 404', async () => {
    expect((await owner.get(`/sessions/${unknown}/attendance`)).status).toBe(404)
    expect((await mark(unknown, [])).status).toBe(404)
  })
})

describe('PUT /sessions/{id}/attendance', () => {
  test('adds entries, answers the roster, and marks the session held', async () => {
    const { sessionId, pupils } = await newClassroom()
    const { status, body } = await mark(sessionId, [
      { studentId: pupils[1], status: 'late', minutesLate: 10, note: ' Bus ' },
      { studentId: pupils[0], status: 'present' },
    ])
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'held',
      entries: [
        { studentId: pupils[0], status: 'present', minutesLate: 0, note: null, markedAt: app.clock.now() },
        { studentId: pupils[1], status: 'late', minutesLate: 10, note: 'Bus', markedAt: app.clock.now() },
        { studentId: pupils[2], status: null, minutesLate: 0, note: null, markedAt: null },
      ],
    })
    expect(await roster(sessionId)).toEqual(body)
    expect((await owner.get(`/sessions/${sessionId}`)).body.status).toBe('held')
  })

  test('sending it again changes entries in place; unchanged entries are not written', async () => {
    const { sessionId, pupils } = await newClassroom()
    const first = await mark(sessionId, all(pupils, 'present'))
    const markedAt = app.clock.now()
    app.clock.advance(30)
    expect((await mark(sessionId, all(pupils, 'present'))).body).toEqual(first.body)
    const { body } = await mark(sessionId, [{ studentId: pupils[2], status: 'late', minutesLate: 5 }])
    expect(body.entries).toMatchObject([
      { status: 'present', markedAt },
      { status: 'present', markedAt },
      { status: 'late', minutesLate: 5, markedAt: app.clock.now() },
    ])
    expect((await mark(sessionId, all([pupils[2]], 'late'))).body.entries[2]).toMatchObject({ minutesLate: 0 })
  })

  test('a student who is not on the roster is 422 and nothing is kept', async () => {
    const { groupId, pupils } = await newClassroom()
    const past = await newSession(institute, groupId, { scheduledStart: '2026-03-01T08:00:00.000Z' })
    const refused = await mark(past, all([pupils[0]], 'present'))
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: {
          code: 'VALIDATION_ERROR',
          message: 'The student is not on the roster of the session.',
          details: { issues: [{ path: ['entries', '0', 'studentId'] }] },
        },
      },
    })
    const other = await newClassroom()
    const mixed = await mark(other.sessionId, all([other.pupils[0], pupils[0], unknown], 'present'))
    expect(mixed.body.error.details.issues.map(({ path }: { path: string[] }) => path[1])).toEqual(['1', '2'])
    expect(await roster(other.sessionId)).toMatchObject({ status: 'scheduled', entries: [{ status: null }, {}, {}] })
  })

  test('minutesLate above 0 goes with late only; a student named twice is 422', async () => {
    const { sessionId, pupils } = await newClassroom()
    for (const status of ['present', 'absent', 'excused']) {
      expect((await mark(sessionId, [{ studentId: pupils[0], status, minutesLate: 0 }])).status).toBe(200)
      expect(await mark(sessionId, [{ studentId: pupils[0], status, minutesLate: 1 }])).toMatchObject({
        status: 422,
        body: { error: { details: { issues: [{ path: ['entries', '0', 'minutesLate'] }] } } },
      })
    }
    expect((await mark(sessionId, [{ studentId: pupils[0], status: 'late', minutesLate: -1 }])).status).toBe(422)
    expect((await mark(sessionId, [{ studentId: pupils[0], status: null }])).status).toBe(422)
    expect(await mark(sessionId, all([pupils[0], pupils[1], pupils[0]], 'present'))).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: ['entries', '2', 'studentId'] }] } } },
    })
  })

  test('of a cancelled session is 409', async () => {
    const { sessionId, pupils } = await newClassroom()
    await owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Storm' })
    const reply = await mark(sessionId, all(pupils, 'present'))
    expect(reply).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
  })

  test('attendance.marked is recorded once, when the last entry of the roster arrives', async () => {
    const fresh = await makeInstitute(app)
    const { groupId, sessionId, pupils } = await newClassroom(fresh)
    await mark(sessionId, all(pupils.slice(0, 2), 'absent'), fresh.owner)
    expect(await eventsOf(app, fresh, 'attendance.marked')).toEqual([])
    await mark(sessionId, [{ studentId: pupils[2], status: 'late', minutesLate: 3 }], fresh.owner)
    const marked = {
      sessionId,
      groupId,
      markedByUserId: fresh.ownerUserId,
      absentStudentIds: [pupils[0], pupils[1]],
      counts: { present: 0, absent: 2, late: 1, excused: 0 },
    }
    expect(await eventsOf(app, fresh, 'attendance.marked')).toEqual([marked])
    await mark(sessionId, all(pupils, 'present'), fresh.owner)
    expect(await eventsOf(app, fresh, 'attendance.marked')).toEqual([marked])
  })

  test('an empty list of a session without entries leaves it scheduled and records no event', async () => {
    const fresh = await makeInstitute(app)
    const sessionId = await newSession(fresh)
    expect((await mark(sessionId, [], fresh.owner)).body).toMatchObject({ status: 'scheduled', entries: [] })
    expect(await eventsOf(app, fresh, 'attendance.marked')).toEqual([])
  })

  test('student.absent is recorded when a status becomes absent, late or excused, not when it stays', async () => {
    const fresh = await makeInstitute(app)
    const groupId = await newGroup(fresh)
    const studentId = await newPupil(fresh, groupId)
    // Half past midnight in Jerusalem: the local date is the next day.
    const sessionId = await newSession(fresh, groupId, {
      scheduledStart: '2026-03-05T22:30:00.000Z',
      scheduledEnd: '2026-03-05T23:30:00.000Z',
    })
    for (const status of ['present', 'absent', 'absent', 'late', 'late', 'excused', 'present', 'excused']) {
      await takeAttendance(app, fresh.owner, sessionId, { entries: all([studentId], status) })
    }
    const entries = [{ studentId, status: 'excused', note: 'Doctor' }]
    await takeAttendance(app, fresh.owner, sessionId, { entries })
    const expected = { studentId, sessionId, groupId, occurredOn: '2026-03-06' }
    expect(await eventsOf(app, fresh, 'student.absent')).toEqual(
      ['absent', 'late', 'excused', 'excused'].map((status) => ({ ...expected, status })),
    )
  })

  test('when many mark at once, each entry is stored once and the events are recorded once', async () => {
    const fresh = await makeInstitute(app)
    const { sessionId, pupils } = await newClassroom(fresh)
    const replies = await Promise.all([
      ...pupils.map((studentId) => mark(sessionId, all([studentId], 'absent'), fresh.owner)),
      ...pupils.map(() => mark(sessionId, all(pupils, 'absent'), fresh.owner)),
    ])
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(await eventsOf(app, fresh, 'attendance.marked')).toHaveLength(1)
    expect(await eventsOf(app, fresh, 'student.absent')).toHaveLength(3)
  })

  test('leaves an audit entry with the roster before and after', async () => {
    const fresh = await makeInstitute(app)
    const { sessionId, pupils } = await newClassroom(fresh)
    const { body: before } = await fresh.owner.get(`/sessions/${sessionId}/attendance`)
    const { body: after } = await mark(sessionId, all(pupils, 'present'), fresh.owner)
    expect(await auditOf(app, fresh, 'attendance.mark')).toMatchObject([
      { entity_type: 'session', entity_id: sessionId, before, after },
    ])
  })

  test('a teacher marks the attendance of their own groups; attendance.read reads but cannot mark', async () => {
    const teacher = await institute.member({ role: 'teacher' })
    const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
    const own = await newSession(institute, await newGroup(institute, { teacherStaffId }))
    const { sessionId } = await newClassroom()
    expect((await mark(own, [], teacher)).status).toBe(200)
    expect((await mark(sessionId, [], teacher)).status).toBe(404)
    expect((await teacher.get(`/sessions/${sessionId}/attendance`)).status).toBe(404)
    const reader = await institute.member({ permissions: ['attendance.read'] })
    expect((await reader.get(`/sessions/${sessionId}/attendance`)).status).toBe(200)
    expect((await mark(sessionId, [], reader)).status).toBe(403)
  })

  test('under a role for one branch, sessions of other branches are 404, and a pupil of another branch is on the roster', async () => {
    const { body: branch } = await owner.post('/branches', { name: 'Branch of attendance' })
    const marker = await institute.member({ permissions: ['attendance.mark'], branchId: branch.id })
    const { sessionId } = await newClassroom()
    expect((await mark(sessionId, [], marker)).status).toBe(404)
    const groupId = await newGroup({ owner, branchId: branch.id })
    const guest = await newPupil(institute, groupId)
    const own = await newSession(institute, groupId)
    expect((await mark(own, all([guest], 'present'), marker)).status).toBe(200)
  })
})

describe('GET /groups/{id}/attendance/summary', () => {
  const held = async (groupId: string, day: string, entries: unknown[]) => {
    const sessionId = await newSession(institute, groupId, {
      scheduledStart: `${day}T20:00:00.000Z`,
      scheduledEnd: `${day}T23:00:00.000Z`,
    })
    const reply = await takeAttendance(app, owner, sessionId, { entries })
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  }

  test('counts held sessions, by rate ascending, null last', async () => {
    const { groupId, pupils } = await newClassroom()
    const [avi, bella, charlie] = pupils
    const idle = await newPupil(institute, groupId, { firstName: 'Idle', lastName: 'Aaron' })
    await held(groupId, '2026-03-02', [...all([avi], 'present'), ...all([bella], 'absent'), ...all([charlie], 'late')])
    await held(groupId, '2026-03-03', [...all([avi], 'absent'), ...all([bella], 'absent'), ...all([idle], 'excused')])
    await held(groupId, '2026-03-04', [...all([avi], 'late')])
    const { status, body } = await owner.get(`/groups/${groupId}/attendance/summary?from=2026-03-01&to=2026-03-31`)
    expect(status).toBe(200)
    const none = { present: 0, absent: 0, late: 0, excused: 0, totalHeld: 3 }
    expect(body).toEqual({
      groupId,
      from: '2026-03-01',
      to: '2026-03-31',
      students: [
        { studentId: bella, firstName: 'Bella', lastName: 'adler', ...none, absent: 2, rate: 0 },
        { studentId: avi, firstName: 'Avi', lastName: 'Adler', ...none, present: 1, absent: 1, late: 1, rate: 66.7 },
        { studentId: charlie, firstName: 'Charlie', lastName: 'Zohar', ...none, late: 1, rate: 100 },
        { studentId: idle, firstName: 'Idle', lastName: 'Aaron', ...none, excused: 1, rate: null },
      ],
    })
  })

  test('from and to are local dates, both inclusive; the default is the 30 days that end today', async () => {
    const { groupId, pupils } = await newClassroom()
    // 22:00 in Jerusalem is the same date; the test clock is at Monday the 2nd.
    await held(groupId, '2026-03-02', all(pupils, 'present'))
    await held(groupId, '2026-03-03', all(pupils, 'absent'))
    const total = async (query: string) =>
      (await owner.get(`/groups/${groupId}/attendance/summary${query}`)).body.students[0].totalHeld
    expect(await total('')).toBe(1)
    expect(await total('?from=2026-03-02&to=2026-03-03')).toBe(2)
    expect(await total('?from=2026-03-03&to=2026-03-03')).toBe(1)
    expect(await total('?from=2026-03-04&to=2026-03-04')).toBe(0)
    const { body } = await owner.get(`/groups/${groupId}/attendance/summary`)
    expect(body).toMatchObject({ from: '2026-02-01', to: '2026-03-02' })
    expect((await owner.get(`/groups/${groupId}/attendance/summary?to=2026-03-31`)).body.from).toBe('2026-03-02')
    expect((await owner.get(`/groups/${groupId}/attendance/summary?from=2026-03-05&to=2026-03-04`)).status).toBe(422)
    expect((await owner.get(`/groups/${unknown}/attendance/summary`)).status).toBe(404)
  })

  test('a group without sessions lists who is enrolled, with no rate', async () => {
    const { groupId, pupils } = await newClassroom()
    const { body } = await owner.get(`/groups/${groupId}/attendance/summary`)
    expect(body.students).toMatchObject(pupils.map((studentId) => ({ studentId, totalHeld: 0, rate: null })))
  })
})
