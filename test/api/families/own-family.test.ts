import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { linkAccount } from '#kit/link-account.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { issuedInvoice, newInvoice } from '../examples/billing.ts'
import { newApiKey } from '../examples/integrations.ts'
import { newPhone } from '../examples/people.ts'
import { newReport } from '../examples/progress-reports.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let world: World
let owner: Client
beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app, { features: { basic_reports: true } })
  world = worldOf(app, institute)
  owner = institute.owner
})
afterAll(() => app.close())

const familyOf = async (client: Client) => {
  const reply = await client.get('/me/family')
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })
const parentOf = async (...studentIds: string[]) => {
  const member = await institute.member({ role: 'guardian' })
  const person = { firstName: 'Ruth', lastName: 'Haddad', phone: newPhone() }
  const { id: guardianId } = (await owner.post('/guardians', person)).body
  await linkAccount(app, 'guardian', { id: guardianId, userId: member.userId })
  const link = { guardianId, relationship: 'mother', isPrimary: false, isPayer: false }
  for (const id of studentIds) expect((await owner.post(`/students/${id}/guardians`, link)).status).toBe(201)
  return member
}

test('is empty for somebody who is neither a student nor a guardian, and for an API key', async () => {
  expect(await familyOf(owner)).toEqual({ people: [], isPaidOnline: false })
  expect(await familyOf(await institute.member({ role: 'teacher' }))).toEqual({ people: [], isPaidOnline: false })
  const { key } = await newApiKey(world)
  expect(await familyOf(app.as(key))).toEqual({ people: [], isPaidOnline: false })
})

test('has the caller and the linked children, and exactly what a family may know of them', async () => {
  const secret = 'Nobody but staff reads this'
  const groupId = await newGroup(institute, { room: 'A1' })
  const groupName = (await owner.get(`/groups/${groupId}`)).body.name
  const named = { lastName: 'Haddad', notes: secret, nationalId: '123456782' }
  const child = await newPupil(institute, groupId, { ...named, firstName: 'Noor' })
  const sibling = await newPupil(institute, await newGroup(institute), { ...named, firstName: 'Adam' })
  const stranger = await newPupil(institute, groupId, { ...named, firstName: 'Stranger' })
  const member = await parentOf(child, sibling)

  const held = await newSession(institute, groupId)
  const entries = [child, stranger].map((studentId) => ({ studentId, status: 'absent', note: secret }))
  expect((await owner.put(`/sessions/${held}/attendance`, { entries })).status).toBe(200)
  const soon = { scheduledStart: '2026-03-09T14:00:00.000Z', scheduledEnd: '2026-03-09T15:00:00.000Z' }
  const cancelled = await newSession(institute, groupId, {
    scheduledStart: '2026-03-08T14:00:00.000Z',
    scheduledEnd: '2026-03-08T15:00:00.000Z',
  })
  await owner.patch(`/sessions/${cancelled}`, { status: 'cancelled', reason: secret })
  await newSession(institute, groupId, { ...soon, notes: secret })

  const open = await issuedInvoice(world, { studentId: child, notes: secret })
  await owner.post(`/invoices/${open.id}/payments`, { ...ils(5_000), method: 'cash', reference: secret })
  await newInvoice(world, { studentId: child })
  await issuedInvoice(world, { studentId: stranger })
  const exam = (title: string) => owner.post(`/groups/${groupId}/exams`, { title, kind: 'quiz', maxScore: 20 })
  const { body: unpublished } = await exam(secret)
  await owner.put(`/exams/${unpublished.id}/results`, { results: [{ studentId: child, score: 7 }] })
  const sent = await newReport(institute, { studentId: child, comment: 'Well done' })
  await owner.post(`/progress-reports/${sent}/send`)
  await newReport(institute, { studentId: child, comment: secret })
  await newReport(institute, { studentId: stranger })

  const family = await familyOf(member)
  expect(JSON.stringify(family)).not.toContain(secret)
  const seen = { seesLearning: true, seesMoney: true, absence: null }
  const nothing = { ...seen, today: [], nextSession: null, balance: ils(0), openInvoices: [], reports: [] }
  expect(family).toEqual({
    isPaidOnline: false,
    people: [
      {
        studentId: sibling,
        fullName: 'Adam Haddad',
        relation: 'guardian',
        groups: [{ groupId: expect.any(String), groupName: expect.any(String), courseName: expect.any(String) }],
        attendanceRate30d: null,
        ...nothing,
      },
      {
        studentId: child,
        fullName: 'Noor Haddad',
        relation: 'guardian',
        groups: [{ groupId, groupName, courseName: expect.any(String) }],
        attendanceRate30d: 0,
        ...seen,
        today: [
          {
            sessionId: held,
            groupId,
            groupName,
            room: 'A1',
            scheduledStart: '2026-03-02T14:00:00.000Z',
            scheduledEnd: '2026-03-02T15:30:00.000Z',
            status: 'held',
            cancelReason: null,
            attendance: 'absent',
            minutesLate: 0,
          },
        ],
        nextSession: {
          sessionId: held,
          groupId,
          groupName,
          scheduledStart: '2026-03-02T14:00:00.000Z',
          scheduledEnd: '2026-03-02T15:30:00.000Z',
          room: 'A1',
        },
        balance: ils(40_000),
        openInvoices: [
          {
            id: open.id,
            number: open.number,
            studentId: child,
            status: 'partially_paid',
            dueDate: '2026-03-20',
            total: ils(45_000),
            paid: ils(5_000),
            balance: ils(40_000),
          },
        ],
        reports: [
          {
            id: sent,
            groupId: null,
            periodStart: '2026-02-01',
            periodEnd: '2026-03-31',
            attendance: { present: 0, absent: 1, late: 0, excused: 0, rate: 0 },
            exams: [],
            average: null,
            comment: 'Well done',
            sentAt: '2026-03-02T08:00:00.000Z',
          },
        ],
      },
    ],
  })
  const self = await institute.member({ role: 'student' })
  await linkAccount(app, 'student', { id: stranger, userId: self.userId })
  expect(await familyOf(self)).toMatchObject({
    people: [{ studentId: stranger, relation: 'student', balance: ils(45_000), reports: [] }],
  })
})

test('has no reports while the feature is off', async () => {
  const plain = await makeInstitute(app, { features: { basic_reports: false } })
  const student = await plain.member({ role: 'student' })
  const { body } = await plain.owner.post('/students', {
    branchId: plain.branchId,
    firstName: 'Noor',
    lastName: 'Haddad',
  })
  await linkAccount(app, 'student', { id: body.id, userId: student.userId })
  expect((await familyOf(student)).people).toMatchObject([{ studentId: body.id, relation: 'student', reports: [] }])
})
