import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { png, upload } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newVideoCourse } from '../examples/curriculum.ts'
import { newPhone } from '../examples/people.ts'
import { create, newGroup, newPupil } from '../examples/sessions.ts'

let app: TestApp
let school: TestInstitute
let world: World
let student: string
let guardian: string
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app, { features: { advanced_reports: true, video_courses: true } as never })
  world = worldOf(app, school)
  student = await newStudent()
  guardian = await newGuardian()
  for (const path of [`/students/${student}/erase`, `/guardians/${guardian}/erase`]) {
    const { status } = await school.owner.post(path)
    if (status !== 200) throw new Error(`${path}: ${status}`)
  }
  await app.drain()
})
afterAll(() => app.close())

const newStudent = () =>
  create(world, '/students', {
    branchId: school.branchId,
    firstName: 'Dana',
    lastName: 'Levi',
    nationalId: '012345674',
  })
const newGuardian = () => create(world, '/guardians', { firstName: 'Ruth', lastName: 'Levi', phone: newPhone() })

const link = { relationship: 'mother', isPrimary: false, isPayer: false }
const discount = { kind: 'percent', value: 10, label: 'Staff', validFrom: '2026-03-01' }
const lines = [{ description: 'March', unitAmountMinor: 5000 }]
const period = { periodStart: '2026-03-01', periodEnd: '2026-03-31' }

interface Asked {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object
}

const post = (path: string, body: object = {}): Asked => ({ method: 'POST', path, body })

/** By what it would do: what nobody does with the record of somebody who was erased. */
const REFUSED: Readonly<Record<string, () => Asked | Promise<Asked>>> = {
  'change the student': () => ({ method: 'PATCH', path: `/students/${student}`, body: { notes: 'x' } }),
  'change the status': () => post(`/students/${student}/status`, { status: 'active' }),
  'rehearse the status': () => post(`/students/${student}/status/rehearsal`, { status: 'active' }),
  'delete the student': () => ({ method: 'DELETE', path: `/students/${student}` }),
  'merge another student into it': async () => post(`/students/${student}/merge`, { otherId: await newStudent() }),
  'change the guardian': () => ({ method: 'PATCH', path: `/guardians/${guardian}`, body: { firstName: 'x' } }),
  'delete the guardian': () => ({ method: 'DELETE', path: `/guardians/${guardian}` }),
  'merge another guardian into it': async () => post(`/guardians/${guardian}/merge`, { otherId: await newGuardian() }),
  'link a guardian to the student': async () =>
    post(`/students/${student}/guardians`, { guardianId: await newGuardian(), ...link }),
  'link the guardian to a student': async () =>
    post(`/students/${await newStudent()}/guardians`, { guardianId: guardian, ...link }),
  'change a link': () => ({
    method: 'PATCH',
    path: `/students/${student}/guardians/${guardian}`,
    body: { isPayer: true },
  }),
  'end a link': () => ({ method: 'DELETE', path: `/students/${student}/guardians/${guardian}` }),
  'invite the student': () => post(`/students/${student}/invite`, { email: 'dana@example.org' }),
  'invite the guardian': () => post(`/guardians/${guardian}/invite`, { email: 'ruth@example.org' }),
  'announce an absence': () =>
    post(`/students/${student}/absences`, { from: '2026-03-09', to: '2026-03-10', reason: 'Wedding' }),
  'give a discount': () => post('/discounts', { ...discount, studentId: student }),
  'give the guardian a discount': () => post('/discounts', { ...discount, guardianId: guardian }),
  'give a video course': async () =>
    post(`/courses/${await newVideoCourse(world)}/enrollments`, { studentId: student }),
  'write an invoice': () => post('/invoices', { studentId: student, dueDate: '2030-01-31', lines }),
  'pay ahead': () =>
    post('/payments', {
      amountMinor: 100,
      currency: 'ILS',
      method: 'cash',
      allocations: [],
      paidBy: { guardianId: guardian },
    }),
  'use credit': () => post('/accounts/apply', { studentId: student }),
  'refund credit': () =>
    post('/refunds', { guardianId: guardian, amountMinor: 100, method: 'cash', reason: 'Moves away' }),
  'write a report': () => post('/progress-reports', { studentId: student, ...period, groupId: null, comment: 'Good' }),
  'attach a file': async () =>
    post('/files/complete', {
      ...(await upload(app, school.owner, png())),
      entityType: 'student',
      entityId: student,
    }),
  'register the student again': () =>
    post('/registrations', {
      guardian: { firstName: 'Rina', lastName: 'Levi', phone: newPhone() },
      relationship: 'mother',
      students: [{ id: student }],
    }),
}

