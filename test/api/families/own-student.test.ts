import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { pdf } from '#kit/paper.ts'
import { issuedInvoice, newInvoice } from '../examples/billing.ts'
import { newGrant, newLesson, newPublished } from '../examples/curriculum.ts'
import { newExam } from '../examples/exams.ts'
import { newReport } from '../examples/progress-reports.ts'
import { create, newGroup, newPupil, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let world: World
let owner: Client
beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp()
  institute = await makeInstitute(app, { features: { basic_reports: true } })
  world = worldOf(app, institute)
  owner = institute.owner
})
afterAll(() => app.close())

const ils = (amountMinor: number) => ({ amountMinor, currency: 'ILS' })

/** A guardian of the student with an account. */
const parentOf = async (studentId: string, link: Record<string, unknown> = {}) => {
  const guardianId = await newParent(institute, studentId, {}, link)
  const member = await institute.member({ role: 'guardian' })
  await linkAccount(app, 'guardian', { id: guardianId, userId: member.userId })
  return { guardianId, member }
}

const ownOf = async (client: Client, studentId: string) => {
  const reply = await client.get(`/me/students/${studentId}`)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}

const statusOf = async (client: Client, path: string): Promise<number> => (await pdf(app, client, path)).status

test('a family sees what was published, sent and announced, and nothing that staff keep to themselves', async () => {
  const secret = 'Nobody but staff reads this'
  const groupId = await newGroup(institute, { name: 'Algebra 1' })
  const child = await newPupil(institute, groupId, { firstName: 'Noor', lastName: 'Haddad', notes: secret })
  const classmate = await newPupil(institute, groupId)
  const { member } = await parentOf(child)

  const examId = await newExam(institute, groupId, {
    title: 'Fractions',
    kind: 'exam',
    maxScore: 20,
    heldAt: '2026-03-02',
  })
  const results = [
    { studentId: child, score: 17, remarks: 'Well done' },
    { studentId: classmate, score: 3, remarks: secret },
  ]
  expect((await owner.put(`/exams/${examId}/results`, { results })).status).toBe(200)
  const hidden = await newExam(institute, groupId, { title: secret, maxScore: 10 })
  await owner.put(`/exams/${hidden}/results`, { results: [{ studentId: child, score: 1 }] })
  expect((await ownOf(member, child)).results).toEqual([])
  expect((await owner.post(`/exams/${examId}/publish`)).status).toBe(200)

  const sent = await newReport(institute, { studentId: child, comment: 'A good year' })
  expect((await owner.post(`/progress-reports/${sent}/send`)).status).toBe(200)
  const draft = await newReport(institute, { studentId: child, comment: secret })
  const wedding = { from: '2026-03-09', to: '2026-03-10', reason: 'A wedding' }
  const { body: absence } = await member.post(`/students/${child}/absences`, wedding)
  const { courseId } = await newPublished(institute, 2)
  const grantId = await newGrant(institute, courseId, child)

  const own = await ownOf(member, child)
  expect(JSON.stringify(own)).not.toContain(secret)
  expect(own).toMatchObject({
    studentId: child,
    fullName: 'Noor Haddad',
    relation: 'guardian',
    seesLearning: true,
    seesMoney: true,
    groups: [{ groupId, groupName: 'Algebra 1' }],
    absences: [{ ...wedding, id: absence.id }],
    reports: [{ id: sent, comment: 'A good year' }],
    courses: [{ courseEnrollmentId: grantId, courseId, status: 'active', lessonCount: 2, completedCount: 0 }],
  })
  expect(own.results).toEqual([
    {
      examId,
      groupId,
      groupName: 'Algebra 1',
      title: 'Fractions',
      kind: 'exam',
      heldAt: '2026-03-02',
      publishedAt: '2026-03-02T08:00:00.000Z',
      score: 17,
      maxScore: 20,
      isAbsent: false,
      remarks: 'Well done',
      fileCount: 0,
    },
  ])
  expect(await statusOf(member, `/progress-reports/${sent}/pdf`)).toBe(200)
  expect(await statusOf(member, `/progress-reports/${draft}/pdf`)).toBe(404)

  // The student sees the same.
  const pupil = await institute.member({ role: 'student' })
  await linkAccount(app, 'student', { id: child, userId: pupil.userId })
  expect(await ownOf(pupil, child)).toEqual({ ...own, relation: 'student' })
})

