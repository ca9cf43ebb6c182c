import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { eventsOf } from '#kit/records.ts'
import { create, newGroup, newPupil, newSession } from '../examples/sessions.ts'

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

const WEDDING = { from: '2026-03-02', to: '2026-03-03', reason: 'A wedding in the family' }

const mark = (sessionId: string, studentId: string, status: string) =>
  owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ studentId, status }] })

test('announced by the desk, it stands on the roster of these days, excused is proposed, and nobody is told', async () => {
  const { groupId, studentId } = await newFamily(institute)
  const sessionId = await newSession(institute, groupId)
  const later = await newSession(institute, groupId, {
    scheduledStart: '2026-03-04T14:00:00.000Z',
    scheduledEnd: '2026-03-04T15:00:00.000Z',
  })
  const desk = await institute.member({ role: 'front_desk' })
  const announced = await desk.post(`/students/${studentId}/absences`, WEDDING)
  expect(announced).toMatchObject({
    status: 201,
    body: { ...WEDDING, studentId, studentName: 'Noor Haddad', byGuardianId: null },
  })
  const { entries } = (await owner.get(`/sessions/${sessionId}/attendance`)).body
  expect(entries).toMatchObject([
    { status: null, announced: { absenceId: announced.body.id, reason: WEDDING.reason, proposed: 'excused' } },
  ])
  expect((await owner.get(`/sessions/${later}/attendance`)).body.entries[0].announced).toBeNull()
  await app.drain()
  app.mails.length = 0
  await mark(sessionId, studentId, 'excused')
  await app.drain()
  expect(app.mails).toEqual([])
  // Other programs hear of the entry as of any other.
  expect((await eventsOf(app, institute, 'student.absent')).at(-1)).toMatchObject({ studentId, status: 'excused' })
})

test('without an announcement the family is told of an absence, and of one that was withdrawn before it', async () => {
  const { groupId, studentId } = await newFamily(institute, { email: 'told@example.org' })
  const sessionId = await newSession(institute, groupId)
  const { id } = (await owner.post(`/students/${studentId}/absences`, WEDDING)).body
  expect((await owner.delete(`/absences/${id}`)).body).toEqual({ ok: true })
  expect((await owner.get(`/sessions/${sessionId}/attendance`)).body.entries[0].announced).toBeNull()
  await app.drain()
  app.mails.length = 0
  await mark(sessionId, studentId, 'absent')
  await app.drain()
  expect(app.mails.length).toBe(2)
})

test('a guardian announces for their own child and takes it back, and for nobody else’s', async () => {
  const { studentId, motherId } = await newFamily(institute, { email: 'own@example.org' })
  const stranger = await newPupil(institute, await newGroup(institute))
  const mother = await institute.member({ role: 'guardian' })
  await linkAccount(app, 'guardian', { id: motherId, userId: mother.userId })
  const announced = await mother.post(`/students/${studentId}/absences`, WEDDING)
  expect(announced).toMatchObject({ status: 201, body: { byGuardianId: motherId } })
  expect(await mother.post(`/students/${stranger}/absences`, WEDDING)).toMatchObject({
    status: 403,
    body: { error: { details: { reason: 'permission_missing' } } },
  })
  const others = await create(institute, `/students/${stranger}/absences`, WEDDING)
  expect((await mother.delete(`/absences/${others}`)).status).toBe(403)
  expect((await mother.delete(`/absences/${announced.body.id}`)).status).toBe(200)
})

test('the lists say who is absent on a day, by branch, and what a student announced', async () => {
  const fresh = await makeInstitute(app)
  const studentId = await newPupil(fresh, await newGroup(fresh))
  await create(fresh, `/students/${studentId}/absences`, WEDDING)
  await create(fresh, `/students/${studentId}/absences`, { ...WEDDING, from: '2026-03-10', to: '2026-03-10' })
  const { data } = (await fresh.owner.get('/absences?from=2026-03-02&to=2026-03-02')).body
  expect(data).toMatchObject([{ studentId, from: '2026-03-02' }])
  expect((await fresh.owner.get(`/students/${studentId}/absences`)).body.data).toHaveLength(2)
  const north = await create(fresh, '/branches', { name: 'North' })
  expect((await fresh.owner.get(`/absences?branchId=${north}`)).body.data).toEqual([])
  const elsewhere = await fresh.member({ permissions: ['attendance.read', 'students.write'], branchId: north })
  expect((await elsewhere.get('/absences')).body.data).toEqual([])
  expect((await elsewhere.post(`/students/${studentId}/absences`, WEDDING)).status).toBe(404)
})

test.each([
  ['an end before the beginning', { from: '2026-03-05', to: '2026-03-04' }],
  ['a time that is over', { from: '2026-02-25', to: '2026-03-01' }],
  ['more than a year', { from: '2026-03-05', to: '2027-03-10' }],
  ['no reason', { reason: ' ' }],
  ['a reason of more than 300 characters', { reason: 'x'.repeat(301) }],
])('%s is 422', async (_, wrong) => {
  const studentId = await newPupil(institute, await newGroup(institute))
  expect((await owner.post(`/students/${studentId}/absences`, { ...WEDDING, ...wrong })).status).toBe(422)
})