describe('with somebody who was erased, nobody can', () => {
  test.each(Object.keys(REFUSED))('%s', async (name) => {
    const { method, path, body } = await REFUSED[name]!()
    const reply = await school.owner.send(method, path, body === undefined ? {} : { body })
    expect([reply.status, reply.body.error?.details?.reason], JSON.stringify(reply.body)).toEqual([
      409,
      'person_erased',
    ])
  })

  test('enrol or message them: they have left, and nothing reaches them', async () => {
    const groupId = await newGroup(world)
    const enrolled = await school.owner.post('/enrollments', { studentId: student, groupId })
    expect([enrolled.status, enrolled.body.error.details]).toMatchObject([
      409,
      { reason: 'cannot_enroll', student: 'withdrawn' },
    ])
    const message = { templateKey: 'message', channels: ['email'], data: { title: 'Trip', message: 'Bring water.' } }
    const sent = await school.owner.post('/notifications/send', {
      ...message,
      recipients: { studentIds: [student], guardianIds: [guardian] },
    })
    expect(sent.body.error ?? sent.body).toMatchObject(sent.status === 202 ? { queued: 0 } : { code: 'CONFLICT' })
  })
})

test('nobody is taken for somebody who was erased', async () => {
  const again = await school.owner.post('/students', {
    branchId: school.branchId,
    firstName: 'Erased',
    lastName: '1',
    nationalId: '012345674',
  })
  expect(again.status).toBe(201)
  const known = await school.owner.get('/students?nationalId=012345674')
  expect(known.body.data.map(({ id }: { id: string }) => id)).not.toContain(student)
  const found = (await school.owner.get('/search?q=Erased')).body.results
  expect(found.map(({ id }: { id: string }) => id)).toEqual([again.body.id])
  for (const [path, id] of [
    ['students', student],
    ['guardians', guardian],
  ] as const) {
    const listed = (await school.owner.get(`/directory/${path}?limit=100`)).body.data
    expect(listed.map((one: { id: string }) => one.id)).not.toContain(id)
  }
  const active = (await school.owner.get('/students?status=active')).body.data
  expect(active.map(({ id }: { id: string }) => id)).not.toContain(student)
})

test('of an erasure and an enrolment at the same moment, one is refused', async () => {
  const groupId = await newGroup(world)
  for (let round = 0; round < 5; round += 1) {
    const studentId = await newStudent()
    const [erased, enrolled] = await Promise.all([
      school.owner.post(`/students/${studentId}/erase`),
      school.owner.post('/enrollments', { studentId, groupId }),
    ])
    expect([erased.status, enrolled.status].toSorted()).toEqual(erased.status === 200 ? [200, 409] : [201, 409])
    const { firstName } = (await school.owner.get(`/students/${studentId}`)).body
    expect(firstName).toBe(erased.status === 200 ? 'Erased' : 'Dana')
  }
})

test('of two erasures at the same moment, one is done and the other answers it', async () => {
  const studentId = await newStudent()
  const [one, other] = await Promise.all([
    school.owner.post(`/students/${studentId}/erase`),
    school.owner.post(`/students/${studentId}/erase`),
  ])
  expect([one.status, other.status]).toEqual([200, 200])
  expect(one.body).toEqual(other.body)
  const entries = (await school.owner.get(`/audit?entityType=student&entityId=${studentId}&action=students.erase`)).body
  expect(entries.data).toHaveLength(1)
})

test('a pupil who left keeps their place in the marks of others', async () => {
  const groupId = await newGroup(world)
  const leaving = await newPupil(world, groupId)
  const staying = await newPupil(world, groupId, { firstName: 'Omar' })
  await school.owner.post(`/students/${leaving}/status`, { status: 'active' })
  await school.owner.post(`/students/${leaving}/status`, { status: 'withdrawn' })
  expect((await school.owner.post(`/students/${leaving}/erase`)).status).toBe(200)
  const { data } = (await school.owner.get(`/groups/${groupId}/enrollments`)).body
  const names = data.map(({ studentId, firstName }: Record<string, string>) => [studentId, firstName])
  expect(names).toEqual(
    expect.arrayContaining([
      [leaving, 'Erased'],
      [staying, 'Omar'],
    ]),
  )
})