test('attendance says of which group each lesson was', async () => {
  const groupId = await newGroup(institute, { name: 'Choir' })
  const child = await newPupil(institute, groupId)
  const { member } = await parentOf(child)
  const sessionId = await newSession(institute, groupId)
  await owner.put(`/sessions/${sessionId}/attendance`, {
    entries: [{ studentId: child, status: 'late', minutesLate: 7 }],
  })
  expect((await member.get(`/me/attendance?studentId=${child}`)).body.data).toMatchObject([
    { sessionId, groupName: 'Choir', status: 'late', minutesLate: 7 },
  ])
})

test('today says who was there, what is not marked yet, what is cancelled, and what was announced', async () => {
  const groupId = await newGroup(institute, { name: 'Chess' })
  const child = await newPupil(institute, groupId)
  const { member } = await parentOf(child)
  const at = (hour: string) => ({
    scheduledStart: `2026-03-02T${hour}:00:00.000Z`,
    scheduledEnd: `2026-03-02T${hour}:45:00.000Z`,
  })
  const marked = await newSession(institute, groupId, at('09'))
  const open = await newSession(institute, groupId, at('10'))
  const cancelled = await newSession(institute, groupId, at('15'))
  await newSession(institute, groupId, {
    scheduledStart: '2026-03-03T06:00:00.000Z',
    scheduledEnd: '2026-03-03T07:00:00.000Z',
  })
  await owner.put(`/sessions/${marked}/attendance`, {
    entries: [{ studentId: child, status: 'absent', note: 'secret' }],
  })
  await owner.patch(`/sessions/${cancelled}`, { status: 'cancelled', reason: 'The teacher is ill' })
  const { body: absence } = await member.post(`/students/${child}/absences`, {
    from: '2026-03-02',
    to: '2026-03-02',
    reason: 'Dentist',
  })
  const [person] = (await member.get('/me/family')).body.people
  expect(JSON.stringify(person)).not.toContain('secret')
  expect(person.today).toMatchObject([
    { sessionId: marked, status: 'held', attendance: 'absent', minutesLate: 0 },
    { sessionId: open, attendance: null },
    { sessionId: cancelled, status: 'cancelled', cancelReason: 'The teacher is ill', attendance: null },
  ])
  expect(person.absence).toEqual({ id: absence.id, from: '2026-03-02', to: '2026-03-02', reason: 'Dentist' })
})

