import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { child, family, mother, newFee, openGroup } from './place.ts'

let app: TestApp
let school: TestInstitute
let owner: Client
let branchId: string

beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
  owner = school.owner
  branchId = school.branchId
})
afterAll(() => app.close())

const register = async (body: object, as: Client = owner) => {
  const reply = await as.post('/registrations', body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body
}

describe('POST /registrations', () => {
  test('makes a whole family, its places and its invoices at once', async () => {
    const at = await makeInstitute(app)
    const group = await openGroup(at.owner, at.branchId)
    const other = await openGroup(at.owner, at.branchId, { feeMinor: 30_000 })
    await newFee(at.owner, { name: 'Registration', kind: 'registration', recurrence: 'once', amountMinor: 5000 })
    await newFee(at.owner, { groupId: group.id })
    const guardian = mother({ email: 'hala@example.org', preferredLocale: 'he' })
    const students = [
      child(at.branchId, {
        birthDate: '2015-04-01',
        tags: ['bus'],
        groups: [{ groupId: group.id }, { groupId: other.id }],
      }),
      child(at.branchId, { firstName: 'Adam', groups: [{ groupId: group.id, priceMinor: 35_000 }] }),
    ]
    const body = await register({ guardian, relationship: 'mother', students, invoice: 'issue' }, at.owner)
    expect(body).toMatchObject({
      dryRun: false,
      refusal: null,
      guardian: { ...guardian, nationalId: null },
      knownGuardians: [],
      groups: [
        { groupId: group.id, capacity: 12, enrolledCount: 0 },
        { groupId: other.id, capacity: 12, enrolledCount: 0 },
      ],
    })
    const [yara, adam] = body.students
    expect(yara).toMatchObject({
      isNew: true,
      knownStudents: [],
      student: { status: 'active', studentNumber: 'S-000001', birthDate: '2015-04-01', tags: ['bus'] },
      link: { guardianId: body.guardian.id, relationship: 'mother', isPrimary: true, isPayer: true },
      enrollments: [
        { groupId: group.id, priceMinor: 45_000, status: 'active' },
        { groupId: other.id, priceMinor: 30_000 },
      ],
    })
    expect(adam.enrollments).toMatchObject([{ groupId: group.id, priceMinor: 35_000 }])
    const charged = (one: typeof yara) =>
      one.invoices.map(({ number, total, lines }: typeof yara) => [
        number,
        total.amountMinor,
        lines.map((line: typeof yara) => [line.description, line.total.amountMinor, line.groupId]),
      ])
    expect(charged(yara)).toEqual([
      [
        'INV-2026-000001',
        75_000,
        [
          ['Registration', 5000, null],
          ['Tuition, מרץ 2026', 40_000, group.id],
          [`${other.courseName}, ${other.name}`, 30_000, other.id],
        ],
      ],
    ])
    expect(charged(adam)).toEqual([
      [
        'INV-2026-000002',
        40_000,
        [
          ['Registration', 5000, null],
          ['Tuition, מרץ 2026', 35_000, group.id],
        ],
      ],
    ])
    const invoice = (await at.owner.get(`/invoices/${yara.invoices[0].id}`)).body
    expect(invoice).toMatchObject({ status: 'issued', studentId: yara.student.id })
    expect(invoice.lines[1]).toMatchObject({ enrollmentId: yara.enrollments[0].id })
    const links = (await at.owner.get(`/students/${adam.student.id}/guardians`)).body.data
    expect(links).toMatchObject([{ guardianId: body.guardian.id, isPrimary: true, isPayer: true }])
    expect((await eventsOf(app, at)).map(({ type }) => type)).toEqual([
      'student.created',
      'student.created',
      'enrollment.created',
      'enrollment.created',
      'enrollment.created',
      'invoice.issued',
      'invoice.issued',
    ])
    const audited = (await auditOf(app, at, 'registrations.create')).map(({ entity_type: type }) => type)
    expect(
      Object.fromEntries(Object.entries(Object.groupBy(audited, (type) => type)).map(([k, v]) => [k, v?.length])),
    ).toEqual({
      enrollment: 3,
      guardian: 1,
      guardian_link: 2,
      // Made, and issued.
      invoice: 4,
      student: 2,
    })
    // What stands on a first invoice is not charged again by the run of the month.
    const run = await at.owner.post('/billing/runs', { month: '2026-03' })
    expect(run.body.invoices).toEqual([])
  })

  test('needs neither a guardian, a group nor an invoice', async () => {
    const { guardian, students } = await register({ students: [child(branchId, { firstName: 'Rami' })] })
    expect(guardian).toBeNull()
    expect(students).toMatchObject([{ link: null, enrollments: [], invoices: [], student: { status: 'active' } }])
  })

  test('adds a sibling to a guardian who is there, and leaves the draft a draft', async () => {
    const group = await openGroup(owner, branchId)
    const first = await register(family(branchId))
    const sibling = child(branchId, { firstName: 'Sami', groups: [{ groupId: group.id }] })
    const asked = { guardian: { id: first.guardian.id }, relationship: 'mother', students: [sibling], isPayer: false }
    const body = await register({ ...asked, invoice: 'draft', dueDate: '2026-05-01' })
    expect(body.guardian).toEqual(first.guardian)
    expect(body.students[0].link).toMatchObject({ isPrimary: true, isPayer: false })
    expect((await owner.get(`/invoices/${body.students[0].invoices[0].id}`)).body).toMatchObject({
      status: 'draft',
      dueDate: '2026-05-01',
      total: { amountMinor: 45_000 },
    })
  })

  test('takes a student who is there, who becomes active and pays no fee twice', async () => {
    const at = await makeInstitute(app)
    const group = await openGroup(at.owner, at.branchId)
    const other = await openGroup(at.owner, at.branchId)
    await newFee(at.owner, { name: 'Registration', kind: 'registration', recurrence: 'once', amountMinor: 5000 })
    await newFee(at.owner, { groupId: group.id })
    const groups = [{ groupId: group.id }]
    const first = await register(
      { ...family(at.branchId), students: [child(at.branchId, { groups })], invoice: 'draft' },
      at.owner,
    )
    const { id } = first.students[0].student
    await at.owner.post(`/students/${id}/status`, { status: 'withdrawn' })
    const again = await register(
      {
        guardian: { id: first.guardian.id },
        relationship: 'other',
        students: [{ id, groups: [...groups, { groupId: other.id }] }],
        invoice: 'draft',
      },
      at.owner,
    )
    expect(again.students[0]).toMatchObject({
      isNew: false,
      student: { id, status: 'active' },
      link: { relationship: 'other' },
    })
    expect(again.students[0].invoices).toMatchObject([
      { lines: [{ groupId: other.id, feeScheduleId: null, total: { amountMinor: 45_000 } }] },
    ])
    const links = (await at.owner.get(`/students/${id}/guardians`)).body.data
    expect(links).toMatchObject([{ guardianId: first.guardian.id, relationship: 'other' }])
  })

  test('charges no registration in another currency than that of a group', async () => {
    const at = await makeInstitute(app)
    const group = await openGroup(at.owner, at.branchId)
    const registration = { kind: 'registration', recurrence: 'once', amountMinor: 5000 }
    await newFee(at.owner, { ...registration, name: 'Registration', currency: 'ILS' })
    await newFee(at.owner, { ...registration, name: 'From abroad', currency: 'USD' })
    const students = [child(at.branchId, { groups: [{ groupId: group.id }] })]
    const body = await register({ ...family(at.branchId), students, invoice: 'draft' }, at.owner)
    expect(body.students[0].invoices).toMatchObject([{ total: { amountMinor: 50_000, currency: 'ILS' } }])
  })

  test('keeps a student who is paused paused', async () => {
    const { students } = await register(family(branchId))
    const { id } = students[0].student
    await owner.post(`/students/${id}/status`, { status: 'paused' })
    const group = await openGroup(owner, branchId)
    const again = await register({ students: [{ id, groups: [{ groupId: group.id }] }] })
    expect(again.students[0]).toMatchObject({ student: { status: 'paused' }, enrollments: [{ status: 'active' }] })
  })

  test('charges the lines that are given in place of its own, an invoice for each currency', async () => {
    const group = await openGroup(owner, branchId)
    await newFee(owner, { groupId: group.id })
    const lines = [
      { description: 'Half a month', unitAmountMinor: 20_000, discountMinor: 500, groupId: group.id },
      { description: 'A book', unitAmountMinor: 1000, quantity: 2, currency: 'USD' },
    ]
    const body = family(branchId, { invoice: 'draft' })
    const student = child(branchId, { groups: [{ groupId: group.id }], lines })
    const { invoices } = (await register({ ...body, students: [student] })).students[0]
    expect(invoices).toMatchObject([
      {
        total: { amountMinor: 19_500, currency: 'ILS' },
        lines: [{ groupId: group.id, discount: { amountMinor: 500 } }],
      },
      { total: { amountMinor: 2000, currency: 'USD' }, lines: [{ groupId: null, quantity: 2 }] },
    ])
    const none = child(branchId, { firstName: 'Nil', groups: [{ groupId: group.id }], lines: [] })
    expect((await register({ ...body, guardian: mother(), students: [none] })).students[0].invoices).toEqual([])
  })

  test('is done once, however often it is sent under one name', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = family(branchId)
    const send = () => owner.send('POST', '/registrations', { body, headers })
    const first = await send()
    const again = await send()
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect((await owner.get(`/guardians?q=${encodeURIComponent(body.guardian.phone)}`)).body.data).toHaveLength(1)
  })
})

