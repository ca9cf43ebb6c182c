import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { newFamily, type TestFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { create, newPupil, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let family: TestFamily
let sessionId: string

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  institute = await makeInstitute(app)
  family = await newFamily(institute)
  sessionId = await newSession(institute, family.groupId)
})

const mark = (body: object) => institute.owner.put(`/sessions/${sessionId}/attendance`, body)
const absent = async (query = '', client = institute.owner) => client.get(`/dashboard/absent${query}`)

test('who was marked absent today, whom to call, what was announced, and whether the family was told', async () => {
  const { groupId, studentId } = family
  const sick = await newPupil(institute, groupId, { firstName: 'Sick', lastName: 'Announced' })
  await create(institute, `/students/${sick}/absences`, { from: '2026-03-02', to: '2026-03-02', reason: 'Fever' })
  const here = await newPupil(institute, groupId)
  await mark({
    entries: [
      { studentId, status: 'absent', note: 'No call' },
      { studentId: sick, status: 'excused' },
      { studentId: here, status: 'present' },
    ],
  })
  await app.drain()
  const { status, body } = await absent()
  expect(status).toBe(200)
  expect(body.data.map((row: { studentId: string }) => row.studentId).toSorted()).toEqual([studentId, sick].toSorted())
  const of = (id: string) => body.data.find((row: { studentId: string }) => row.studentId === id)
  expect(of(studentId)).toMatchObject({
    sessionId,
    groupId,
    status: 'absent',
    note: 'No call',
    announcedReason: null,
    isTold: true,
    contact: { guardianId: family.motherId, phone: expect.stringMatching(/^\+/) },
  })
  expect(of(sick)).toMatchObject({ status: 'excused', announcedReason: 'Fever', isTold: false, contact: null })
  expect((await absent(`?date=2026-03-01`)).body.data).toEqual([])
  expect((await absent(`?groupId=${groupId}`)).body.data).toHaveLength(2)
  expect((await absent(`?groupId=${sessionId}`)).body.data).toEqual([])
})

test('a role for another branch sees none of it, and whoever may not see guardians no phones', async () => {
  await mark({ entries: [{ studentId: family.studentId, status: 'absent' }] })
  const other = await create(institute, '/branches', { name: 'Other', isDefault: false })
  const elsewhere = await institute.member({ permissions: ['attendance.read', 'guardians.read'], branchId: other })
  expect((await absent('', elsewhere)).body.data).toEqual([])
  const marker = await institute.member({ permissions: ['attendance.read'] })
  expect((await absent('', marker)).body.data).toMatchObject([{ contact: null }])
})
