import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { watchWrites, type Write } from '#kit/writes.ts'
import { child, family, mother, newFee, openGroup } from './place.ts'

let app: TestApp
let school: TestInstitute
let owner: Client
let branchId: string
let writes: () => Promise<Write[]>

beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
  owner = school.owner
  branchId = school.branchId
  writes = await watchWrites(app)
})
afterAll(() => app.close())
beforeEach(async () => void (await writes()))

/** Asks what a registration would come to, and looks that nothing was written. */
const ask = async (body: object, as: Client = owner) => {
  await writes()
  const headers = { 'idempotency-key': randomUUID() }
  const reply = await as.send('POST', '/registrations', { body: { ...body, dryRun: true }, headers })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  expect(await writes()).toEqual([])
  return reply.body
}

test('a dry run writes nothing, and shows what the same request then makes', async () => {
  const group = await openGroup(owner, branchId)
  await newFee(owner, { groupId: group.id })
  const once = { name: 'Registration', kind: 'registration', recurrence: 'once', amountMinor: 5000 }
  await newFee(owner, { ...once, groupId: group.id })
  const body = family(branchId, { students: [child(branchId, { groups: [{ groupId: group.id }] })], invoice: 'issue' })
  const asked = await ask(body)
  expect(asked).toMatchObject({
    dryRun: true,
    guardian: null,
    refusal: null,
    knownGuardians: [],
    groups: [{ groupId: group.id, capacity: 12, enrolledCount: 0 }],
    students: [{ student: null, isNew: true, link: null, knownStudents: [], enrollments: [] }],
  })
  const made = (await owner.post('/registrations', body)).body
  const unnumbered = made.students[0].invoices.map((one: object) => ({
    ...one,
    id: null,
    number: null,
    // Nobody is told by a dry run.
    unreached: null,
  }))
  expect(asked.students[0].invoices).toEqual(unnumbered)
  expect(unnumbered).toMatchObject([{ total: { amountMinor: 45_000, currency: 'ILS' }, dueDate: expect.any(String) }])
})

test('nothing is needed of the people yet, and all that is missing is told', async () => {
  const group = await openGroup(owner, branchId)
  const asked = await ask({ guardian: {}, relationship: 'mother', students: [{ groups: [{ groupId: group.id }] }] })
  expect(asked.students[0].invoices).toMatchObject([{ lines: [{ groupId: group.id, feeScheduleId: null }] }])
  expect(asked.refusal).toMatchObject({
    code: 'VALIDATION_ERROR',
    reason: null,
    message: 'Is needed.',
    path: ['guardian', 'firstName'],
  })
  expect(asked.refusal.issues).toEqual(
    [
      'guardian firstName',
      'guardian lastName',
      'guardian phone',
      'students 0 firstName',
      'students 0 lastName',
      'students 0 branchId',
    ].map((path) => ({ path: path.split(' '), message: 'Is needed.' })),
  )
})

test('who is known already is told: students by name, phone and identity number, a guardian by the phone', async () => {
  const guardian = mother({ firstName: 'Huda', lastName: 'Abu Hassan', phone: '+972591234567' })
  const one = child(branchId, {
    firstName: 'Nur',
    lastName: 'Abu Hassan',
    nationalId: '123456782',
    phone: '0501239999',
  })
  const made = (await owner.post('/registrations', { guardian, relationship: 'mother', students: [one] })).body
  const { student } = made.students[0]
  const known = {
    id: student.id,
    branchId,
    studentNumber: student.studentNumber,
    firstName: 'Nur',
    lastName: 'Abu Hassan',
    fullName: 'Nur Abu Hassan',
    status: 'active',
    createdAt: student.createdAt,
  }
  const alike = async (more: object) => (await ask({ students: [more] })).students[0].knownStudents
  expect(await alike({ firstName: 'Abuhassan', lastName: 'Nur' })).toEqual([known])
  expect(await alike({ firstName: 'Else', lastName: 'Else', phone: '050-123-9999' })).toEqual([known])
  expect(await alike({ nationalId: '123456782' })).toEqual([known])
  expect(await alike({ firstName: 'Nura', lastName: 'Abu Hassan', phone: '0', nationalId: '12345678' })).toEqual([])
  expect(await alike({ id: student.id })).toEqual([])

  const holders = async (more: object) => {
    const asked = await ask({ guardian: more, relationship: 'mother', students: [child(branchId)] })
    return [asked.knownGuardians, asked.refusal?.reason, asked.refusal?.path]
  }
  const holder = {
    id: made.guardian.id,
    firstName: 'Huda',
    lastName: 'Abu Hassan',
    phone: '+972591234567',
    isSameName: true,
    children: [{ id: student.id, fullName: 'Nur Abu Hassan' }],
  }
  const taken = ['guardian_phone_taken', ['guardian', 'phone']]
  expect(await holders({ ...guardian, phone: '+970591234567' })).toEqual([[holder], ...taken])
  expect(await holders({ ...guardian, firstName: 'Sami' })).toEqual([[{ ...holder, isSameName: false }], ...taken])
  const [found] = await holders({ phone: guardian.phone })
  expect(found).toEqual([{ ...holder, isSameName: null }])
})

