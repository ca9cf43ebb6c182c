import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
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

interface Row {
  id: string
  scheduledStart: string
  teacherStaffId: string | null
  teacherName: string | null
}

const at = (scheduledStart: string, fields: Record<string, unknown> = {}) => ({
  scheduledStart,
  scheduledEnd: new Date(Date.parse(scheduledStart) + 3_600_000).toISOString(),
  ...fields,
})
const add = (groupId: string, scheduledStart: string, fields: Record<string, unknown> = {}) =>
  newSession(institute, groupId, at(scheduledStart, fields))
const rows = async (query: string, client = owner): Promise<Row[]> => {
  const reply = await client.get(`/sessions?${query}`)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body.data
}
const ids = async (query: string, client = owner): Promise<string[]> => (await rows(query, client)).map(({ id }) => id)
const mark = async (sessionId: string, entries: unknown[]) =>
  expect((await takeAttendance(app, owner, sessionId, { entries })).status).toBe(200)

describe('GET /sessions', () => {
  test('shows of each session its group, course, branch, room, teacher and how far it is marked', async () => {
    const teacherStaffId = await newStaff(institute, { firstName: 'Rania', lastName: 'Saleh' })
    const groupId = await newGroup(institute, { room: 'Hall', teacherStaffId })
    const [one, two] = [await newPupil(institute, groupId), await newPupil(institute, groupId)]
    const id = await add(groupId, '2026-04-01T14:00:00.000Z')
    const { body: session } = await owner.get(`/sessions/${id}`)
    const { body: group } = await owner.get(`/groups/${groupId}`)
    const expected = {
      ...session,
      groupName: group.name,
      courseName: group.courseName,
      branchId: institute.branchId,
      room: 'Hall',
      teacherName: 'Rania Saleh',
      rosterCount: 2,
      markedCount: 0,
      attendanceState: 'unmarked',
    }
    const day = `groupId=${groupId}&from=2026-04-01`
    expect(await rows(day)).toEqual([expected])
    await mark(id, [{ studentId: one, status: 'present' }])
    expect(await rows(day)).toMatchObject([{ status: 'held', markedCount: 1, attendanceState: 'partial' }])
    await mark(id, [{ studentId: two, status: 'absent' }])
    expect(await rows(day)).toMatchObject([{ rosterCount: 2, markedCount: 2, attendanceState: 'complete' }])
  })

  test('counts the roster as the session’s attendance lists it, also whoever left since and came back', async () => {
    const groupId = await newGroup(institute)
    const studentId = await newPupil(institute, groupId)
    const id = await add(groupId, '2026-04-03T14:00:00.000Z')
    await mark(id, [{ studentId, status: 'late', minutesLate: 3 }])
    const enrolled = (await owner.get(`/groups/${groupId}/enrollments`)).body.data[0].id
    expect((await owner.post(`/enrollments/${enrolled}/drop`)).status).toBe(200)
    expect((await owner.post('/enrollments', { studentId, groupId })).status).toBe(201)
    await newPupil(institute, groupId)
    const { entries } = (await owner.get(`/sessions/${id}/attendance`)).body
    expect(entries).toHaveLength(2)
    expect(await rows(`groupId=${groupId}&from=2026-04-03`)).toMatchObject([
      { rosterCount: 2, markedCount: 1, attendanceState: 'partial' },
    ])
  })

  test('goes by days of the institute, both inclusive, in order of time, page by page', async () => {
    const groupId = await newGroup(institute)
    // Midnight in Jerusalem is 21:00 UTC in summer time.
    const first = await add(groupId, '2026-04-30T21:00:00.000Z')
    const last = await add(groupId, '2026-05-02T20:59:00.000Z')
    const middle = await add(groupId, '2026-05-02T07:00:00.000Z')
    await add(groupId, '2026-04-30T20:59:00.000Z')
    await add(groupId, '2026-05-02T21:00:00.000Z')
    const span = `groupId=${groupId}&from=2026-05-01&to=2026-05-02`
    expect(await ids(span)).toEqual([first, middle, last])
    const page = (await owner.get(`/sessions?${span}&limit=2`)).body
    expect(page.data.map(({ id }: Row) => id)).toEqual([first, middle])
    const rest = (await owner.get(`/sessions?${span}&limit=2&cursor=${encodeURIComponent(page.nextCursor)}`)).body
    expect(rest).toMatchObject({ data: [{ id: last }], nextCursor: null })
  })

  test('is of today without from, and of one day without to', async () => {
    const groupId = await newGroup(institute)
    const today = await add(groupId, '2026-03-02T16:00:00.000Z')
    const tomorrow = await add(groupId, '2026-03-03T16:00:00.000Z')
    expect(await ids(`groupId=${groupId}`)).toEqual([today])
    expect(await ids(`groupId=${groupId}&from=2026-03-03`)).toEqual([tomorrow])
    expect(await ids(`groupId=${groupId}&to=2026-03-03`)).toEqual([today, tomorrow])
  })

  test('more than 62 days, and an end before the beginning, are 422', async () => {
    expect((await owner.get('/sessions?from=2026-03-01&to=2026-05-02')).status).toBe(200)
    for (const span of ['from=2026-03-01&to=2026-05-03', 'from=2026-03-02&to=2026-03-01']) {
      const reply = await owner.get(`/sessions?${span}`)
      expect(reply).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: ['to'] }] } } } })
    }
  })

  test('filters by branch, room and statuses', async () => {
    const { body: north } = await owner.post('/branches', { name: 'Timetable north' })
    const here = await newGroup(institute, { room: 'Blue' })
    const there = await newGroup({ owner, branchId: north.id }, { room: 'Blue' })
    const [a, b] = [await add(here, '2026-03-20T08:00:00Z'), await add(there, '2026-03-20T09:00:00Z')]
    const c = await add(here, '2026-03-20T10:00:00Z')
    expect((await owner.patch(`/sessions/${c}`, { status: 'cancelled', reason: 'Ill.' })).status).toBe(200)
    await mark(a, [{ studentId: await newPupil(institute, here), status: 'present' }])
    expect(await ids('from=2026-03-20&room=Blue')).toEqual([a, b, c])
    expect(await ids('from=2026-03-20&room=blu')).toEqual([])
    expect(await ids(`from=2026-03-20&branchId=${north.id}`)).toEqual([b])
    expect(await ids('from=2026-03-20&status=held&status=cancelled')).toEqual([a, c])
    expect(await ids(`from=2026-03-20&room=Blue&branchId=${institute.branchId}&status=cancelled`)).toEqual([c])
  })

  test('of a teacher are those they give: their groups’ without a substitute, those they substitute, those they gave', async () => {
    const [mine, other] = [await newStaff(institute), await newStaff(institute, { firstName: 'Omar' })]
    const own = await newGroup(institute, { teacherStaffId: mine })
    const foreign = await newGroup(institute, { teacherStaffId: other })
    const plain = await add(own, '2026-03-21T08:00:00Z')
    const given = await add(own, '2026-03-21T09:00:00Z', { teacherStaffId: other })
    const substituted = await add(foreign, '2026-03-21T10:00:00Z', { teacherStaffId: mine })
    const held = await add(own, '2026-03-21T11:00:00Z')
    await mark(held, [{ studentId: await newPupil(institute, own), status: 'present' }])
    const day = `from=2026-03-21&teacherStaffId=${mine}`
    expect(await ids(day)).toEqual([plain, substituted, held])
    expect(await rows(`from=2026-03-21&groupId=${own}`)).toMatchObject([
      { id: plain, teacherStaffId: null, teacherName: 'Tamar Teacher' },
      { id: given, teacherStaffId: other, teacherName: 'Omar Teacher' },
      { id: held, teacherStaffId: mine, teacherName: 'Tamar Teacher' },
    ])
    // Whoever gave it stays, when the group gets another teacher.
    expect((await owner.patch(`/groups/${own}`, { teacherStaffId: other })).status).toBe(200)
    expect(await ids(day)).toEqual([substituted, held])
    expect(await rows(`${day}&limit=1`)).toMatchObject([{ teacherName: 'Tamar Teacher' }])
    const nobody = await newGroup(institute)
    await add(nobody, '2026-07-02T08:00:00Z')
    expect(await rows(`from=2026-07-02&groupId=${nobody}`)).toMatchObject([{ teacherName: null }])
  })

  test('a teacher sees the sessions of the groups taught and substituted, a manager those of the branch', async () => {
    const { body: south } = await owner.post('/branches', { name: 'Timetable south' })
    const teacher = await institute.member({ role: 'teacher' })
    // A colleague of another branch gives one of them: the name is shown all the same.
    const abroad = await newStaff({ owner, branchId: south.id }, { firstName: 'Lina' })
    const staffId = await newStaff(institute, { userId: teacher.userId })
    const own = await newGroup(institute, { teacherStaffId: staffId })
    const others = await newGroup(institute)
    const far = await newGroup({ owner, branchId: south.id })
    const mine = await add(own, '2026-08-01T08:00:00Z', { teacherStaffId: abroad })
    await add(others, '2026-08-01T09:00:00Z')
    const distant = await add(far, '2026-08-01T10:00:00Z')
    expect(await rows('from=2026-08-01', teacher)).toMatchObject([{ id: mine, teacherName: 'Lina Teacher' }])
    expect(await ids(`from=2026-08-01&groupId=${others}`, teacher)).toEqual([])
    const manager = await institute.member({ role: 'branch_manager', branchId: south.id })
    expect(await ids('from=2026-08-01', manager)).toEqual([distant])
    const guardian = await institute.member({ role: 'guardian' })
    expect(await guardian.get('/sessions')).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  })

  test('asks the database the same number of times, however many sessions there are', async () => {
    const statements: string[] = []
    const watched = await startApp({ queryLog: ({ query }) => statements.push(query.sql) })
    try {
      const place = await makeInstitute(watched)
      const groupId = await newGroup(place, { teacherStaffId: await newStaff(place) })
      await newPupil(place, groupId)
      const asked = async (): Promise<number> => {
        statements.length = 0
        expect((await place.owner.get('/sessions?from=2026-04-01&limit=100')).status).toBe(200)
        return statements.filter((sql) => /"(?:of_)?session"/.test(sql)).length
      }
      await newSession(place, groupId, at('2026-04-01T08:00:00Z'))
      await asked()
      const one = await asked()
      for (let hour = 9; hour < 18; hour += 1) {
        await newSession(place, groupId, at(`2026-04-01T${String(hour).padStart(2, '0')}:00:00Z`))
      }
      expect(await asked()).toBe(one)
    } finally {
      await watched.close()
    }
  })
})
