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

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'

const newClassroom = async () => {
  const groupId = await newGroup(institute)
  const pupils = [await newPupil(institute, groupId), await newPupil(institute, groupId)] as const
  return { groupId, sessionId: await newSession(institute, groupId), pupils }
}
const mark = (sessionId: string, entries: unknown[]) => owner.put(`/sessions/${sessionId}/attendance`, { entries })
const all = (pupils: readonly string[], status: string) => pupils.map((studentId) => ({ studentId, status }))

describe('GET /students/{id}/attendance', () => {
  test('lists the entries, latest session first, page by page', async () => {
    const { groupId, pupils } = await newClassroom()
    const [studentId] = pupils
    const sessions: string[] = []
    for (const day of ['06', '04', '05']) {
      const sessionId = await newSession(institute, groupId, {
        scheduledStart: `2026-03-${day}T08:00:00.000Z`,
        scheduledEnd: `2026-03-${day}T09:00:00.000Z`,
      })
      const entries = [{ studentId, status: 'late', minutesLate: 4, note: `Day ${day}` }]
      await takeAttendance(app, owner, sessionId, { entries })
      sessions.push(sessionId)
    }
    const first = await owner.get(`/students/${studentId}/attendance?limit=2`)
    expect(first.body.data[0]).toEqual({
      sessionId: sessions[0],
      groupId,
      scheduledStart: '2026-03-06T08:00:00.000Z',
      status: 'late',
      minutesLate: 4,
      note: 'Day 06',
      markedAt: '2026-03-06T08:00:00.000Z',
    })
    const second = await owner.get(`/students/${studentId}/attendance?limit=2&cursor=${first.body.nextCursor}`)
    const days = [...first.body.data, ...second.body.data].map(({ note }) => note)
    expect(days).toEqual(['Day 06', 'Day 05', 'Day 04'])
    expect(second.body.nextCursor).toBeNull()
    expect((await owner.get(`/students/${pupils[1]}/attendance`)).body).toEqual({ data: [], nextCursor: null })
    expect((await owner.get(`/students/${unknown}/attendance`)).status).toBe(404)
  })

  test('a teacher sees what their own students attended in their own groups', async () => {
    const teacher = await institute.member({ role: 'teacher' })
    const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
    const { groupId, sessionId, pupils } = await newClassroom()
    await mark(sessionId, all(pupils, 'present'))
    expect((await teacher.get(`/students/${pupils[0]}/attendance`)).status).toBe(404)
    const own = await newGroup(institute, { teacherStaffId })
    expect((await owner.post('/enrollments', { studentId: pupils[0], groupId: own })).status).toBe(201)
    const ownSession = await newSession(institute, own)
    await mark(ownSession, all([pupils[0]], 'late'))
    const { body } = await teacher.get(`/students/${pupils[0]}/attendance`)
    expect(body.data).toMatchObject([{ sessionId: ownSession, groupId: own, status: 'late' }])
    expect((await teacher.get(`/groups/${groupId}/attendance/summary`)).status).toBe(404)
    expect((await teacher.get(`/groups/${own}/attendance/summary`)).body.students).toHaveLength(1)
  })

  test('a student with attendance cannot be deleted', async () => {
    const { sessionId, pupils } = await newClassroom()
    await mark(sessionId, all(pupils, 'present'))
    expect((await owner.delete(`/students/${pupils[0]}`)).status).toBe(409)
  })
})
