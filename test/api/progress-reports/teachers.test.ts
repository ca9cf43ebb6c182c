import { afterAll, beforeEach, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { eventsOf } from '#kit/records.ts'
import { LONG_TOKENS, takeAttendance } from '#kit/take-attendance.ts'
import { newExam } from '../examples/exams.ts'
import { newReport } from '../examples/progress-reports.ts'
import { newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

/** What teachers do with reports, how these are read over, and how many are sent at once. */

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: LONG_TOKENS })
})
beforeEach(async () => {
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
const period = { periodStart: '2026-03-01', periodEnd: '2026-03-31' }
const REACHED = { email: 'pupil@example.org' }

const newTeacher = async () => {
  const teacher = await institute.member({ role: 'teacher' })
  const teacherStaffId = await newStaff(institute, { userId: teacher.userId })
  const groupId = await newGroup(institute, { teacherStaffId })
  return { teacher, teacherStaffId, groupId }
}

/** A teacher with a group of one student, and a draft about that student. */
const newClass = async () => {
  const { teacher, groupId } = await newTeacher()
  const studentId = await newPupil(institute, groupId, REACHED)
  const draft = await teacher.post('/progress-reports', { studentId, groupId, ...period, comment: 'Good' })
  expect(draft.status, JSON.stringify(draft.body)).toBe(201)
  return { teacher, groupId, studentId, id: draft.body.id as string }
}

const approve = () => owner.patch('/settings', { reportsApproval: true })
const reasonOf = ({ status, body }: { status: number; body: { error: { details: { reason: string } } } }) =>
  `${status} ${body.error.details?.reason}`
const idsOf = async (client: Client, query = '') =>
  (await client.get(`/progress-reports${query}`)).body.data.map(({ id }: { id: string }) => id)

describe('a teacher', () => {
  test('writes, reads, changes, prints and sends reports of their own groups', async () => {
    const { teacher, id } = await newClass()
    expect((await teacher.get(`/progress-reports/${id}`)).body).toMatchObject({ id, status: 'draft', comment: 'Good' })
    expect((await teacher.patch(`/progress-reports/${id}`, { comment: 'Very good' })).body.comment).toBe('Very good')
    expect((await teacher.get(`/progress-reports/${id}/pdf`)).status).toBe(200)
    expect((await teacher.post(`/progress-reports/${id}/send`)).body).toMatchObject({ status: 'sent' })
    expect(reasonOf(await teacher.post(`/progress-reports/${id}/send`))).toBe('409 already_sent')
  })

  test('reaches none of other groups, and none over all groups of a student', async () => {
    const { teacher, groupId, studentId, id } = await newClass()
    const other = await newClass()
    const whole = await newReport(institute, { studentId })
    expect(await idsOf(teacher)).toEqual([id])
    for (const foreign of [other.id, whole]) {
      expect((await teacher.get(`/progress-reports/${foreign}`)).status).toBe(404)
      expect((await teacher.patch(`/progress-reports/${foreign}`, { comment: 'Mine' })).status).toBe(404)
      expect((await teacher.post(`/progress-reports/${foreign}/send`)).status).toBe(404)
      expect((await teacher.delete(`/progress-reports/${foreign}`)).status).toBe(404)
      expect((await teacher.get(`/progress-reports/${foreign}/pdf`)).status).toBe(404)
    }
    expect((await teacher.get(`/groups/${other.groupId}/progress-reports`)).status).toBe(404)
    const write = (body: object) => teacher.post('/progress-reports', { ...period, ...body })
    expect((await write({ studentId: other.studentId, groupId: other.groupId })).status).toBe(404)
    expect((await write({ studentId, groupId: other.groupId })).status).toBe(404)
    expect(reasonOf(await write({ studentId }))).toBe('403 own_groups_only')
    expect(reasonOf(await teacher.patch(`/progress-reports/${id}`, { groupId: null }))).toBe('403 own_groups_only')
    expect((await teacher.get(`/progress-reports/${id}`)).body.groupId).toBe(groupId)
  })

  test('of no group has an empty list; whoever only enters results is no teacher', async () => {
    const id = await newReport(institute)
    const idle = await institute.member({ role: 'teacher' })
    expect(await idsOf(idle)).toEqual([])
    expect((await idle.get(`/progress-reports/${id}`)).status).toBe(404)
    const entering = await institute.member({ permissions: ['exams.write'] })
    expect((await entering.get('/progress-reports')).status).toBe(403)
    expect((await entering.post('/progress-reports/send', { ids: [id] })).status).toBe(403)
  })

  test('who substitutes in a group writes about it; one who teaches it no more does not', async () => {
    const { id, groupId, studentId, teacher } = await newClass()
    const { teacher: substitute, teacherStaffId } = await newTeacher()
    expect((await substitute.get(`/progress-reports/${id}`)).status).toBe(404)
    await newSession(institute, groupId, { teacherStaffId })
    expect((await substitute.get(`/progress-reports/${id}`)).status).toBe(200)
    const body = { studentId, groupId, ...period }
    expect((await substitute.post('/progress-reports', body)).status).toBe(201)
    await owner.patch(`/groups/${groupId}`, { teacherStaffId: null })
    expect((await teacher.get(`/progress-reports/${id}`)).status).toBe(404)
  })
})

describe('with approval on', () => {
  test('a teacher’s report is handed in, returned with a remark, handed in anew, and sent by whoever reads it over', async () => {
    const { teacher, id, studentId } = await newClass()
    await approve()
    expect((await teacher.get('/institute')).body.reportsApproval).toBe(true)
    expect(reasonOf(await teacher.post(`/progress-reports/${id}/send`))).toBe('403 approval_needed')
    expect((await teacher.post('/progress-reports/send', { ids: [id] })).body).toEqual({
      done: [],
      refused: [{ id, reason: 'approval_needed' }],
    })
    const reader = await institute.member({ role: 'branch_manager', branchId: institute.branchId })
    expect(reasonOf(await reader.post(`/progress-reports/${id}/return`, { remark: 'Early' }))).toBe('409 not_submitted')
    expect((await teacher.post('/progress-reports/submit', { ids: [id] })).body).toEqual({ done: [id], refused: [] })
    expect(await idsOf(reader, '?submitted=true')).toEqual([id])
    expect(await idsOf(reader, '?submitted=false')).toEqual([])
    const refused = [
      await teacher.patch(`/progress-reports/${id}`, { comment: 'Later' }),
      await teacher.delete(`/progress-reports/${id}`),
    ]
    expect(refused.map(reasonOf)).toEqual(Array(2).fill('409 submitted'))
    expect((await teacher.post('/progress-reports/submit', { ids: [id] })).body.refused).toEqual([
      { id, reason: 'submitted' },
    ])
    expect((await teacher.post(`/progress-reports/${id}/return`, { remark: 'Mine' })).status).toBe(403)
    const submittedAt = app.clock.now()
    expect((await reader.patch(`/progress-reports/${id}`, { comment: 'Good work' })).body).toMatchObject({
      comment: 'Good work',
      submittedAt,
    })
    const remark = 'Say <b>what</b> to practise'
    expect((await reader.post(`/progress-reports/${id}/return`, { remark })).body).toMatchObject({
      status: 'draft',
      submittedAt: null,
      remark,
    })
    expect((await teacher.get(`/progress-reports/${id}`)).body.remark).toBe(remark)
    expect((await teacher.patch(`/progress-reports/${id}`, { comment: 'Practise fractions' })).status).toBe(200)
    await teacher.post('/progress-reports/submit', { ids: [id] })
    expect((await teacher.get(`/progress-reports/${id}`)).body).toMatchObject({ submittedAt, remark: null })
    expect((await reader.post(`/progress-reports/${id}/send`)).body).toMatchObject({
      status: 'sent',
      comment: 'Practise fractions',
      submittedAt: null,
      sentByUserId: reader.userId,
    })
    expect(reasonOf(await reader.post(`/progress-reports/${id}/return`, { remark: 'Late' }))).toBe('409 already_sent')
    expect((await teacher.post('/progress-reports/submit', { ids: [id] })).body.refused).toEqual([
      { id, reason: 'already_sent' },
    ])
    const student = await institute.member({ role: 'student' })
    await owner.patch(`/students/${studentId}`, { userId: student.userId })
    const family = (await student.get('/me/family')).body
    expect(family.people[0].reports).toMatchObject([{ id, comment: 'Practise fractions' }])
    expect(JSON.stringify(family)).not.toContain('remark')
  })

  test('a manager sends what they wrote; of another branch they read nothing over', async () => {
    await approve()
    const { teacher, id } = await newClass()
    await teacher.post('/progress-reports/submit', { ids: [id] })
    const { body: south } = await owner.post('/branches', { name: 'South' })
    const manager = await institute.member({ role: 'branch_manager', branchId: south.id })
    expect((await manager.post(`/progress-reports/${id}/return`, { remark: 'No' })).status).toBe(404)
    const own = await newReport({ owner, branchId: south.id })
    expect((await manager.post(`/progress-reports/${own}/send`)).status).toBe(200)
  })

  test('switched off again, what was handed in is the teacher’s to change and to send', async () => {
    await approve()
    const { teacher, id } = await newClass()
    await teacher.post('/progress-reports/submit', { ids: [id] })
    await owner.patch('/settings', { reportsApproval: false })
    expect((await teacher.patch(`/progress-reports/${id}`, { comment: 'Later' })).status).toBe(200)
    expect((await teacher.post(`/progress-reports/${id}/send`)).status).toBe(200)
  })

  test('a teacher changes a report, or it is handed in: never both', async () => {
    await approve()
    const { teacher, id } = await newClass()
    await Promise.all([
      teacher.patch(`/progress-reports/${id}`, { comment: 'At once' }),
      teacher.post('/progress-reports/submit', { ids: [id] }),
    ])
    const { body } = await teacher.get(`/progress-reports/${id}`)
    const later = await teacher.patch(`/progress-reports/${id}`, { comment: 'Later' })
    expect([body.submittedAt !== null, reasonOf(later)]).toEqual([true, '409 submitted'])
  })
})

describe('many at once', () => {
  test('each is sent by itself, and told of; what is refused says why, in the order of the request', async () => {
    const [first, second] = [await newReport(institute), await newReport(institute)]
    const unreached = await newReport(institute, { studentId: await newPupil(institute, await newGroup(institute)) })
    const sent = await newReport(institute)
    await owner.post(`/progress-reports/${sent}/send`)
    const reply = await owner.post('/progress-reports/send', { ids: [unknown, second, sent, first, unreached, second] })
    expect(reply).toMatchObject({ status: 200 })
    expect(reply.body).toEqual({
      done: [second, first],
      refused: [
        { id: unknown, reason: 'not_found' },
        { id: sent, reason: 'already_sent' },
        { id: unreached, reason: 'nobody_reached' },
      ],
    })
    expect((await owner.get(`/progress-reports/${unreached}`)).body.status).toBe('draft')
    const events = await eventsOf(app, institute, 'progress_report.sent')
    expect(events.map(({ progressReportId }) => progressReportId).toSorted()).toEqual([first, second, sent].toSorted())
  })

  test('what no message reaches is handed over on paper, and counts as sent', async () => {
    const [one, other] = [
      await newReport(institute, { studentId: await newPupil(institute, await newGroup(institute)) }),
      await newReport(institute, { studentId: await newPupil(institute, await newGroup(institute)) }),
    ]
    expect(reasonOf(await owner.post(`/progress-reports/${one}/send`))).toBe('409 nobody_reached')
    const sent = await owner.post(`/progress-reports/${one}/send`, { onPaper: true })
    expect([sent.status, sent.body.status]).toEqual([200, 'sent'])
    const { body } = await owner.post('/progress-reports/send', { ids: [one, other], onPaper: true })
    expect(body).toEqual({ done: [other], refused: [{ id: one, reason: 'already_sent' }] })
  })

  test('of requests at the same time, each report is sent by one', async () => {
    const ids = [await newReport(institute), await newReport(institute), await newReport(institute)]
    const replies = await Promise.all(
      [ids, ids.toReversed(), ids].map((asked) => owner.post('/progress-reports/send', { ids: asked })),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(replies.flatMap(({ body }) => body.done as string[]).toSorted()).toEqual(ids.toSorted())
    expect(await eventsOf(app, institute, 'progress_report.sent')).toHaveLength(3)
  })

  test.each([
    ['none', []],
    ['more than a hundred', Array<string>(101).fill(unknown)],
  ])('%s is 422', async (_, ids) => {
    for (const path of ['/progress-reports/send', '/progress-reports/submit'])
      expect((await owner.post(path, { ids })).status).toBe(422)
  })
})

describe('a class', () => {
  const read = async (groupId: string, query = '?periodStart=2026-03-01&periodEnd=2026-03-31', client = owner) =>
    client.get(`/groups/${groupId}/progress-reports${query}`)

  test('is read with the figures of each student, and the report of that period', async () => {
    const { teacher, groupId, studentId, id } = await newClass()
    const second = await newPupil(institute, groupId)
    const start = { scheduledStart: '2026-03-02T09:00:00.000Z', scheduledEnd: '2026-03-02T10:00:00.000Z' }
    const sessionId = await newSession(institute, groupId, start)
    app.clock.advance(6 * 3600)
    const entries = [
      { studentId, status: 'present' },
      { studentId: second, status: 'absent' },
    ]
    expect((await takeAttendance(app, owner, sessionId, { entries })).status).toBe(200)
    const examId = await newExam(institute, groupId, { heldAt: '2026-03-02', maxScore: 20 })
    await owner.put(`/exams/${examId}/results`, { results: [{ studentId: second, score: 15 }] })
    await owner.post(`/exams/${examId}/publish`)
    await newReport(institute, { studentId: second, groupId, periodStart: '2026-02-01', periodEnd: '2026-02-28' })
    const { status, body } = await read(groupId, undefined, teacher)
    expect([status, body.groupId, body.periodStart]).toEqual([200, groupId, '2026-03-01'])
    const byId = new Map(body.students.map((student: { studentId: string }) => [student.studentId, student]))
    expect(byId.get(studentId)).toMatchObject({
      attendance: { present: 1, absent: 0, rate: 100 },
      exams: [],
      average: null,
      report: { id, comment: 'Good', attendance: { present: 0 } },
    })
    expect(byId.get(second)).toMatchObject({
      attendance: { present: 0, absent: 1, rate: 0 },
      exams: [{ examId, score: 15 }],
      average: 75,
      report: null,
    })
  })

  test('without a period has that of its last draft, else the term or the month until today', async () => {
    const { groupId } = await newClass()
    expect((await read(groupId, '')).body).toMatchObject(period)
    const other = await newGroup(institute)
    expect((await read(other, '')).body).toEqual({
      groupId: other,
      periodStart: '2026-03-01',
      periodEnd: app.clock.now().slice(0, 10),
      students: [],
    })
    // On the first of a month there is nothing to write about: without terms it is since the group began, or was written about.
    const begun = await newGroup(institute, { startsOn: '2026-02-10' })
    expect((await read(begun, '')).body).toMatchObject({
      periodStart: '2026-02-10',
      periodEnd: app.clock.now().slice(0, 10),
    })
    const pupil = await newPupil(institute, begun, { email: 'reader@example.org' })
    const ended = await newReport(institute, {
      studentId: pupil,
      groupId: begun,
      periodStart: '2026-02-10',
      periodEnd: '2026-02-20',
    })
    expect((await owner.post(`/progress-reports/${ended}/send`)).status).toBe(200)
    expect((await read(begun, '')).body.periodStart).toBe('2026-02-21')
    const old = await newGroup(institute, { startsOn: '2024-09-01' })
    expect((await read(old, '')).body.periodStart).toBe('2026-03-01')
    await owner.patch('/settings', {
      terms: [
        { name: 'Spring', startsOn: '2026-02-01' },
        { name: 'Summer', startsOn: '2026-06-01' },
      ],
    })
    expect((await read(other, '')).body.periodStart).toBe('2026-02-01')
  })

  test('has who left within the period, and not who left before it', async () => {
    const { groupId, studentId } = await newClass()
    const { data } = (await owner.get(`/students/${studentId}/enrollments`)).body
    await owner.post(`/enrollments/${data[0].id}/drop`, {})
    const namesIn = async (query: string) =>
      (await read(groupId, query)).body.students.map((student: { studentId: string }) => student.studentId)
    expect(await namesIn('?periodStart=2026-03-01&periodEnd=2026-04-30')).toEqual([studentId])
    expect(await namesIn('?periodStart=2027-03-01&periodEnd=2027-04-30')).toEqual([])
  })

  test.each([
    ['?periodEnd=2025-03-01', 'periodEnd'],
    ['?periodStart=2026-03-02&periodEnd=2026-03-01', 'periodEnd'],
    ['?periodStart=2026-03-32&periodEnd=2026-04-01', 'periodStart'],
  ])('%s is 422', async (query, field) => {
    const { status, body } = await read(await newGroup(institute), query)
    expect([status, body.error.details.issues[0].path]).toEqual([422, [field]])
  })
})
