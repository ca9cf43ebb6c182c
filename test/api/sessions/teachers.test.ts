import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

/** Who taught: a held session keeps its teacher; a group's new teacher gets the future sessions. */

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const hold = async (sessionId: string, groupId: string): Promise<void> => {
  const studentId = await newPupil(institute, groupId)
  const entries = [{ studentId, status: 'present' }]
  expect((await owner.put(`/sessions/${sessionId}/attendance`, { entries })).status).toBe(200)
}
const teacherOf = async (sessionId: string): Promise<string | null> =>
  (await owner.get(`/sessions/${sessionId}`)).body.teacherStaffId
const correct = (sessionId: string, teacherStaffId: string | null) =>
  owner.patch(`/sessions/${sessionId}`, { teacherStaffId })

test('a held session names who gave it, even after the group gets another teacher', async () => {
  const [first, second] = [await newStaff(institute), await newStaff(institute)]
  const groupId = await newGroup(institute, { teacherStaffId: first })
  const [held, coming] = [await newSession(institute, groupId), await newSession(institute, groupId)]
  expect(await teacherOf(held)).toBeNull()
  await hold(held, groupId)
  expect(await teacherOf(held)).toBe(first)
  await owner.patch(`/groups/${groupId}`, { teacherStaffId: second })
  expect([await teacherOf(held), await teacherOf(coming)]).toEqual([first, null])
  const { body } = await owner.get(`/groups/${groupId}/sessions`)
  expect(body.data).toContainEqual(expect.objectContaining({ id: held, teacherStaffId: first }))
  await hold(held, groupId)
  expect(await teacherOf(held)).toBe(first)
  await hold(coming, groupId)
  expect(await teacherOf(coming)).toBe(second)
})

test('a teacher who gave a session cannot be deleted; one who was only scheduled can', async () => {
  const [taught, other] = [await newStaff(institute), await newStaff(institute)]
  const groupId = await newGroup(institute, { teacherStaffId: taught })
  await hold(await newSession(institute, groupId), groupId)
  await owner.patch(`/groups/${groupId}`, { teacherStaffId: other })
  await owner.patch(`/groups/${groupId}`, { teacherStaffId: null })
  expect(await owner.delete(`/staff/${taught}`)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
  expect((await owner.delete(`/staff/${other}`)).status).toBe(200)
})

test('for a session by a substitute it is the substitute, not the group’s teacher', async () => {
  const [teacher, substitute] = [await newStaff(institute), await newStaff(institute)]
  const groupId = await newGroup(institute, { teacherStaffId: teacher })
  const sessionId = await newSession(institute, groupId, { teacherStaffId: substitute })
  await hold(sessionId, groupId)
  expect(await teacherOf(sessionId)).toBe(substitute)
})

test('who gave a session can be corrected; null means the group’s current teacher', async () => {
  const [teacher, wrong, right] = [await newStaff(institute), await newStaff(institute), await newStaff(institute)]
  const groupId = await newGroup(institute, { teacherStaffId: wrong })
  const sessionId = await newSession(institute, groupId)
  await hold(sessionId, groupId)
  expect((await correct(sessionId, right)).body.teacherStaffId).toBe(right)
  await owner.patch(`/groups/${groupId}`, { teacherStaffId: teacher })
  expect((await owner.delete(`/staff/${wrong}`)).status).toBe(200)
  expect((await correct(sessionId, null)).body.teacherStaffId).toBe(teacher)
  await owner.patch(`/groups/${groupId}`, { teacherStaffId: null })
  expect((await correct(sessionId, null)).body.teacherStaffId).toBeNull()
  expect((await owner.delete(`/staff/${teacher}`)).status).toBe(200)
  expect((await correct(sessionId, wrong)).status).toBe(404)
})

test('a former teacher of a session does not reach the group through it', async () => {
  const former = await institute.member({ role: 'teacher' })
  const staffId = await newStaff(institute, { userId: former.userId })
  const groupId = await newGroup(institute, { teacherStaffId: staffId })
  const sessionId = await newSession(institute, groupId)
  await hold(sessionId, groupId)
  expect((await former.get(`/sessions/${sessionId}`)).body.teacherStaffId).toBe(staffId)
  await owner.patch(`/groups/${groupId}`, { teacherStaffId: await newStaff(institute) })
  expect(await teacherOf(sessionId)).toBe(staffId)
  expect((await former.get(`/sessions/${sessionId}`)).status).toBe(404)
  expect((await former.get(`/groups/${groupId}`)).status).toBe(404)
})

test('sending a held session its own values changes nothing; another time is refused', async () => {
  const groupId = await newGroup(institute, { teacherStaffId: await newStaff(institute) })
  const sessionId = await newSession(institute, groupId)
  await hold(sessionId, groupId)
  const { body: session } = await owner.get(`/sessions/${sessionId}`)
  const { scheduledStart, scheduledEnd, teacherStaffId, topic, notes } = session
  app.clock.advance(1)
  const own = { scheduledStart, scheduledEnd, teacherStaffId, topic, notes }
  expect(await owner.patch(`/sessions/${sessionId}`, own)).toMatchObject({ status: 200, body: session })
  const moved = { ...own, scheduledEnd: scheduledStart, scheduledStart: '2026-03-05T12:00:00.000Z' }
  expect(await owner.patch(`/sessions/${sessionId}`, moved)).toMatchObject({ status: 409 })
  const other = await newStaff(institute)
  const { body } = await owner.patch(`/sessions/${sessionId}`, { ...own, teacherStaffId: other })
  expect(body).toEqual({ ...session, teacherStaffId: other, updatedAt: app.clock.now() })
})