test('of money a family sees what was issued and received, and has the papers that are made out to it', async () => {
  await owner.patch('/settings', { invoiceFooter: 'Bank 12, account 345' })
  const groupId = await newGroup(institute)
  const child = await newPupil(institute, groupId)
  const mother = await parentOf(child, { relationship: 'mother', isPayer: true })
  const father = await parentOf(child, { relationship: 'father' })
  const open = await issuedInvoice(world, { studentId: child, notes: 'Nobody else' })
  const paid = await issuedInvoice(world, { studentId: child })
  const draft = await newInvoice(world, { studentId: child })
  const { body: receipt } = await owner.post('/payments', {
    allocations: [{ invoiceId: paid.id, amountMinor: 45_000 }],
    currency: 'ILS',
    method: 'bank_transfer',
    reference: 'Nobody else',
  })
  const mothers = (await mother.member.get(`/me/students/${child}/money`)).body
  expect(JSON.stringify(mothers)).not.toContain('Nobody else')
  expect(mothers).toEqual({
    balance: ils(45_000),
    howToPay: 'Bank 12, account 345',
    isPaidOnline: false,
    invoices: [
      expect.objectContaining({ id: paid.id, status: 'paid', balance: ils(0), hasPaper: true }),
      expect.objectContaining({
        id: open.id,
        number: open.number,
        total: ils(45_000),
        balance: ils(45_000),
        firstLine: expect.stringMatching(/./),
        lineCount: 1,
        hasPaper: true,
      }),
    ],
    receipts: [
      {
        id: receipt.id,
        number: receipt.number,
        receivedAt: receipt.receivedAt,
        method: 'bank_transfer',
        amount: ils(45_000),
        cancelledAt: null,
        hasPaper: true,
      },
    ],
  })
  const fathers = (await father.member.get(`/me/students/${child}/money`)).body
  expect(fathers).toMatchObject({
    balance: ils(45_000),
    invoices: [
      { firstLine: '', lineCount: 0, hasPaper: false },
      { firstLine: '', hasPaper: false },
    ],
  })
  expect(fathers.receipts).toMatchObject([{ id: receipt.id, amount: ils(45_000), hasPaper: false }])

  const papers = [
    `/invoices/${open.id}/pdf`,
    `/receipts/${receipt.id}/pdf?copy=true`,
    `/students/${child}/statement/pdf`,
  ]
  const statuses = (client: Client) => Promise.all(papers.map((path) => statusOf(client, path)))
  expect(await statuses(mother.member)).toEqual([200, 200, 200])
  // An invoice names the mother with her address; the father has the statement.
  expect(await statuses(father.member)).toEqual([404, 404, 200])
  expect(await statusOf(mother.member, `/invoices/${draft.id}/pdf`)).toBe(404)
  expect(await statuses(await institute.member({ role: 'teacher' }))).toEqual([403, 403, 403])
})

test('nobody sees the child of another family, and who is no guardian any more sees nothing at once', async () => {
  const child = await newPupil(institute, await newGroup(institute))
  const other = await newPupil(institute, await newGroup(institute))
  const { member, guardianId } = await parentOf(child, { isPayer: true })
  const stranger = (await parentOf(other)).member
  const invoice = await issuedInvoice(world, { studentId: child })
  const { body: receipt } = await owner.post(`/invoices/${invoice.id}/payments`, { ...ils(1_000), method: 'cash' })
  const report = await newReport(institute, { studentId: child })
  await owner.patch(`/students/${child}`, { email: 'child@example.org' })
  await owner.post(`/progress-reports/${report}/send`)
  const { courseId } = await newPublished(institute)
  await newGrant(institute, courseId, child)
  const receiptId = (await owner.get('/receipts?limit=1')).body.data[0].id
  expect(receipt.id).toEqual(expect.any(String))
  const paths = [
    `/me/students/${child}`,
    `/me/students/${child}/money`,
    `/me/attendance?studentId=${child}`,
    `/me/students/${child}/courses/${courseId}`,
    `/invoices/${invoice.id}/pdf`,
    `/receipts/${receiptId}/pdf?copy=true`,
    `/students/${child}/statement/pdf`,
    `/progress-reports/${report}/pdf`,
  ]
  const statuses = (client: Client) => Promise.all(paths.map((path) => statusOf(client, path)))
  expect(await statuses(member)).toEqual(paths.map(() => 200))
  expect(await statuses(stranger)).toEqual(paths.map(() => 404))
  expect((await stranger.get('/me/family')).body.people).toMatchObject([{ studentId: other }])

  expect((await owner.delete(`/students/${child}/guardians/${guardianId}`)).status).toBe(200)
  const [own, money, attendance, course, ...pdfs] = await statuses(member)
  expect([own, money, attendance, course]).toEqual([404, 404, 404, 404])
  // Who is of no family lacks the permission, as anybody else.
  expect(pdfs).toEqual([403, 403, 403, 403])
  expect((await member.get('/me/family')).body.people).toEqual([])
})

