import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const classroom = async (fields = {}) => {
  const groupId = await newGroup(institute, fields)
  const pupils = [await newPupil(institute, groupId), await newPupil(institute, groupId)] as const
  return { groupId, pupils, sessionId: await newSession(institute, groupId) }
}
const mark = (sessionId: string, entries: unknown[], version?: number) =>
  owner.put(`/sessions/${sessionId}/attendance`, { entries, version })
const rosterOf = async (sessionId: string) => (await owner.get(`/sessions/${sessionId}/attendance`)).body

describe('attendance of a lesson in five days', () => {
  test('is 422 session_ahead before the day of the session, and nothing is kept or told', async () => {
    const { groupId, pupils } = await classroom()
    const sessionId = await newSession(institute, groupId, {
      scheduledStart: '2026-03-07T14:00:00.000Z',
      scheduledEnd: '2026-03-07T15:00:00.000Z',
    })
    expect(await mark(sessionId, [{ studentId: pupils[0], status: 'absent' }])).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'session_ahead', day: '2026-03-07' } } },
    })
    expect(await rosterOf(sessionId)).toMatchObject({
      status: 'scheduled',
      entries: [{ status: null }, { status: null }],
    })
    const events = await eventsOf(app, institute, 'student.absent')
    expect(events.filter((event) => event.sessionId === sessionId)).toEqual([])
  })

  test('on its day it is taken, by the institute’s day, also before it begins', async () => {
    const { groupId, pupils } = await classroom()
    // In Jerusalem it is the day after already.
    const tonight = await newSession(institute, groupId, {
      scheduledStart: '2026-03-02T22:30:00.000Z',
      scheduledEnd: '2026-03-02T23:00:00.000Z',
    })
    const entries = [{ studentId: pupils[0], status: 'present' }]
    expect((await mark(tonight, entries)).body.error.details).toMatchObject({ day: '2026-03-03' })
    expect((await mark(await newSession(institute, groupId), entries)).status).toBe(200)
  })
})

describe('an entry can be cleared', () => {
  test('one by one; without an entry the session is scheduled again, and can be moved and cancelled', async () => {
    const teacherStaffId = await newStaff(institute)
    const { sessionId, pupils } = await classroom({ teacherStaffId })
    await mark(
      sessionId,
      pupils.map((studentId) => ({ studentId, status: 'present' })),
    )
    expect((await owner.get(`/sessions/${sessionId}`)).body).toMatchObject({ status: 'held', teacherStaffId })
    const first = await owner.delete(`/sessions/${sessionId}/attendance/${pupils[0]}`)
    expect(first).toMatchObject({ status: 200, body: { status: 'held', version: 3 } })
    expect(await owner.delete(`/sessions/${sessionId}/attendance/${pupils[0]}`)).toMatchObject({ status: 404 })
    const second = await owner.delete(`/sessions/${sessionId}/attendance/${pupils[1]}`)
    expect(second.body).toEqual(await rosterOf(sessionId))
    expect(second.body).toMatchObject({
      status: 'scheduled',
      version: 4,
      entries: [{ status: null }, { status: null }],
    })
    expect((await owner.get(`/sessions/${sessionId}`)).body).toMatchObject({
      status: 'scheduled',
      teacherStaffId: null,
    })
    const [, last] = await auditOf(app, institute, 'attendance.clear')
    expect(last).toMatchObject({ before: { status: 'held' }, after: { status: 'scheduled' } })
    const cancelled = await owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Flu' })
    expect(cancelled.status).toBe(200)
  })

  test('all at once, by an empty list, unless somebody else has marked since', async () => {
    const { sessionId, pupils } = await classroom()
    await mark(
      sessionId,
      pupils.map((studentId) => ({ studentId, status: 'present' })),
    )
    expect((await mark(sessionId, [], 1)).body.error).toMatchObject({ code: 'VERSION_CONFLICT' })
    expect((await mark(sessionId, [], 2)).body).toMatchObject({ status: 'scheduled', version: 3 })
    const { data } = (await owner.get(`/students/${pupils[0]}/attendance`)).body
    expect(data).toEqual([])
    // Marked again, the event of the whole roster is not sent a second time.
    await mark(
      sessionId,
      pupils.map((studentId) => ({ studentId, status: 'late' })),
    )
    const marked = (await eventsOf(app, institute, 'attendance.marked')).filter(
      (event) => event.sessionId === sessionId,
    )
    expect(marked).toHaveLength(1)
  })

  test('by the group’s own teacher, and not by another', async () => {
    const [teacher, other] = [await institute.member({ role: 'teacher' }), await institute.member({ role: 'teacher' })]
    const { sessionId, pupils } = await classroom({
      teacherStaffId: await newStaff(institute, { userId: teacher.userId }),
    })
    await mark(sessionId, [{ studentId: pupils[0], status: 'absent' }])
    const path = `/sessions/${sessionId}/attendance/${pupils[0]}`
    expect((await other.delete(path)).status).toBe(404)
    expect((await teacher.delete(path)).status).toBe(200)
  })
})

describe('a correction', () => {
  const tellsOf = async (from: string, to: string | null) => {
    const { groupId, studentId } = await newFamily(institute)
    const sessionId = await newSession(institute, groupId)
    await mark(sessionId, [{ studentId, status: from }])
    await app.drain()
    app.mails.length = 0
    if (to === null) await owner.delete(`/sessions/${sessionId}/attendance/${studentId}`)
    else await mark(sessionId, [{ studentId, status: to }])
    await app.drain()
    return app.mails.map((mail) => ({ to: mail.to, text: mail.text }))
  }

  test('from absent to present is told to those who were told of the absence, in their languages', async () => {
    const told = await tellsOf('absent', 'present')
    expect(told.map(({ to }) => to).toSorted()).toEqual(['father@example.org', 'mother@example.org'])
    expect(told.find(({ to }) => to === 'mother@example.org')?.text).toContain('حضور')
    expect(told.find(({ to }) => to === 'father@example.org')?.text).toContain('נשלחה בטעות')
  })

  test('an absence that is cleared too', async () => {
    expect((await tellsOf('absent', null)).map(({ to }) => to)).toHaveLength(2)
  })

  test('from present to present, or of a presence that is cleared, is told to nobody', async () => {
    expect(await tellsOf('present', 'present')).toEqual([])
    expect(await tellsOf('present', null)).toEqual([])
  })

  test('who was not told of the absence is not told of the correction', async () => {
    const { groupId, studentId } = await newFamily(institute)
    const sessionId = await newSession(institute, groupId)
    await mark(sessionId, [{ studentId, status: 'absent' }])
    await app.drain()
    const { guardianId } = await owner
      .post('/guardians', {
        firstName: 'Late',
        lastName: 'Comer',
        phone: '+972501234599',
        email: 'new@example.org',
      })
      .then(({ body }) => ({ guardianId: body.id }))
    await owner.post(`/students/${studentId}/guardians`, {
      guardianId,
      relationship: 'guardian',
      isPrimary: false,
      isPayer: false,
    })
    app.mails.length = 0
    await mark(sessionId, [{ studentId, status: 'present' }])
    await app.drain()
    expect(app.mails.map(({ to }) => to)).not.toContain('new@example.org')
    expect(app.mails).toHaveLength(2)
  })
})