describe('with leadId', () => {
  const enquiry = async (more: object = {}) =>
    (await owner.post('/leads', { firstName: 'Omar', lastName: 'Aziz', phone: '0501112233', ...more })).body

  test('makes the student of the lead and the guardian whom it names', async () => {
    const guardian = mother({ lastName: 'Aziz' })
    const lead = await enquiry({ guardian })
    const body = await register({ leadId: lead.id, relationship: 'father', students: [{ birthDate: '2014-01-02' }] })
    expect(body.guardian).toMatchObject(guardian)
    expect(body.students[0]).toMatchObject({
      isNew: true,
      student: { firstName: 'Omar', phone: '+972501112233', birthDate: '2014-01-02', branchId, status: 'active' },
      link: { relationship: 'father', isPrimary: true, isPayer: true },
    })
    expect((await owner.get(`/leads/${lead.id}`)).body).toMatchObject({
      status: 'converted',
      studentId: body.students[0].student.id,
      guardianId: body.guardian.id,
    })
  })

  test('changes the student whom the lead has, and the link that the website made', async () => {
    const key = (
      await owner.post('/api-keys', { name: 'Site', kind: 'publishable', allowedOrigins: ['https://a.example'] })
    ).body.key
    const guardian = mother()
    const sent = { firstName: 'Lina', lastName: 'Nasser', guardian }
    const { body: registered } = await app
      .as(key)
      .send('POST', '/public/registrations', { body: sent, headers: { origin: 'https://a.example' } })
    const body = await register({
      leadId: registered.leadId,
      relationship: 'mother',
      students: [{ nationalId: '123456782' }],
    })
    expect(body.students[0]).toMatchObject({
      isNew: false,
      student: { id: registered.studentId, nationalId: '123456782', firstName: 'Lina', status: 'active' },
    })
    const links = (await owner.get(`/students/${registered.studentId}/guardians`)).body.data
    expect(links).toMatchObject([{ guardianId: body.guardian.id, relationship: 'mother' }])
    expect((await owner.get(`/leads/${registered.leadId}`)).body.status).toBe('converted')
  })

  test('takes a student who is there as the person who asked, without a guardian', async () => {
    const { students } = await register(family(branchId))
    const lead = await enquiry({ guardian: mother() })
    const { id } = students[0].student
    const body = await register({ leadId: lead.id, guardian: null, students: [{ id }] })
    expect(body).toMatchObject({ guardian: null, students: [{ isNew: false, link: null }] })
    expect((await owner.get(`/leads/${lead.id}`)).body).toMatchObject({ status: 'converted', studentId: id })
  })
})