test('a receipt for several children shows another guardian what was for this one alone', async () => {
  const [noor, adam] = [
    await newPupil(institute, await newGroup(institute)),
    await newPupil(institute, await newGroup(institute)),
  ]
  const mother = await parentOf(noor, { isPayer: true })
  await owner.post(`/students/${adam}/guardians`, {
    guardianId: mother.guardianId,
    relationship: 'mother',
    isPrimary: true,
    isPayer: true,
  })
  const father = await parentOf(noor)
  const [one, two] = [await issuedInvoice(world, { studentId: noor }), await issuedInvoice(world, { studentId: adam })]
  const { body: receipt } = await owner.post('/payments', {
    allocations: [
      { invoiceId: one.id, amountMinor: 10_000 },
      { invoiceId: two.id, amountMinor: 20_000 },
    ],
    currency: 'ILS',
    method: 'cash',
  })
  const receiptsOf = async (client: Client) => (await client.get(`/me/students/${noor}/money`)).body.receipts
  expect(await receiptsOf(mother.member)).toMatchObject([{ id: receipt.id, amount: ils(30_000), hasPaper: true }])
  expect(await receiptsOf(father.member)).toMatchObject([{ id: receipt.id, amount: ils(10_000), hasPaper: false }])
})

test('somebody of the office who is a parent too has what the office gives, and their own child’s', async () => {
  const north = await create(institute, '/branches', { name: 'North' })
  const child = await newPupil(institute, await newGroup(institute))
  const invoice = await issuedInvoice(world, { studentId: child })
  const guardianId = await newParent(institute, child, {})
  const member = await institute.member({ permissions: ['invoices.read'], branchId: north })
  expect(await statusOf(member, `/invoices/${invoice.id}/pdf`)).toBe(404)
  await linkAccount(app, 'guardian', { id: guardianId, userId: member.userId })
  expect(await statusOf(member, `/invoices/${invoice.id}/pdf`)).toBe(200)
  const other = await issuedInvoice(world, { studentId: await newPupil(institute, await newGroup(institute)) })
  expect(await statusOf(member, `/invoices/${other.id}/pdf`)).toBe(404)
})

test('a guardian sees the lessons of a video course as the student does, and nothing that is not published', async () => {
  const child = await newPupil(institute, await newGroup(institute))
  const { member } = await parentOf(child)
  const pupil = await institute.member({ role: 'student' })
  await linkAccount(app, 'student', { id: child, userId: pupil.userId })
  const { courseId, sectionId, lessonIds } = await newPublished(institute, 2)
  const hidden = await newLesson(institute, sectionId, { title: 'Nobody sees this yet' })
  const path = `/me/students/${child}/courses/${courseId}`
  expect((await member.get(path)).status).toBe(404)
  const grantId = await newGrant(institute, courseId, child)
  await pupil.post(`/me/lessons/${lessonIds[0]}/complete`)
  const { status, body } = await member.get(path)
  expect([status, body]).toMatchObject([200, { courseId, lessonCount: 2, completedCount: 1 }])
  expect(body).toEqual((await pupil.get(`/me/courses/${courseId}`)).body)
  expect((await pupil.get(path)).body).toEqual(body)
  expect(body.sections[0].lessons.map(({ id }: { id: string }) => id)).toEqual(lessonIds)
  expect(JSON.stringify(body)).not.toContain(hidden)
  // What the child did, only the child says.
  expect((await member.post(`/me/lessons/${lessonIds[1]}/complete`)).status).toBe(404)
  await owner.delete(`/course-enrollments/${grantId}`)
  expect((await member.get(path)).status).toBe(404)
})

test('without the feature no video course is shown to a family', async () => {
  const own = await makeInstitute(app, { features: { courses_video: true } })
  const groupId = await newGroup(own)
  const child = await newPupil(own, groupId)
  const pupil = await own.member({ role: 'student' })
  await linkAccount(app, 'student', { id: child, userId: pupil.userId })
  const { courseId } = await newPublished(own)
  await newGrant(own, courseId, child)
  expect((await pupil.get(`/me/students/${child}`)).body.courses).toHaveLength(1)
  expect((await own.owner.patch('/feature-flags', { courses_video: false })).status).toBe(200)
  expect((await pupil.get(`/me/students/${child}`)).body.courses).toEqual([])
  const refused = await pupil.get(`/me/students/${child}/courses/${courseId}`)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'FEATURE_DISABLED'])
})