test('a lead is asked about as it names its people, and its own student is no other', async () => {
  const guardian = mother()
  const there = (await owner.post('/registrations', family(branchId, { guardian }))).body
  const named = { firstName: 'Rima', lastName: 'Other', phone: guardian.phone }
  const lead = (
    await owner.post('/leads', { firstName: 'Yara', lastName: 'Nasser', phone: '0507654321', guardian: named })
  ).body
  const asked = await ask({ leadId: lead.id, students: [{}] })
  expect(asked.refusal).toBeNull()
  expect(asked.knownGuardians).toMatchObject([{ id: there.guardian.id, isSameName: false }])
  expect(asked.students[0].knownStudents.map(({ id }: { id: string }) => id)).toContain(there.students[0].student.id)
  expect((await owner.get(`/leads/${lead.id}`)).body.status).toBe('new')
})

test('a full group is shown with its places, and refuses', async () => {
  const group = await openGroup(owner, branchId, { capacity: 1 })
  const body = family(branchId, { students: [child(branchId, { groups: [{ groupId: group.id }] })] })
  await owner.post('/registrations', body)
  const asked = await ask({ ...body, guardian: mother() })
  expect(asked.groups).toEqual([{ groupId: group.id, capacity: 1, enrolledCount: 1 }])
  expect(asked.refusal).toMatchObject({
    code: 'CONFLICT',
    reason: 'group_full',
    path: ['students', '0', 'groups', '0', 'groupId'],
  })
})

test('whoever may register sees what it costs without a right to invoices, and nobody of another branch', async () => {
  const { body: haifa } = await owner.post('/branches', { name: 'Haifa', code: 'HF' })
  const group = await openGroup(owner, haifa.id)
  await newFee(owner, { groupId: group.id })
  const guardian = mother()
  await owner.post('/registrations', family(branchId, { guardian, students: [child(branchId, { firstName: 'Zain' })] }))
  const desk = await school.member({
    permissions: ['students.write', 'guardians.write', 'enrollments.write'],
    branchId: haifa.id,
  })
  const student = child(haifa.id, { firstName: 'Zain', groups: [{ groupId: group.id }] })
  const asked = await ask({ guardian, relationship: 'mother', students: [student] }, desk)
  expect(asked.students[0].invoices).toMatchObject([{ lines: [{ unitAmount: { amountMinor: 40_000 } }] }])
  expect([asked.knownGuardians, asked.students[0].knownStudents]).toEqual([[], []])
  // The phone is taken all the same.
  expect(asked.refusal?.reason).toBe('guardian_phone_taken')
})

test('of a guardian who is known, only the children within reach are named', async () => {
  const { body: acre } = await owner.post('/branches', { name: 'Acre', code: 'AC' })
  const guardian = mother()
  const near = (
    await owner.post('/registrations', family(acre.id, { guardian, students: [child(acre.id, { firstName: 'Near' })] }))
  ).body
  const far = { guardian: { id: near.guardian.id }, relationship: 'mother', students: [child(branchId)] }
  expect((await owner.post('/registrations', far)).status).toBe(201)
  const desk = await school.member({ permissions: ['students.write', 'guardians.write'], branchId: acre.id })
  const asked = { guardian: { phone: guardian.phone }, students: [child(acre.id)] }
  const { id } = near.students[0].student
  expect((await ask(asked, desk)).knownGuardians).toMatchObject([{ children: [{ id, fullName: 'Near Nasser' }] }])
  expect((await ask(asked)).knownGuardians[0].children).toHaveLength(2)
})

test('a fee that is no longer in use is not charged', async () => {
  const group = await openGroup(owner, branchId)
  const fee = await newFee(owner, { groupId: group.id })
  const once = { kind: 'registration', recurrence: 'once', amountMinor: 5000, groupId: group.id }
  const former = await newFee(owner, { ...once, name: 'Former registration' })
  for (const { id } of [fee, former]) await owner.patch(`/fee-schedules/${id}`, { isActive: false })
  const body = { students: [child(branchId, { groups: [{ groupId: group.id }] })] }
  expect((await ask(body)).students[0].invoices).toMatchObject([
    { lines: [{ feeScheduleId: null }], total: { amountMinor: 45_000 } },
  ])
})

test('a student of another branch is not there, and nothing is told of what they were charged', async () => {
  const { body: haifa } = await owner.post('/branches', { name: 'Haifa out of reach', code: 'HR' })
  const group = await openGroup(owner, haifa.id)
  const other = await openGroup(owner, branchId)
  const registration = { name: 'Once', kind: 'registration', recurrence: 'once', amountMinor: 5000 }
  const fee = await newFee(owner, registration)
  const desk = await school.member({
    permissions: ['students.write', 'guardians.write', 'enrollments.write', 'leads.write'],
    branchId: haifa.id,
  })
  const body = family(branchId, {
    students: [child(branchId, { groups: [{ groupId: other.id }] })],
    invoice: 'issue',
  })
  const [far] = (await owner.post('/registrations', body)).body.students
  expect(far.invoices[0].lines).toContainEqual(expect.objectContaining({ feeScheduleId: fee.id }))
  const refused = await desk.post('/registrations', {
    guardian: null,
    students: [{ id: far.student.id, groups: [{ groupId: group.id }] }],
    dryRun: true,
  })
  expect([refused.status, refused.body.error?.details]).toEqual([404, { path: ['students', '0', 'id'] }])
  await owner.patch(`/fee-schedules/${fee.id}`, { isActive: false })
})

test('a name that was sent stays free for the registration itself', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const body = family(branchId)
  const send = (more: object) => owner.send('POST', '/registrations', { body: { ...body, ...more }, headers })
  expect((await send({ dryRun: true })).status).toBe(200)
  expect((await send({})).status).toBe(201)
})
