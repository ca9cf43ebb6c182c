import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { eventsOf } from '#kit/records.ts'
import { newStudent } from '../examples/people.ts'
import { create, newGroup, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const enrolled = async () => {
  const { owner } = institute
  const studentId = await newStudent({ app, institute, owner, branchId: institute.branchId, serial: 1 })
  const groupId = await newGroup(institute, { feeMinor: 30_000 })
  return { owner, studentId, groupId, id: await create(institute, '/enrollments', { studentId, groupId }) }
}

test('while nothing hangs on it an enrollment is deleted, and whoever heard of it hears that it ended', async () => {
  const { owner, id, groupId, studentId } = await enrolled()
  expect(await owner.delete(`/enrollments/${id}`)).toMatchObject({ status: 200, body: { ok: true } })
  expect((await owner.get(`/enrollments/${id}`)).status).toBe(404)
  expect((await eventsOf(app, institute, 'enrollment.dropped')).at(-1)).toEqual({
    enrollmentId: id,
    studentId,
    groupId,
    reason: null,
  })
  expect((await owner.delete(`/groups/${groupId}`)).status).toBe(200)
})

test('with attendance it is 409, which names it; once that is cleared it can go', async () => {
  const { owner, id, groupId, studentId } = await enrolled()
  const sessionId = await newSession(institute, groupId)
  await owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ studentId, status: 'absent' }] })
  expect(await owner.delete(`/enrollments/${id}`)).toMatchObject({
    status: 409,
    body: { error: { details: { reason: 'enrollment_in_use', attendance: 1, charges: 0, results: 0 } } },
  })
  await owner.delete(`/sessions/${sessionId}/attendance/${studentId}`)
  expect((await owner.delete(`/enrollments/${id}`)).status).toBe(200)
})

test('with a line of an invoice or a result it is 409, which names them', async () => {
  const { owner, id, groupId, studentId } = await enrolled()
  const lines = [{ description: 'Fee', quantity: 1, unitAmountMinor: 30_000, enrollmentId: id }]
  await create(institute, '/invoices', { studentId, currency: 'ILS', lines })
  const examId = await create(institute, `/groups/${groupId}/exams`, { title: 'Unit 1', kind: 'quiz', maxScore: 20 })
  await owner.put(`/exams/${examId}/results`, { results: [{ studentId, score: 7 }] })
  expect((await owner.delete(`/enrollments/${id}`)).body.error.details).toMatchObject({
    attendance: 0,
    charges: 1,
    results: 1,
  })
})

test('needs enrollments.write, and a group within reach', async () => {
  const { owner, id } = await enrolled()
  const reader = await institute.member({ permissions: ['enrollments.read'] })
  expect((await reader.delete(`/enrollments/${id}`)).status).toBe(403)
  const north = await create({ owner }, '/branches', { name: 'North' })
  const elsewhere = await institute.member({ permissions: ['enrollments.write'], branchId: north })
  expect((await elsewhere.delete(`/enrollments/${id}`)).status).toBe(404)
})

test('of a deletion and a mark at once one waits, and nothing hangs in the air', async () => {
  const { owner, id, groupId, studentId } = await enrolled()
  const sessionId = await newSession(institute, groupId)
  const [deleted, marked] = await Promise.all([
    owner.delete(`/enrollments/${id}`),
    owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ studentId, status: 'present' }] }),
  ])
  expect([
    [200, 422],
    [409, 200],
  ]).toContainEqual([deleted.status, marked.status])
})
