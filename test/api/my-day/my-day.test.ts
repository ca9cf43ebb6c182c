import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { linkAccount } from '#kit/link-account.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
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

const stand = (table: 'student' | 'guardian', id: string, { userId }: TestMember) =>
  linkAccount(app, table, { id, userId })

const teacher = async () => {
  const member = await institute.member({ role: 'teacher' })
  return { member, staffId: await newStaff(institute, { userId: member.userId }) }
}

/** A student of the group with an account of their own. */
const student = async (groupId: string) => {
  const member = await institute.member({ role: 'student' })
  const studentId = await newPupil(institute, groupId)
  await stand('student', studentId, member)
  return { member, studentId }
}

let phones = 0
/** Somebody with an account who is the guardian of these students. */
const guardian = async (studentIds: string[]) => {
  const member = await institute.member({ role: 'guardian' })
  phones += 1
  const person = { firstName: 'Ruth', lastName: 'Levi', phone: `+97250123${String(phones).padStart(4, '0')}` }
  const { body } = await owner.post('/guardians', person)
  await stand('guardian', body.id, member)
  for (const studentId of studentIds) {
    const link = { guardianId: body.id, relationship: 'mother', isPrimary: false, isPayer: false }
    expect((await owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
  }
  return member
}

const at = (scheduledStart: string, fields: Record<string, unknown> = {}) => ({
  scheduledStart,
  scheduledEnd: new Date(Date.parse(scheduledStart) + 3_600_000).toISOString(),
  ...fields,
})
const mark = async (sessionId: string, entries: unknown[]) =>
  expect((await takeAttendance(app, owner, sessionId, { entries })).status).toBe(200)

const WEEK = '/me/schedule?from=2026-03-05&to=2026-03-10'
const relationsOf = async (client: Client, path = WEEK) =>
  (await client.get(path)).body.map((one: { sessionId: string; relation: string; studentId: string | null }) => [
    one.sessionId,
    one.relation,
    one.studentId,
  ])

describe('GET /me/schedule', () => {
  test('is an array of the sessions of the time, from the first to the last local day', async () => {
    const { member, staffId } = await teacher()
    const groupId = await newGroup(institute, { teacherStaffId: staffId })
    // In Jerusalem a day begins two hours before it does in UTC.
    for (const start of ['2026-03-04T21:59:00.000Z', '2026-03-10T22:00:00.000Z']) {
      await newSession(institute, groupId, at(start))
    }
    const last = await newSession(institute, groupId, at('2026-03-10T21:59:00.000Z'))
    const first = await newSession(institute, groupId, at('2026-03-04T22:00:00.000Z'))
    const { courseId, courseName, name, room } = (await owner.get(`/groups/${groupId}`)).body
    const { status, body } = await member.get(WEEK)
    expect(status).toBe(200)
    const group = { groupId, groupName: name, room, courseId, courseName }
    const shown = { ...group, status: 'scheduled', cancelReason: null, topic: null, homework: null, fileCount: 0 }
    expect(body).toEqual([
      { sessionId: first, ...shown, ...at('2026-03-04T22:00:00.000Z'), relation: 'teacher', studentId: null },
      { sessionId: last, ...shown, ...at('2026-03-10T21:59:00.000Z'), relation: 'teacher', studentId: null },
    ])
  })

  test('for a teacher holds what they give, not what a substitute gives for them', async () => {
    const { member, staffId } = await teacher()
    const other = await newStaff(institute)
    const own = await newGroup(institute, { teacherStaffId: staffId })
    const others = await newGroup(institute, { teacherStaffId: other })
    await newSession(institute, own, at('2026-03-05T08:00:00.000Z', { teacherStaffId: other }))
    await newSession(institute, others, at('2026-03-05T09:00:00.000Z'))
    const substituted = await newSession(institute, others, at('2026-03-05T10:00:00.000Z', { teacherStaffId: staffId }))
    const held = await newSession(institute, own, at('2026-03-05T11:00:00.000Z'))
    const studentId = await newPupil(institute, own)
    await mark(held, [{ studentId, status: 'present' }])
    const cancelled = await newSession(institute, own, at('2026-03-05T12:00:00.000Z'))
    await owner.patch(`/sessions/${cancelled}`, { status: 'cancelled', reason: 'Snow' })
    const all = [substituted, held, cancelled].map((id) => [id, 'teacher', null])
    expect(await relationsOf(member)).toEqual(all)
    // Whoever gave a session gave it, also once the group has another teacher.
    await owner.patch(`/groups/${own}`, { teacherStaffId: other })
    expect(await relationsOf(member)).toEqual(all.slice(0, 2))
  })

  test('for a student holds the sessions on whose roster they are, for a guardian those of each child', async () => {
    const groupId = await newGroup(institute)
    const otherGroup = await newGroup(institute)
    const sessionId = await newSession(institute, groupId, at('2026-03-05T08:00:00.000Z'))
    const otherId = await newSession(institute, otherGroup, at('2026-03-06T08:00:00.000Z'))
    const one = await student(groupId)
    const two = await student(groupId)
    const stranger = await student(otherGroup)
    expect(await relationsOf(one.member)).toEqual([[sessionId, 'student', one.studentId]])
    expect(await relationsOf(stranger.member)).toEqual([[otherId, 'student', stranger.studentId]])
    const parent = await guardian([one.studentId, two.studentId])
    const children = [one.studentId, two.studentId].toSorted()
    expect(await relationsOf(parent)).toEqual(children.map((id) => [sessionId, 'guardian', id]))
  })

  test('leaves out sessions after the student dropped the group', async () => {
    const groupId = await newGroup(institute)
    const { member, studentId } = await student(groupId)
    await newSession(institute, groupId, at('2026-03-05T08:00:00.000Z'))
    const { data } = (await owner.get(`/students/${studentId}/enrollments`)).body
    await owner.post(`/enrollments/${data[0].id}/drop`, {})
    expect(await relationsOf(member)).toEqual([])
  })

  test('a student who left and came back while a session runs has it once', async () => {
    const { member: gives, staffId } = await teacher()
    const groupId = await newGroup(institute, { teacherStaffId: staffId })
    const { member, studentId } = await student(groupId)
    const start = app.clock.now()
    const sessionId = await newSession(institute, groupId, {
      scheduledStart: start,
      scheduledEnd: new Date(Date.parse(start) + 180_000).toISOString(),
    })
    app.clock.advance(60)
    const { data } = (await owner.get(`/students/${studentId}/enrollments`)).body
    await owner.post(`/enrollments/${data[0].id}/drop`, {})
    app.clock.advance(60)
    await owner.post('/enrollments', { studentId, groupId })
    const day = start.slice(0, 10)
    const path = `/me/schedule?from=${day}&to=${day}`
    expect(await relationsOf(member, path)).toEqual([[sessionId, 'student', studentId]])
    app.clock.advance(60)
    const { unmarkedBacklog } = (await gives.get('/me/teaching/today')).body
    expect(unmarkedBacklog).toMatchObject([{ sessionId, rosterCount: 1 }])
  })

  test('is empty for an account without a record, and for an API key', async () => {
    expect(await relationsOf(owner)).toEqual([])
  })

  test.each([
    ['', 'from'],
    ['?from=2026-03-05', 'to'],
    ['?from=2026-03-32&to=2026-04-02', 'from'],
    ['?from=2026-03-05&to=2026-03-04', 'to'],
    ['?from=2026-03-05&to=2026-06-14', 'to'],
  ])('%j is 422', async (query, field) => {
    const { status, body } = await owner.get(`/me/schedule${query}`)
    expect([status, body.error.details.issues[0].path]).toEqual([422, [field]])
  })
})

describe('GET /me/teaching/today', () => {
  test('counts the rosters of today’s sessions', async () => {
    const { member, staffId } = await teacher()
    const groupId = await newGroup(institute, { teacherStaffId: staffId })
    const pupils = [await newPupil(institute, groupId), await newPupil(institute, groupId)]
    const starts = ['2026-03-02T09:00:00.000Z', '2026-03-02T10:00:00.000Z', '2026-03-02T21:00:00.000Z']
    const [partial, complete, unmarked] = [
      await newSession(institute, groupId, at(starts[0] as string)),
      await newSession(institute, groupId, at(starts[1] as string)),
      await newSession(institute, groupId, at(starts[2] as string)),
    ]
    await newSession(institute, groupId, at('2026-03-02T22:00:00.000Z'))
    await mark(partial, [{ studentId: pupils[0], status: 'present' }])
    await mark(
      complete,
      pupils.map((studentId) => ({ studentId, status: 'absent' })),
    )
    const { body } = await member.get('/me/teaching/today')
    expect(body).toMatchObject({ date: '2026-03-02', timezone: 'Asia/Jerusalem', staffId, unmarkedBacklog: [] })
    const { courseId, courseName, name, room } = (await owner.get(`/groups/${groupId}`)).body
    const shown = { groupId, groupName: name, room, courseId, courseName, cancelReason: null, rosterCount: 2 }
    expect(body.sessions).toEqual([
      {
        sessionId: partial,
        ...shown,
        ...at(starts[0] as string),
        status: 'held',
        markedCount: 1,
        attendanceState: 'partial',
      },
      {
        sessionId: complete,
        ...shown,
        ...at(starts[1] as string),
        status: 'held',
        markedCount: 2,
        attendanceState: 'complete',
      },
      {
        sessionId: unmarked,
        ...shown,
        ...at(starts[2] as string),
        status: 'scheduled',
        markedCount: 0,
        attendanceState: 'unmarked',
      },
    ])
  })

  test('names what ended, was not cancelled, has a roster and no entry', async () => {
    const { member, staffId } = await teacher()
    const groupId = await newGroup(institute, { teacherStaffId: staffId })
    const studentId = await newPupil(institute, groupId)
    const empty = await newGroup(institute, { teacherStaffId: staffId })
    // Lessons of one minute each, within the time for which the sign-ins hold.
    const minute = Date.parse(app.clock.now()) / 60_000
    const lesson = (n: number) => ({
      scheduledStart: new Date((minute + n) * 60_000).toISOString(),
      scheduledEnd: new Date((minute + n + 1) * 60_000).toISOString(),
    })
    app.clock.advance(360)
    const first = await newSession(institute, groupId, lesson(0))
    const held = await newSession(institute, groupId, lesson(1))
    await mark(held, [])
    const marked = await newSession(institute, groupId, lesson(2))
    await mark(marked, [{ studentId, status: 'present' }])
    const cancelled = await newSession(institute, groupId, lesson(3))
    await owner.patch(`/sessions/${cancelled}`, { status: 'cancelled', reason: 'Snow' })
    await newSession(institute, empty, lesson(4))
    const last = await newSession(institute, groupId, lesson(5))
    await newSession(institute, groupId, lesson(6))
    const { unmarkedBacklog } = (await member.get('/me/teaching/today')).body
    const { name } = (await owner.get(`/groups/${groupId}`)).body
    const shown = { groupId, groupName: name, rosterCount: 1 }
    expect(unmarkedBacklog).toEqual([
      { sessionId: last, ...shown, ...lesson(5) },
      { sessionId: held, ...shown, ...lesson(1) },
      { sessionId: first, ...shown, ...lesson(0) },
    ])
  })

  test('has staffId null and no sessions for somebody who is not on the staff, or no longer', async () => {
    const { member, staffId } = await teacher()
    await owner.patch(`/staff/${staffId}`, { isActive: false })
    for (const client of [owner, member]) {
      expect((await client.get('/me/teaching/today')).body).toMatchObject({
        staffId: null,
        sessions: [],
        unmarkedBacklog: [],
      })
    }
  })
})

describe('GET /me/attendance', () => {
  const attend = async (groupId: string, studentId: string, start: string, fields: Record<string, unknown>) => {
    const sessionId = await newSession(institute, groupId, at(start))
    await mark(sessionId, [{ studentId, ...fields }])
    return sessionId
  }

  test('is a student’s own, latest first, with the sums of the whole time', async () => {
    const groupId = await newGroup(institute)
    const { member, studentId } = await student(groupId)
    const first = await attend(groupId, studentId, '2026-03-08T08:00:00.000Z', { status: 'present' })
    const second = await attend(groupId, studentId, '2026-03-09T08:00:00.000Z', { status: 'late', minutesLate: 5 })
    const third = await attend(groupId, studentId, '2026-03-10T08:00:00.000Z', { status: 'absent', note: 'Ill' })
    const entries = [{ studentId: await newPupil(institute, groupId), status: 'present' }]
    await mark(await newSession(institute, groupId, at('2026-03-11T08:00:00.000Z')), entries)
    const groupName = (await owner.get(`/groups/${groupId}`)).body.name
    const lesson = (start: string) => ({
      groupId,
      groupName,
      minutesLate: 0,
      note: null,
      scheduledStart: start,
      markedAt: start,
    })
    const page = (await member.get('/me/attendance?limit=2')).body
    const rate = { present: 1, absent: 1, late: 1, excused: 0, totalHeld: 4, rate: 66.7 }
    expect(page).toEqual({
      data: [
        { sessionId: third, ...lesson('2026-03-10T08:00:00.000Z'), status: 'absent', note: 'Ill' },
        { sessionId: second, ...lesson('2026-03-09T08:00:00.000Z'), status: 'late', minutesLate: 5 },
      ],
      nextCursor: expect.any(String),
      rate,
    })
    const next = (await member.get(`/me/attendance?limit=2&cursor=${page.nextCursor}`)).body
    expect(next).toMatchObject({ data: [{ sessionId: first }], nextCursor: null, rate })
    const day = (await member.get('/me/attendance?from=2026-03-09&to=2026-03-09')).body
    expect(day).toMatchObject({ data: [{ sessionId: second }], rate: { present: 0, late: 1, totalHeld: 1, rate: 100 } })
  })

  test('a guardian reads a linked child’s, and nobody else’s', async () => {
    const groupId = await newGroup(institute)
    const { member, studentId } = await student(groupId)
    const other = await student(groupId)
    await attend(groupId, studentId, '2026-03-08T08:00:00.000Z', { status: 'present' })
    const parent = await guardian([studentId])
    expect((await parent.get(`/me/attendance?studentId=${studentId}`)).body.data).toHaveLength(1)
    expect((await member.get(`/me/attendance?studentId=${studentId}`)).body.data).toHaveLength(1)
    for (const client of [parent, member, owner]) {
      expect((await client.get(`/me/attendance?studentId=${other.studentId}`)).status).toBe(404)
    }
  })

  test('is empty for somebody with no student behind them', async () => {
    const rate = { present: 0, absent: 0, late: 0, excused: 0, totalHeld: 0, rate: null }
    expect((await owner.get('/me/attendance')).body).toEqual({ data: [], nextCursor: null, rate })
    expect((await (await guardian([])).get('/me/attendance')).body.data).toEqual([])
  })

  test('a time that ends before it begins is 422', async () => {
    expect((await owner.get('/me/attendance?from=2026-03-05&to=2026-03-04')).status).toBe(422)
  })
})
