import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { linkAccount } from '#kit/link-account.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
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

const times = { scheduledStart: '2026-03-02T14:00:00.000Z', scheduledEnd: '2026-03-02T15:30:00.000Z' }
const homework = { text: 'Page 34, 1 to 5', dueOn: '2026-03-04' }

/** A teacher, with a lesson of their group today and one pupil in it. */
const newClass = async () => {
  const teacher = await institute.member({ role: 'teacher' })
  const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
  const groupId = await newGroup(institute, { teacherStaffId })
  const studentId = await newPupil(institute, groupId)
  return { teacher, groupId, studentId, sessionId: await newSession(institute, groupId, times) }
}

describe('the homework of a session', () => {
  test('is set by its teacher, read with the session and in both lists, replaced, and cleared', async () => {
    const { teacher, groupId, sessionId } = await newClass()
    const written = { topic: 'Fractions', homework }
    expect((await teacher.patch(`/sessions/${sessionId}`, written)).body).toMatchObject(written)
    expect((await teacher.get(`/sessions/${sessionId}`)).body).toMatchObject(written)
    expect((await teacher.get(`/groups/${groupId}/sessions`)).body.data[0]).toMatchObject(written)
    expect((await teacher.get(`/sessions?groupId=${groupId}`)).body.data[0]).toMatchObject(written)
    const undated = (await teacher.patch(`/sessions/${sessionId}`, { homework: { text: 'Page 35' } })).body
    expect(undated).toMatchObject({ topic: 'Fractions', homework: { text: 'Page 35', dueOn: null } })
    expect((await teacher.patch(`/sessions/${sessionId}`, { homework: null })).body.homework).toBeNull()
    const entries = (await auditOf(app, institute, 'sessions.update')).slice(-2)
    expect(entries.map(({ after }) => (after as { homework: unknown }).homework)).toEqual([undated.homework, null])
  })

  test('sent as it stands is no change', async () => {
    const sessionId = await newSession(institute, await newGroup(institute), times)
    const { updatedAt } = (await owner.patch(`/sessions/${sessionId}`, { homework })).body
    app.clock.advance(60)
    expect((await owner.patch(`/sessions/${sessionId}`, { homework })).body.updatedAt).toBe(updatedAt)
  })

  test('is kept to the letter: markup, marks of direction and lines', async () => {
    const sessionId = await newSession(institute)
    const text = '<img src=x onerror=alert(1)>\n\u2067עמ׳ 34\u2069 =1+1'
    expect((await owner.patch(`/sessions/${sessionId}`, { homework: { text } })).body.homework.text).toBe(text)
  })

  test('can be written on a session that was held or cancelled, and comes with a new one', async () => {
    const { groupId, sessionId, studentId } = await newClass()
    app.clock.advance(8 * 3600)
    await takeAttendance(app, owner, sessionId, { entries: [{ studentId, status: 'present' }] })
    expect((await owner.patch(`/sessions/${sessionId}`, { homework })).body).toMatchObject({ status: 'held', homework })
    const other = await owner.post(`/groups/${groupId}/sessions`, { ...times, homework })
    expect(other).toMatchObject({ status: 201, body: { homework } })
    await owner.patch(`/sessions/${other.body.id}`, { status: 'cancelled', reason: 'Snow' })
    const later = { homework: { text: 'Read chapter 2', dueOn: '2026-03-09' } }
    expect((await owner.patch(`/sessions/${other.body.id}`, later)).body).toMatchObject({
      status: 'cancelled',
      ...later,
    })
  })

  test.each([
    [{ text: '', dueOn: null }, ['homework', 'text']],
    [{ text: ' \n ' }, ['homework', 'text']],
    [{ text: 'a'.repeat(2001) }, ['homework', 'text']],
    [{ text: 'Page 34', dueOn: '2026-02-30' }, ['homework', 'dueOn']],
    // The lesson is on the second of March.
    [{ text: 'Page 34', dueOn: '2026-03-01' }, ['homework', 'dueOn']],
  ])('%j is 422', async (sent, path) => {
    const groupId = await newGroup(institute)
    const sessionId = await newSession(institute, groupId, times)
    for (const reply of [
      await owner.patch(`/sessions/${sessionId}`, { homework: sent }),
      await owner.post(`/groups/${groupId}/sessions`, { ...times, homework: sent }),
    ]) {
      expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([422, path])
    }
  })

  test('that was due when it was set stays, when the session moves past that day', async () => {
    const sessionId = await newSession(institute, await newGroup(institute), times)
    await owner.patch(`/sessions/${sessionId}`, { homework: { ...homework, dueOn: '2026-03-02' } })
    const moved = { scheduledStart: '2026-03-05T14:00:00.000Z', scheduledEnd: '2026-03-05T15:00:00.000Z' }
    expect((await owner.patch(`/sessions/${sessionId}`, moved)).status).toBe(200)
    expect((await owner.patch(`/sessions/${sessionId}`, { topic: 'Later' })).status).toBe(200)
  })

  test('is nobody else’s to set: not a teacher’s of another group, nor a marker’s who does not give it', async () => {
    const { sessionId } = await newClass()
    const { teacher: other } = await newClass()
    expect((await other.patch(`/sessions/${sessionId}`, { homework })).status).toBe(404)
    const marker = await institute.member({ permissions: ['attendance.mark'] })
    expect((await marker.patch(`/sessions/${sessionId}`, { homework })).body.error).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'not_the_teacher' },
    })
    expect((await owner.get(`/sessions/${sessionId}`)).body.homework).toBeNull()
  })
})

test('a student and a guardian read topic and homework in their schedule, and never what staff note', async () => {
  const { teacher, groupId, studentId } = await newClass()
  const later = { scheduledStart: '2026-03-04T14:00:00.000Z', scheduledEnd: '2026-03-04T15:30:00.000Z' }
  const sessionId = await newSession(institute, groupId, later)
  await teacher.patch(`/sessions/${sessionId}`, { topic: 'Fractions', homework, notes: 'Dana needs help' })
  const [student, parent] = [await institute.member({ role: 'student' }), await institute.member({ role: 'guardian' })]
  await linkAccount(app, 'student', { id: studentId, userId: student.userId })
  const { body: guardian } = await owner.post('/guardians', {
    firstName: 'Ruth',
    lastName: 'Levi',
    phone: '+972501230001',
  })
  await linkAccount(app, 'guardian', { id: guardian.id, userId: parent.userId })
  const link = { guardianId: guardian.id, relationship: 'mother', isPrimary: false, isPayer: false }
  expect((await owner.post(`/students/${studentId}/guardians`, link)).status).toBe(201)
  for (const reader of [student, parent, teacher]) {
    const { body } = await reader.get('/me/schedule?from=2026-03-04&to=2026-03-04')
    expect(body).toMatchObject([{ sessionId, groupId, topic: 'Fractions', homework }])
    expect(JSON.stringify(body)).not.toContain('Dana needs help')
  }
})
